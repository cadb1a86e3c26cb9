#pragma once

#include <functional>
#include <string>

#include "base/json.hpp"
#include "base/result.hpp"
#include "model/reply.hpp"
#include "runtime/plugs.hpp"
#include "runtime/settings.hpp"

namespace toa::runtime {

/// What a call came to, and, where the application was opened for it, how many messages are left
/// waiting for a time when it runs.
struct CallMade {
  Reply reply;
  /// The reply was a stream: its parts were told, and it has no value.
  bool streamed = false;
  std::size_t left_waiting = 0;
};

/// Who hears what happens before the outcome.
struct Told {
  std::function<void(const std::string&)> waiting;
  std::function<void(const Document&)> part;
};

/// Makes one call: through the control socket of the running application; where none runs, by
/// opening the application for this call alone, with no port and no socket; then the messages that
/// the call caused are served too, as far as they are ready. Waits for whichever is to be had
/// first.
/// A request that states no id is given one before it is sent, so that a call whose outcome is not
/// known can be repeated as the same call; the error says which id. `told.waiting` hears what is
/// waited for, `told.part` each part of a reply that is a stream.
Result<CallMade> call_once(Settings settings, const Plugs& plugs, const std::string& endpoint,
                           Json request, const Told& told);

}  // namespace toa::runtime
