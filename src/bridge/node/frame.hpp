#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace toa::bridge::node {

/// Lengths in front of a frame: of the head, of the body; four bytes each, little endian.
inline constexpr std::size_t frame_prefix_bytes = 8;
std::array<char, frame_prefix_bytes> frame_prefix(std::size_t head_bytes, std::size_t body_bytes);

/// A received frame; valid until the reader is given more bytes.
struct FrameView {
  std::string_view head;
  std::string_view body;
};

/// Cuts a stream of bytes into frames. It holds what has arrived of one frame, never what a prefix
/// merely announces.
class FrameReader {
 public:
  /// Room for the next bytes of the stream; `filled` says how many came.
  std::span<char> room();
  void filled(std::size_t bytes) { end_ += bytes; }

  /// The next whole frame, if it is there. Fails, and for good, where a frame is over the limit.
  Result<std::optional<FrameView>> next();

 private:
  std::string_view unread() const { return {data_.data() + begin_, end_ - begin_}; }

  std::vector<char> data_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace toa::bridge::node
