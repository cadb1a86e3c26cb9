#include "gateway/directives/auth.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "gateway/access/roles.hpp"
#include "gateway/directives/auth_admission.hpp"
#include "gateway/directives/names.hpp"
#include "gateway/tree/resource.hpp"

namespace toa::gateway {
namespace {

using manifest::Section;

/// Whether a role, its parts in braces left open, may be one.
bool is_role_template(std::string_view text) {
  std::string closed;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '{') {
      closed += text[at];
      continue;
    }
    const auto end = text.find('}', at);
    if (end == std::string_view::npos || end == at + 1) return false;
    closed += 'x';
    at = end;
  }
  return is_role(closed);
}

std::unique_ptr<const Condition> read_role(const Section& value) {
  auto roles = read_name_or_names(value);
  if (!roles) return nullptr;
  for (const auto& role : *roles) {
    if (is_role_template(role)) continue;
    value.report(fmt::format(
        "'{}' is no role: segments of letters and digits, or a {{variable}}, joined by colons",
        role));
    return nullptr;
  }
  return role_condition(std::move(*roles), Routes::application);
}

/// One that is either there or not.
std::unique_ptr<const Condition> read_flag(const Section& value,
                                           std::unique_ptr<const Condition> condition) {
  const auto* flag = value.value().if_bool();
  if (flag == nullptr) value.report("must be boolean");
  return flag != nullptr && *flag ? std::move(condition) : nullptr;
}

/// Where a directive stands, and what it is made for.
struct At {
  const Resource& resource;
  /// It stands at the route itself, not above it.
  bool own = false;
};

std::unique_ptr<const Condition> read_id(const Section& value, const At& at) {
  const auto* text = value.value().if_string();
  if (text == nullptr || text->empty()) {
    value.report("must be the name of a variable of the route");
    return nullptr;
  }
  const std::string variable(*text);
  const auto& known = at.resource.variables;
  if (at.own && std::ranges::find(known, variable) == known.end())
    value.report(fmt::format("the route {} has no variable '{}'", at.resource.path, variable));
  // Above routes of which some lack the variable, it admits nobody to those.
  return id_condition(variable);
}

std::unique_ptr<const Condition> read_incept(const Section& value) {
  if (value.value().is_null()) {
    value.report("null is for the gateway's own resources: name the output property with the id");
    return nullptr;
  }
  const auto* text = value.value().if_string();
  if (text != nullptr && !text->empty()) return incept_condition(std::string(*text));
  value.report("must be the output property with the id");
  return nullptr;
}

std::unique_ptr<const Condition> read_delegate(const Section& value) {
  const auto* text = value.value().if_string();
  if (text != nullptr && !text->empty()) return delegate_condition(std::string(*text));
  value.report("must be the input property that takes the caller");
  return nullptr;
}

void report_unknown(const Section& value, std::string_view name) {
  const bool later = name == "claims" || name == "assert" || name == "echo";
  value.report(
      later ? fmt::format("'auth:{}' is not supported by this release", name)
            : fmt::format("there is no directive 'auth:{}'{}", name,
                          manifest::suggestion(name, {"role", "anonymous", "anyone", "id", "incept",
                                                      "rule", "delegate", "input", "scheme"})));
}

std::unique_ptr<const Condition> read_condition(std::string_view name, const Section& value,
                                                const At& at);

Conditions read_conditions(const std::vector<Section>& parts, const At& at) {
  Conditions conditions;
  for (const auto& part : parts) {
    std::string_view name = part.name();
    if (name.starts_with("auth:")) name.remove_prefix(5);
    if (auto condition = read_condition(name, part, at)) conditions.push_back(std::move(condition));
  }
  return conditions;
}

std::unique_ptr<const Condition> read_rule(const Section& value, const At& at) {
  if (!value.must_be_object()) return nullptr;
  const auto parts = value.parts();
  auto conditions = read_conditions(parts, at);
  if (parts.empty()) value.report("must have a directive");
  // One that says `false`, or is wrong, must not leave a rule that admits without it.
  if (conditions.empty() || conditions.size() != parts.size()) return nullptr;
  return rule_condition(std::move(conditions));
}

std::unique_ptr<const Condition> read_condition(std::string_view name, const Section& value,
                                                const At& at) {
  if (name == "role") return read_role(value);
  if (name == "anonymous") return read_flag(value, anonymous_condition());
  if (name == "anyone") return read_flag(value, anyone_condition());
  if (name == "id") return read_id(value, at);
  if (name == "incept") return read_incept(value);
  if (name == "rule") return read_rule(value, at);
  if (name == "delegate") return read_delegate(value);
  report_unknown(value, name);
  return nullptr;
}

void read_guarded(const Section& value, const At& at, Admissions& admissions) {
  if (!value.value().is_array()) return value.report("must be a list");
  for (const auto& item : value.parts()) {
    if (!item.must_be_object()) continue;
    GuardedInput guarded;
    const auto prop = item.find("prop");
    if (!prop) {
      item.report("must have required property 'prop'");
      continue;
    }
    guarded.properties = read_name_or_names(*prop).value_or(std::vector<std::string>{});
    auto parts = item.parts();
    std::erase_if(parts, [](const Section& part) { return part.name() == "prop"; });
    if (parts.empty()) item.report("must have a directive besides 'prop'");
    guarded.conditions = read_conditions(parts, at);
    // With a condition fewer than stated more would be let in.
    if (guarded.conditions.size() != parts.size()) guarded.conditions.push_back(nobody_condition());
    admissions.guarded.push_back(std::move(guarded));
  }
}

void read_scheme(const Section& value, Admissions& admissions) {
  const auto* text = value.value().if_string();
  if (text == nullptr || text->empty()) return value.report("must be the name of a scheme");
  admissions.scheme = std::string(*text);
}

}  // namespace

void AuthFamily::make(const std::vector<Stated>& stated, MethodSite site) const {
  Admissions admissions;
  for (const auto& one : stated) {
    const At at{site.resource, one.in_method || one.path == site.resource.path};
    if (one.name == "input") {
      read_guarded(one.value, at, admissions);
    } else if (one.name == "scheme") {
      read_scheme(one.value, admissions);
    } else if (auto condition = read_condition(one.name, one.value, at)) {
      admissions.alternatives.push_back(std::move(condition));
    }
  }
  site.method.directives.push_back(std::make_unique<Admission>(std::move(admissions)));
}

}  // namespace toa::gateway
