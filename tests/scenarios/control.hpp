#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/json.hpp"

namespace toa::scenarios {

/// One connection to a control socket (docs/formats/control.md).
class Control {
 public:
  /// Throws Failed where nobody listens.
  explicit Control(const std::string& path);
  ~Control();
  Control(Control&& other) noexcept;
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;
  Control& operator=(Control&&) = delete;

  /// What the peer does not take because it is gone shows when its answer is read.
  void send_line(std::string line);
  /// A line, or nothing where the peer ended the connection. Throws Failed after `patience`.
  std::optional<std::string> read_line(std::chrono::milliseconds patience);

 private:
  int socket_ = -1;
  std::string received_;
};

/// What a call came to. `text` is its outcome as it was sent, without number and `replayed`.
struct Answer {
  std::optional<Json> reply;  // nothing where the connection ended
  std::string text;
};

void send_call(Control& control, const std::string& endpoint, const Json& request);
Answer read_answer(Control& control, std::chrono::milliseconds patience);

}  // namespace toa::scenarios
