#include "operation/steps/change.hpp"

#include <string_view>
#include <unordered_map>

#include "operation/steps/merge.hpp"
#include "operation/steps/state.hpp"

namespace toa::operation {
namespace {

using Changes = std::expected<std::vector<Change>, Exception>;

std::string origin_of(const Object& before) {
  return before.version.value > 0 ? state_of(before).text() : "null";
}

std::unexpected<Exception> misfit(const manifest::Operation& operation, const std::string& why) {
  return std::unexpected(
      Exception{.code = Code::entity_contract, .message = "'" + operation.label + "' " + why});
}

Changes changed(const manifest::Component& component, const Object& before, const Json& state,
                std::optional<Document> trailers, EpochMs now) {
  auto after = next_object(component, before, state, now);
  if (!after) return std::unexpected(std::move(after.error()));
  std::vector<Change> changes;
  changes.push_back({before, std::move(*after), std::move(trailers)});
  return changes;
}

/// The changeset over what the object holds now: what it does not name stays (R167).
Changes assigned(const manifest::Component& component, const Object& before, const Json& changeset,
                 EpochMs now) {
  static const JsonObject nothing;
  const auto* named = changeset.if_object();
  const auto state = state_of(before);
  const Json merged = merge(state.value().as_object(), named == nullptr ? nothing : *named);
  return changed(component, before, merged, {}, now);
}

/// The objects given, each to be taken once.
class Entries {
 public:
  explicit Entries(const std::vector<Object>& given) {
    for (const auto& object : given) by_id_.emplace(object.id.value, &object);
  }

  /// The object that this is the state of; nothing where it is none of those given, or a second
  /// state of one.
  const Object* take(const Json& state) {
    const auto* id = json::find(state, "id");
    if (id == nullptr || !id->is_string()) return nullptr;
    const auto found = by_id_.find(std::string_view(id->get_string()));
    if (found == by_id_.end()) return nullptr;
    const auto* object = found->second;
    by_id_.erase(found);
    return object;
  }

 private:
  std::unordered_map<std::string_view, const Object*> by_id_;
};

std::optional<Document> trailers_at(const std::optional<Document>& trailers, std::size_t place) {
  if (!trailers) return std::nullopt;
  const auto* list = trailers->value().if_array();
  if (list == nullptr || place >= list->size()) return std::nullopt;
  return Document::of((*list)[place]);
}

Changes changed_entries(const manifest::Component& component, const manifest::Operation& operation,
                        const std::vector<Object>& given, const Left& left, EpochMs now) {
  const auto* states = left.state.value().if_array();
  if (states == nullptr || states->size() != given.size()) {
    return misfit(operation,
                  "must leave the list of entries as long as it was given: what is not "
                  "to be stored is marked by DISCARD");
  }
  std::vector<Change> changes;
  Entries entries(given);
  for (std::size_t i = 0; i < states->size(); ++i) {
    const auto& state = (*states)[i];
    if (state.is_null()) continue;
    const auto* before = entries.take(state);
    if (before == nullptr) return misfit(operation, "left an entry that is none of those given");
    auto change = changed(component, *before, state, trailers_at(left.trailers, i), now);
    if (!change) return change;
    changes.push_back(std::move(change->front()));
  }
  return changes;
}

}  // namespace

std::string text_of(const Change& change, const std::optional<Document>& input) {
  std::string text = "{\"origin\":" + origin_of(change.before);
  text += ",\"state\":" + state_of(change.after).text();
  text += ",\"trailers\":" + (change.trailers ? change.trailers->text() : "{}");
  text += ",\"input\":" + (input ? input->text() : "null");
  return text + '}';
}

std::string text_of_guarded(const std::vector<Change>& changes) {
  std::string text = "[";
  for (const auto& change : changes) {
    if (text.size() > 1) text += ',';
    text += "{\"state\":" + state_of(change.after).text();
    text += ",\"origin\":" + origin_of(change.before) + '}';
  }
  return text + ']';
}

std::expected<std::vector<Change>, Exception> changes_of(const manifest::Component& component,
                                                         const manifest::Operation& operation,
                                                         const std::vector<Object>& given,
                                                         const Left& left, EpochMs now) {
  if (operation.scope == manifest::Scope::entries)
    return changed_entries(component, operation, given, left, now);
  if (operation.type == manifest::Type::assignment)
    return assigned(component, given.front(), left.state.value(), now);
  return changed(component, given.front(), left.state.value(), left.trailers, now);
}

Document stored_state(const manifest::Operation& operation, const std::vector<Change>& changes,
                      const std::optional<Document>& left) {
  if (operation.scope != manifest::Scope::entries) return state_of(changes.front().after);
  std::unordered_map<std::string_view, Json> stored;
  JsonArray all;
  for (const auto& change : changes) {
    auto state = state_of(change.after).value();
    if (left) {
      stored.emplace(change.after.id.value, std::move(state));
    } else {
      all.push_back(std::move(state));
    }
  }
  if (!left || !left->value().is_array()) return Document::of(std::move(all));
  for (const auto& state : left->value().get_array()) {
    const auto* id = json::find(state, "id");
    const auto found = id == nullptr || !id->is_string()
                           ? stored.end()
                           : stored.find(std::string_view(id->get_string()));
    all.push_back(found == stored.end() ? state : found->second);
  }
  return Document::of(std::move(all));
}

}  // namespace toa::operation
