#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "model/reply.hpp"
#include "runtime/inbox.hpp"
#include "runtime/parked.hpp"

namespace toa::runtime {

/// A connection to the control socket of a running application, for commands: blocking, one request
/// at a time.
class ControlClient {
 public:
  ~ControlClient();
  ControlClient(ControlClient&&) noexcept;

  /// Nothing where no application listens there.
  static std::optional<ControlClient> connect(const std::string& path);

  /// Hears of a reply that is a stream: that it is one, with nothing, then each of its parts.
  using Streamed = std::function<void(const Json* part)>;

  /// Sends a call, its request as JSON text, and waits for the reply however long it takes.
  Result<Reply> call(const std::string& endpoint, const std::string& request,
                     const Streamed& streamed);
  Result<Json> status();
  /// A step over the parked messages.
  Result<ParkedPage> parked(const ParkedRequest& request);
  /// What the inbox has under an identity.
  Result<InboxAnswer> inbox(Identity identity);
  /// Asks the application to stop.
  Result<void> stop();
  /// Returns when the application has closed the connection, which it does when it ends, or false
  /// after `milliseconds`.
  bool wait_for_end(int milliseconds);

 private:
  explicit ControlClient(int socket);
  Result<Json> ask(const std::string& message);
  Result<void> say(const std::string& message);
  /// The next line.
  Result<Json> hear();

  int socket_ = -1;
  std::string heard_;  // after the last line
};

}  // namespace toa::runtime
