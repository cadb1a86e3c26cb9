#include "model/query.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/limits.hpp"

namespace toa {
namespace {

std::unexpected<Error> refuse(std::string message) {
  return fail(ErrorKind::invalid, std::move(message));
}

/// One property of a query, its reader in the words of JSON Schema.
class Property {
 public:
  Property(std::string_view name, const Json& value) : name_(name), value_(value) {}

  Result<std::string> text() const {
    const auto* text = value_.if_string();
    if (text == nullptr) return misfit("must be string");
    return std::string(*text);
  }

  Result<std::string> name() const {
    auto read = text();
    if (read && read->empty()) return misfit("must NOT have fewer than 1 characters");
    return read;
  }

  Result<std::int64_t> count(std::int64_t minimum) const {
    const auto* number = value_.if_int64();
    if (number == nullptr) return misfit("must be integer");
    if (*number < minimum) return misfit(fmt::format("must be >= {}", minimum));
    return *number;
  }

  Result<bool> flag() const {
    const auto* flag = value_.if_bool();
    if (flag == nullptr) return misfit("must be boolean");
    return *flag;
  }

  Result<std::vector<std::string>> names(std::size_t count_max) const {
    const auto* items = value_.if_array();
    if (items == nullptr) return misfit("must be array");
    if (items->size() > count_max) {
      return misfit(fmt::format("must NOT have more than {} items", count_max));
    }
    std::vector<std::string> read;
    for (std::size_t i = 0; i < items->size(); ++i) {
      auto item = Property(fmt::format("{}/{}", name_, i), (*items)[i]).name();
      if (!item) return std::unexpected(std::move(item.error()));
      read.push_back(*std::move(item));
    }
    return read;
  }

  std::unexpected<Error> misfit(std::string_view why) const {
    return refuse(fmt::format("query/{} {}", name_, why));
  }

 private:
  std::string name_;
  const Json& value_;
};

Result<EntityId> read_id(const Property& property) {
  auto text = property.name();
  if (!text) return std::unexpected(std::move(text.error()));
  return EntityId(*std::move(text));
}

Result<std::vector<EntityId>> read_ids(const Property& property) {
  auto texts = property.names(limits::query_ids_max);
  if (!texts) return std::unexpected(std::move(texts.error()));
  std::vector<EntityId> ids;
  for (auto& text : *texts) ids.emplace_back(std::move(text));
  return ids;
}

Result<std::vector<Sort>> read_sort(const Property& property) {
  auto texts = property.names(limits::query_sort_max);
  if (!texts) return std::unexpected(std::move(texts.error()));
  std::vector<Sort> keys;
  for (const auto& text : *texts) {
    auto key = Sort::parse(text);
    if (!key) return property.misfit(key.error().message);
    keys.push_back(*std::move(key));
  }
  return keys;
}

Result<std::string> read_search(const Property& property) {
  auto text = property.name();
  if (text && text->size() > limits::query_search_bytes_max) {
    return property.misfit(
        fmt::format("must NOT have more than {} bytes", limits::query_search_bytes_max));
  }
  return text;
}

Result<Version> read_version(const Property& property) {
  auto number = property.count(0);
  if (!number) return std::unexpected(std::move(number.error()));
  return Version(*number);
}

template <class Target, class Read>
Result<void> keep(Target& target, Result<Read> read) {
  if (!read) return std::unexpected(std::move(read.error()));
  target = *std::move(read);
  return {};
}

Result<void> read_property(Query& query, std::string_view key, const Json& value) {
  const Property property(key, value);
  if (key == "id") return keep(query.id, read_id(property));
  if (key == "ids") return keep(query.ids, read_ids(property));
  if (key == "criteria") return keep(query.criteria, property.text());
  if (key == "search") return keep(query.search, read_search(property));
  if (key == "sort") return keep(query.sort, read_sort(property));
  if (key == "omit") return keep(query.omit, property.count(0));
  if (key == "limit") return keep(query.limit, property.count(1));
  if (key == "sample") return keep(query.sample, property.count(1));
  if (key == "version") return keep(query.version, read_version(property));
  if (key == "projection") {
    return keep(query.projection, property.names(limits::query_projection_max));
  }
  if (key == "deleted") return keep(query.deleted, property.flag());
  if (key == "token" || key == "stop") {
    return property.misfit(
        "is only for what changed since a stream was read, of which no storage of this release "
        "keeps a history");
  }
  return refuse(fmt::format("query must NOT have additional properties ('{}')", key));
}

}  // namespace

Result<Sort> Sort::parse(std::string_view text) {
  const auto colon = text.find(':');
  const auto path = text.substr(0, colon);
  const auto direction = colon == std::string_view::npos ? "asc" : text.substr(colon + 1);
  if (path.empty() || (direction != "asc" && direction != "desc")) {
    return refuse("must hold paths of properties, each alone or with :asc or :desc");
  }
  return Sort{std::string(path), direction == "desc"};
}

std::string Sort::print() const {
  return descending ? path + ":desc" : path;
}

Result<Query> Query::read(const Json& value) {
  const auto* members = value.if_object();
  if (members == nullptr) return refuse("query must be object");
  Query query;
  for (const auto& [key, member] : *members) {
    auto read = read_property(query, key, member);
    if (!read) return std::unexpected(std::move(read.error()));
  }
  return query;
}

Json Query::print() const {
  JsonObject out;
  if (id) out["id"] = id->value;
  if (ids) {
    auto& list = (out["ids"] = JsonArray{}).get_array();
    for (const auto& one : *ids) list.emplace_back(one.value);
  }
  if (criteria) out["criteria"] = *criteria;
  if (search) out["search"] = *search;
  if (sort) {
    auto& list = (out["sort"] = JsonArray{}).get_array();
    for (const auto& key : *sort) list.emplace_back(key.print());
  }
  if (omit) out["omit"] = *omit;
  if (limit) out["limit"] = *limit;
  if (sample) out["sample"] = *sample;
  if (version) out["version"] = version->value;
  if (projection) out["projection"] = boost::json::value_from(*projection);
  if (deleted) out["deleted"] = true;
  return out;
}

}  // namespace toa
