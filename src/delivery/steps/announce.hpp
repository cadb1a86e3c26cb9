#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "manifest/application.hpp"
#include "model/message.hpp"

namespace toa::delivery {

/// Whether an event that the component inherits is about this change: `created`, `updated`,
/// `deleted`, or `sync`, which is about all.
bool is_about(manifest::InheritedEvent event, const Json& change);

/// The messages of a record: one for each component that receives one of its events, under the
/// identity that the record and the event's label give (D7, R41, R81). `payloads` are those of the
/// events with code, by name; an inherited event has the new state. Numbers count up from `first`.
std::vector<Message> messages_of(const manifest::Application& application, const Record& record,
                                 const JsonObject& payloads, MessageNumber first, EpochMs now);

}  // namespace toa::delivery
