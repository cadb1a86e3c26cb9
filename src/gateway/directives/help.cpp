#include "gateway/directives/help.hpp"

#include "gateway/tree/resource.hpp"

namespace toa::gateway {
namespace {

/// What is said of a name stands beside what is known of it.
void merge(JsonObject& into, const JsonObject& said) {
  for (const auto& [key, value] : said) {
    auto* present = into.if_contains(key);
    if (present != nullptr && present->is_object() && value.is_object()) {
      merge(present->get_object(), value.get_object());
    } else {
      into[key] = value;
    }
  }
}

class Help final : public Directive {
 public:
  explicit Help(JsonObject said) : said_(std::move(said)) {}

  void describe(JsonObject& entry) const override { merge(entry, said_); }

 private:
  JsonObject said_;
};

class Hidden final : public Directive {
 public:
  bool shows(const Exchange&) const override { return false; }
};

bool is_help(const Json& value) {
  if (value.is_string()) return true;
  const auto* members = value.if_object();
  if (members == nullptr) return false;
  for (const auto& [key, member] : *members) {
    if ((key != "title" && key != "description") || !member.is_string()) return false;
  }
  return true;
}

JsonObject titled(const Json& value) {
  return value.is_string() ? JsonObject{{"title", value}} : value.get_object();
}

/// What is said of each name of a route or a query.
void add_named(const Stated& stated, const char* key, JsonObject& said) {
  if (!stated.value.must_be_object()) return;
  JsonObject named;
  for (const auto& part : stated.value.parts()) {
    if (!is_help(part.value())) {
      part.report("must be a title, or { title, description }");
      continue;
    }
    named[part.name()] = titled(part.value());
  }
  said[key] = std::move(named);
}

}  // namespace

void HelpFamily::make(const std::vector<Stated>& stated, MethodSite site) const {
  refuse_unknown(stated, {"node", "method", "route", "query"});
  JsonObject said;
  for (const auto& one : stated) {
    const auto& value = one.value.value();
    const bool here = (one.path.empty() ? "/" : one.path) == site.resource.path;
    if (one.name == "method" && one.in_method && value.is_null()) {
      site.method.directives.push_back(std::make_unique<Hidden>());
    } else if (one.name == "node" || one.name == "method") {
      if (!is_help(value)) {
        one.value.report("must be a title, or { title, description }");
      } else if (one.name == "method" && one.in_method) {
        for (auto& [key, text] : titled(value)) said[key] = text;
      } else if (one.name == "node" && here) {
        site.method.node_help = titled(value);
      }
    } else if (here && (one.name == "route" || one.name == "query")) {
      add_named(one, one.name == "route" ? "route" : "query", said);
    }
  }
  if (!said.empty()) site.method.directives.push_back(std::make_unique<Help>(std::move(said)));
}

}  // namespace toa::gateway
