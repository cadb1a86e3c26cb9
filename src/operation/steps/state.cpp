#include "operation/steps/state.hpp"

#include <functional>
#include <map>
#include <ranges>

#include "base/assert.hpp"
#include "operation/steps/moment.hpp"

namespace toa::operation {
namespace {

bool is_runtimes(std::string_view key) {
  return key == "VERSION" || key == "CREATED" || key == "UPDATED" || key == "REGION";
}

void member(std::string& out, std::string_view key, std::optional<std::int64_t> value) {
  out += ",\"";
  out += key;
  out += "\":";
  out += value ? std::to_string(*value) : "null";
}

/// What of a value is wanted: all of it, or some of its members, in a list of each item.
struct Wanted {
  bool whole = false;
  std::map<std::string, Wanted, std::less<>> members = {};

  void add(std::string_view path) {
    auto* wanted = this;
    for (const auto name : std::views::split(path, '.')) {
      wanted = &wanted->members[std::string(std::string_view(name))];
    }
    wanted->whole = true;
  }
};

Json part(const Json& value, const Wanted& wanted) {
  if (wanted.whole) return value;
  if (const auto* items = value.if_array()) {
    JsonArray parts;
    for (const auto& item : *items) parts.push_back(part(item, wanted));
    return parts;
  }
  const auto* object = value.if_object();
  if (object == nullptr) return value;
  JsonObject parts;
  for (const auto& [key, member] : *object) {
    const auto found = wanted.members.find(std::string_view(key));
    if (found != wanted.members.end()) parts.emplace(key, part(member, found->second));
  }
  return parts;
}

Exception misfit(const manifest::Component& component, const std::string& why) {
  return {.code = Code::entity_contract, .message = component.id.value + ": entity " + why};
}

std::expected<std::optional<EpochMs>, Exception> deletion(const manifest::Component& component,
                                                          const Json& value) {
  if (value.is_null()) return std::optional<EpochMs>{};
  if (value.is_int64() && value.get_int64() >= 0) return value.get_int64();
  return std::unexpected(misfit(component, "DELETED must be milliseconds since the epoch or null"));
}

}  // namespace

Document state_of(const Object& object) {
  const bool written = object.version.value > 0;
  std::string text = "{\"id\":";
  json::print_string_to(text, object.id.value);
  if (object.properties.size() > 2) {
    text += ',';
    text.append(object.properties, 1, object.properties.size() - 2);
  }
  member(text, "VERSION", object.version.value);
  member(text, "CREATED", written ? std::optional(object.created) : std::nullopt);
  member(text, "UPDATED", written ? std::optional(object.updated) : std::nullopt);
  member(text, "DELETED", object.deleted);
  member(text, "REGION", object.region);
  text += '}';
  return Document::of_text(std::move(text));
}

Object unwritten(const manifest::Entity& entity, EntityId id) {
  Object object;
  object.id = std::move(id);
  object.properties = json::print(entity.blank);
  return object;
}

Document project(const Document& state, const std::vector<std::string>& paths) {
  Wanted wanted;
  wanted.members["id"].whole = true;
  for (const auto& path : paths) wanted.add(path);
  return Document::of(part(state.value(), wanted));
}

std::expected<Object, Exception> next_object(const manifest::Component& component,
                                             const Object& before, const Json& left, EpochMs now) {
  const auto& entity = *component.entity;
  const auto* members = left.if_object();
  if (members == nullptr) return std::unexpected(misfit(component, "must be object"));

  Object next = before;
  next.version = Version(before.version.value + 1);
  next.updated = now;
  if (before.version.value == 0) next.created = now;

  JsonObject properties;
  Json id;
  for (const auto& [key, value] : *members) {
    if (key == "id") {
      id = value;
    } else if (key == "DELETED") {
      auto deleted = deletion(component, value);
      if (!deleted) return std::unexpected(std::move(deleted.error()));
      next.deleted = *deleted;
    } else if (!is_runtimes(key)) {
      properties.emplace(key, value);
    }
  }

  properties.emplace("id", id);
  const Json whole = std::move(properties);
  if (auto why = entity.contract.misfit(whole)) {
    return std::unexpected(misfit(component, *why));
  }
  // An entity may declare an `id` of its own that says nothing of its type.
  if (!id.is_string() || id.get_string().empty()) {
    return std::unexpected(misfit(component, "id must be string"));
  }
  const std::string given(id.get_string());
  if (given != before.id.value) {
    const bool may_name = before.version.value == 0 && !entity.associated &&
                          json::find(entity.properties, "id") != nullptr;
    if (!may_name) return std::unexpected(misfit(component, "id cannot be changed"));
    next.id = EntityId(given);
  }
  JsonObject kept = whole.as_object();
  kept.erase("id");
  if (auto why = normalise_moments(entity.moments, kept)) {
    return std::unexpected(misfit(component, *why));
  }
  next.properties = json::print(kept);
  return next;
}

}  // namespace toa::operation
