#include "bridge/node/frame.hpp"

#include <cstring>

#include "base/limits.hpp"

namespace toa::bridge::node {
namespace {

constexpr std::size_t room_bytes = 64u << 10;
// A buffer that grew for a large frame is given back once it is empty.
constexpr std::size_t kept_bytes_max = 1u << 20;

void put(char* out, std::size_t length) {
  for (std::size_t i = 0; i < 4; ++i) out[i] = static_cast<char>((length >> (8 * i)) & 0xff);
}

std::size_t get(const char* in) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    length |= std::size_t{static_cast<unsigned char>(in[i])} << (8 * i);
  }
  return length;
}

}  // namespace

std::array<char, frame_prefix_bytes> frame_prefix(std::size_t head_bytes, std::size_t body_bytes) {
  std::array<char, frame_prefix_bytes> prefix{};
  put(prefix.data(), head_bytes);
  put(prefix.data() + 4, body_bytes);
  return prefix;
}

std::span<char> FrameReader::room() {
  if (begin_ == end_) {
    begin_ = end_ = 0;
    if (data_.size() > kept_bytes_max) data_ = {};
  }
  if (data_.size() - end_ < room_bytes && begin_ > 0) {
    std::memmove(data_.data(), data_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (data_.size() - end_ < room_bytes) data_.resize(std::max(end_ + room_bytes, 2 * data_.size()));
  return std::span(data_).subspan(end_);
}

Result<std::optional<FrameView>> FrameReader::next() {
  const auto bytes = unread();
  if (bytes.size() < frame_prefix_bytes) return std::nullopt;
  const auto head = get(bytes.data());
  const auto body = get(bytes.data() + 4);
  if (head + body > limits::bridge_frame_bytes_max) {
    return fail(ErrorKind::invalid, "a frame of " + std::to_string(head + body) +
                                        " bytes is over the limit of " +
                                        std::to_string(limits::bridge_frame_bytes_max));
  }
  if (bytes.size() < frame_prefix_bytes + head + body) return std::nullopt;
  begin_ += frame_prefix_bytes + head + body;
  return FrameView{bytes.substr(frame_prefix_bytes, head),
                   bytes.substr(frame_prefix_bytes + head, body)};
}

}  // namespace toa::bridge::node
