#include "delivery/steps/announce.hpp"

#include "base/assert.hpp"

namespace toa::delivery {
namespace {

bool is_deleted(const Json& state) {
  const auto* deleted = json::find(state, "DELETED");
  return deleted != nullptr && !deleted->is_null();
}

Message message_of(const Record& record, const manifest::Event& event, const std::string& payload,
                   EpochMs now) {
  Message message{.number = {},
                  .id = event_identity(record.id, event.label),
                  .kind = MessageKind::event,
                  .component = {},
                  .name = event.label,
                  .body = payload,
                  .trail = record.trail,
                  .readonly = Readonly::no,
                  .made = now,
                  .attempt = 1,
                  .due = now};
  message.trail.push_back("~" + event.label);
  return message;
}

}  // namespace

bool is_about(manifest::InheritedEvent event, const Json& change) {
  using manifest::InheritedEvent;
  const auto& members = change.as_object();
  const auto& origin = members.at("origin");
  const bool created = origin.is_null();
  const bool deleted = is_deleted(members.at("state")) && !is_deleted(origin);
  switch (event) {
    case InheritedEvent::created:
      return created;
    case InheritedEvent::updated:
      return !created && !deleted;
    case InheritedEvent::deleted:
      return deleted;
    case InheritedEvent::sync:
      return true;
  }
  return false;
}

std::vector<Message> messages_of(const manifest::Application& application, const Record& record,
                                 const JsonObject& payloads, MessageNumber first, EpochMs now) {
  std::vector<Message> messages;
  const auto* component = application.find(record.component);
  if (component == nullptr) return messages;
  const auto change = json::parse(record.change, {.bytes_max = record.change.size(),
                                                  .depth_max = limits::document_depth_max + 2});
  require(change.has_value(), "a record's change is not JSON");
  for (const auto& [name, event] : component->events) {
    const auto& receivers = manifest::receivers_of(application, event.label);
    if (receivers.empty()) continue;
    const Json* payload = nullptr;
    if (!event.inherited) {
      payload = payloads.if_contains(name);
    } else if (is_about(*event.inherited, *change)) {
      payload = &change->as_object().at("state");
    }
    if (payload == nullptr) continue;
    const auto message = message_of(record, event, json::print(*payload), now);
    for (const auto* receiver : receivers) {
      auto& added = messages.emplace_back(message);
      added.component = receiver->id;
      added.number = MessageNumber(first.value + static_cast<std::int64_t>(messages.size()) - 1);
    }
  }
  return messages;
}

}  // namespace toa::delivery
