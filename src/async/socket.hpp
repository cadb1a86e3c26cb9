#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace toa {

/// A connected socket, which it owns and which nothing here waits for.
class Socket {
 public:
  explicit Socket(int native) : native_(native) {}
  ~Socket() { close(); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  bool open() const { return native_ >= 0; }
  int native() const { return native_; }
  void close();

  /// Bytes that came. None where there are none now; `ended` where there never will be any.
  struct Read {
    std::size_t bytes = 0;
    bool ended = false;
  };
  Read read(std::span<char> into);
  /// How many of these were taken, none where there is no room; nothing where the socket failed.
  std::optional<std::size_t> write(std::string_view bytes);
  /// Of TCP: what is small goes out at once.
  void hold_nothing_back();
  /// The other side learns that nothing more will come.
  void end_writing();

 private:
  int native_;  // -1 once it is closed
};

/// Knows of what happens on many sockets.
class SocketWatch {
 public:
  struct Event {
    void* whose;
    bool ended;  // the other side will send nothing more, or the socket failed
  };

  SocketWatch();
  ~SocketWatch();
  SocketWatch(const SocketWatch&) = delete;
  SocketWatch& operator=(const SocketWatch&) = delete;

  /// A descriptor that can be read from while there are events.
  int native() const { return native_; }
  /// Until it is closed: an event each time that bytes come, that there is room again after there
  /// was none, or that it ends. False where the system refuses.
  bool add(const Socket& socket, void* whose);
  /// Some of the events that there are, each given once.
  std::span<Event> take();

 private:
  int native_;
  std::array<Event, 256> events_;
};

}  // namespace toa
