#include "gateway/query.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "gateway/criteria.hpp"
#include "gateway/directives/fill.hpp"
#include "gateway/tree/resource.hpp"

namespace toa::gateway {
namespace {

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool all = error == std::errc{} && end == text.data() + text.size();
  return all ? std::optional(number) : std::nullopt;
}

/// A text as the input property of that name wants it.
Json as_declared(const manifest::Operation& operation, std::string_view name,
                 const std::string& text) {
  const auto* properties =
      operation.input ? json::find(operation.input->schema(), "properties") : nullptr;
  const auto* property = properties == nullptr ? nullptr : json::find(*properties, name);
  const auto* type = property == nullptr ? nullptr : json::find(*property, "type");
  const auto word =
      type != nullptr && type->is_string() ? std::string_view(type->get_string()) : "";
  if (word == "boolean" && (text == "true" || text == "false")) return text == "true";
  if (word == "integer" || word == "number") {
    auto number = json::parse(text);
    if (number && number->is_number()) return *number;
  }
  return Json(text);
}

class Maker {
 public:
  explicit Maker(Exchange& exchange)
      : exchange_(exchange),
        operation_(*exchange.method->operation),
        rules_(exchange.method->query),
        queryable_(takes_query(operation_)),
        many_(takes_many(operation_)) {}

  std::expected<JsonObject, Refused> make() {
    for (auto step : {&Maker::place_variables, &Maker::read_parameters, &Maker::read_version}) {
      if (auto refused = (this->*step)()) return std::unexpected(std::move(*refused));
    }
    if (queryable_) {
      if (auto refused = complete()) return std::unexpected(std::move(*refused));
    }
    return std::move(query_);
  }

 private:
  Verdict place_variables() {
    const bool into_input = exchange_.method->verb == Verb::post || !queryable_;
    std::string conditions;
    for (const auto& variable : exchange_.variables) {
      if (variable.taken || variable.name == "**") continue;
      if (into_input) {
        const std::string name(variable.name);
        auto value = as_declared(operation_, name, variable.value);
        if (auto refused = fill_input(exchange_, name, std::move(value))) return refused;
      } else if (variable.name == "id") {
        query_["id"] = variable.value;
      } else {
        if (!conditions.empty()) conditions += ';';
        conditions += equals(variable.name, variable.value);
      }
    }
    criteria_ = join_route(conditions, rules_);
    return {};
  }

  Verdict read_parameters() {
    if (exchange_.target_query.empty()) return {};
    auto pairs = read_pairs(exchange_.target_query);
    if (!pairs) return Refused{400, std::move(pairs.error().message)};
    for (auto& pair : *pairs) {
      if (auto refused = read_parameter(pair)) return refused;
    }
    return {};
  }

  Verdict read_parameter(FormPair& pair) {
    const auto& name = pair.name;
    if (rules_.parameters &&
        std::ranges::find(*rules_.parameters, name) != rules_.parameters->end())
      return take_parameter(pair);
    if (!takes(name)) return unwanted(name);
    if (name == "criteria" && !rules_.criteria_open)
      return Refused{400, "Query criteria is closed"};
    if (name == "sort" && !rules_.sort_open) return Refused{400, "Query sort is closed"};
    if (stated_.contains(name))
      return Refused{400, fmt::format("Query parameter '{}' is there twice", name)};
    stated_[name] = pair.value ? Json(*pair.value) : Json(true);
    return {};
  }

  bool takes(std::string_view name) const {
    if (!queryable_) return false;
    const bool streams = operation_.scope == manifest::Scope::stream;
    if (name == "criteria" || name == "sort") return true;
    if (name == "id") return exchange_.variable("id") == nullptr;
    if (name == "limit") return many_ && !rules_.limit.constant;
    if (name == "omit") return many_ && !rules_.omit.constant;
    if (name == "search") return rules_.search;
    return streams && (name == "token" || name == "stop");
  }

  Verdict unwanted(std::string_view name) const {
    if (!queryable_ || rules_.parameters)
      return Refused{400, fmt::format("Query parameter '{}' is not allowed", name)};
    return Refused{400, "Query must NOT have additional properties"};
  }

  Verdict take_parameter(FormPair& pair) {
    auto value = pair.value ? as_declared(operation_, pair.name, *pair.value) : Json(true);
    auto* members = exchange_.input.members();
    if (members == nullptr) return Refused{400, "input must be object"};
    auto [found, fresh] = parameters_.try_emplace(pair.name, value);
    if (!fresh) {
      if (!found->second.is_array()) found->second = JsonArray{found->second};
      found->second.get_array().push_back(std::move(value));
    }
    return fill_input(exchange_, pair.name, found->second);
  }

  Verdict read_version() {
    const auto header = exchange_.request.find("if-match");
    if (!header || !queryable_) return {};
    auto tag = *header;
    if (tag.starts_with("W/")) tag.remove_prefix(2);
    const bool quoted = tag.size() > 2 && tag.starts_with('"') && tag.ends_with('"');
    const auto version = quoted ? whole(tag.substr(1, tag.size() - 2)) : std::nullopt;
    if (!version || *version < 0 || exchange_.request.count("if-match") > 1)
      return Refused{400, "Invalid ETag"};
    query_["version"] = *version;
    return {};
  }

  /// What is stated, with the rules of the route around it.
  Verdict complete() {
    for (const auto* name : {"id", "search", "token", "stop"}) {
      if (const auto found = stated_.find(name); found != stated_.end())
        query_[name] = found->second;
    }
    if (const auto found = stated_.find("criteria"); found != stated_.end()) {
      if (!found->second.is_string() || !is_self_contained(found->second.get_string()))
        return Refused{400, "Query criteria is malformed"};
      criteria_ = join_client(criteria_, found->second.get_string());
    }
    if (!criteria_.empty()) query_["criteria"] = criteria_;
    if (rules_.projection) query_["projection"] = boost::json::value_from(*rules_.projection);
    const bool sorted = add_sort();
    if (!many_) return {};
    if (auto refused = add_bound("limit", rules_.limit)) return refused;
    if (auto refused = add_bound("omit", rules_.omit)) return refused;
    if (query_.contains("omit") && !sorted) return Refused{400, "Query omit requires sort"};
    return {};
  }

  bool add_sort() {
    auto sort = rules_.sort;
    if (const auto found = stated_.find("sort");
        found != stated_.end() && found->second.is_string()) {
      for (auto& part : split_sort(found->second.get_string())) sort.push_back(std::move(part));
    }
    if (!sort.empty()) query_["sort"] = boost::json::value_from(sort);
    return !sort.empty();
  }

  Verdict add_bound(const char* name, const Bound& bound) {
    auto value = bound.value;
    const auto found = stated_.find(name);
    if (found != stated_.end()) {
      const auto* text = found->second.if_string();
      const auto number = text == nullptr ? std::nullopt : whole(*text);
      if (!number || *number < bound.min || *number > bound.max) {
        return Refused{400, fmt::format("Query {} must be between {} and {} inclusive", name,
                                        bound.min, bound.max)};
      }
      value = *number;
    }
    // Not to skip anything is not to ask for an order.
    if (value != 0 || found != stated_.end()) query_[name] = value;
    return {};
  }

  Exchange& exchange_;
  const manifest::Operation& operation_;
  const QueryRules& rules_;
  bool queryable_;
  bool many_;
  JsonObject query_;
  std::string criteria_;
  std::map<std::string, Json, std::less<>> stated_;
  std::map<std::string, Json> parameters_;
};

}  // namespace

std::expected<JsonObject, Refused> make_query_json(Exchange& exchange) {
  return Maker(exchange).make();
}

std::expected<std::optional<Query>, Refused> make_query(Exchange& exchange) {
  auto made = make_query_json(exchange);
  if (!made) return std::unexpected(std::move(made.error()));
  if (made->empty()) return std::nullopt;
  auto query = Query::read(Json(std::move(*made)));
  if (query) return std::move(*query);
  return std::unexpected(Refused{400, std::move(query.error().message)});
}

}  // namespace toa::gateway
