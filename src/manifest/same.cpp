#include "manifest/same.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

namespace toa::manifest {
namespace {

/// A text that is equal for values that are the same: members are in order of their names, numbers
/// in one form.
void canonical_to(std::string& out, const Json& value) {
  if (const auto* array = value.if_array()) {
    out.push_back('[');
    for (const auto& item : *array) {
      canonical_to(out, item);
      out.push_back(',');
    }
    out.push_back(']');
  } else if (const auto* object = value.if_object()) {
    std::vector<const JsonObject::value_type*> members;
    for (const auto& member : *object) members.push_back(&member);
    std::ranges::sort(members, {},
                      [](const auto* member) { return std::string_view(member->key()); });
    out.push_back('{');
    for (const auto* member : members) {
      json::print_string_to(out, member->key());
      out.push_back(':');
      canonical_to(out, member->value());
      out.push_back(',');
    }
    out.push_back('}');
  } else {
    json::print_to(out, value);
  }
}

bool same_members(const JsonObject& a, const JsonObject& b) {
  return a.size() == b.size() && std::ranges::all_of(a, [&](const auto& member) {
           const auto* other = b.if_contains(member.key());
           return other != nullptr && same(member.value(), *other);
         });
}

}  // namespace

bool same(const Json& a, const Json& b) {
  if (a.is_number() && b.is_number()) return a.to_number<double>() == b.to_number<double>();
  if (a.is_array() && b.is_array()) return std::ranges::equal(a.get_array(), b.get_array(), same);
  if (a.is_object() && b.is_object()) return same_members(a.get_object(), b.get_object());
  return a == b;
}

bool all_different(const JsonArray& items) {
  std::unordered_set<std::string> seen;
  return std::ranges::all_of(items, [&](const Json& item) {
    std::string text;
    canonical_to(text, item);
    return seen.insert(std::move(text)).second;
  });
}

}  // namespace toa::manifest
