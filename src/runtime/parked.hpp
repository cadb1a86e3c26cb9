#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "model/names.hpp"

namespace toa::runtime {

/// What an operator does with messages set aside: looks, asks what would come of putting them back,
/// puts them back, drops them.
enum class ParkedAction { list, show, plan, put_back, discard };

/// Which of them; what is empty means all.
struct ParkedSelection {
  /// Identities, or how they begin, in lower-case hex digits.
  std::vector<std::string> ids = {};
  /// The operation that the message calls, or the label of the event.
  std::string endpoint = {};
  std::string component = {};
  /// A part of the reason.
  std::string reason = {};
  /// Parked no later: what is parked after the operator has looked was not meant.
  std::optional<EpochMs> until = {};
};

/// One step over the parked messages: those with a number above `after`, as many as fit a page.
struct ParkedRequest {
  ParkedAction action = ParkedAction::list;
  ParkedSelection selection = {};
  MessageNumber after = {};
};

/// What a step met that was selected. There may be none of it though more follow; there are no more
/// where `next` is empty.
struct ParkedPage {
  /// Objects with `id`, `endpoint`, `event`, `attempt`, `reason`, `cause`, `at` and what the action
  /// adds (docs/formats/control.md).
  JsonArray items;
  std::optional<MessageNumber> next;
  /// The application's time.
  EpochMs now = 0;
};

/// As they travel over the control socket: the members beside `n` and `do`.
JsonObject print(const ParkedRequest& request);
/// Refuses what is no such request, naming the property.
Result<ParkedRequest> read_parked_request(const Json& message);
JsonObject print(ParkedPage page);
Result<ParkedPage> read_parked_page(Json message);

}  // namespace toa::runtime
