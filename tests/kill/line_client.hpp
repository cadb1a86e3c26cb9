#pragma once

#include <optional>
#include <string>

namespace toa::kill {

/// A connection to a control socket that keeps the lines as they came: `runtime::ControlClient`
/// reads replies, and their bytes are what is judged here. One thread.
class LineClient {
 public:
  /// Nothing where nobody listens.
  static std::optional<LineClient> connect(const std::string& path);
  ~LineClient();
  LineClient(LineClient&& other) noexcept;
  LineClient& operator=(LineClient&&) = delete;

  /// False where the connection is broken.
  bool send(const std::string& lines);
  /// The next line without its end; nothing where the connection is broken, or silent for 30 s.
  std::optional<std::string> receive();
  bool silent() const { return silent_; }

 private:
  explicit LineClient(int socket) : socket_(socket) {}

  int socket_;
  std::string received_;
  bool silent_ = false;
};

}  // namespace toa::kill
