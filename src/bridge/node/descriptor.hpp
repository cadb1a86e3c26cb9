#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <coroutine>
#include <span>
#include <unistd.h>
#include <utility>

namespace toa::bridge::node {

/// Owns a file descriptor.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() {
    if (fd_ >= 0) ::close(fd_);
  }

  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

enum class Readiness { read, write };
enum class ReadEnd { nothing_yet, bytes, ended };

/// A non-blocking descriptor on a loop: it says when it is ready, and reads without waiting.
class Descriptor {
 public:
  Descriptor(boost::asio::io_context& context, Fd fd) : stream_(context, fd.release()) {}

  /// Awaited, waits until the descriptor is ready; false where it was closed meanwhile.
  auto ready(Readiness what) {
    using boost::asio::posix::stream_descriptor;
    struct Awaiter {
      stream_descriptor& stream;
      stream_descriptor::wait_type what;
      bool ok = false;
      bool await_ready() const { return !stream.is_open(); }
      void await_suspend(std::coroutine_handle<> waiting) {
        stream.async_wait(what, [this, waiting](const boost::system::error_code& ec) {
          ok = !ec;
          waiting.resume();
        });
      }
      bool await_resume() const { return ok && stream.is_open(); }
    };
    return Awaiter{stream_, what == Readiness::read ? stream_descriptor::wait_read
                                                    : stream_descriptor::wait_write};
  }

  struct Read {
    ReadEnd end;
    std::size_t bytes = 0;
  };
  Read read(std::span<char> into);

  int native() { return stream_.native_handle(); }
  bool open() const { return stream_.is_open(); }
  void close() {
    boost::system::error_code ignored;
    stream_.close(ignored);
  }

 private:
  boost::asio::posix::stream_descriptor stream_;
};

}  // namespace toa::bridge::node
