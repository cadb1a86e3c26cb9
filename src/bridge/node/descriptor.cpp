#include "bridge/node/descriptor.hpp"

#include <cerrno>

namespace toa::bridge::node {

Descriptor::Read Descriptor::read(std::span<char> into) {
  if (!open()) return {ReadEnd::ended};
  for (;;) {
    const auto bytes = ::read(native(), into.data(), into.size());
    if (bytes > 0) return {ReadEnd::bytes, static_cast<std::size_t>(bytes)};
    if (bytes < 0 && errno == EINTR) continue;
    const bool waits = bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    return {waits ? ReadEnd::nothing_yet : ReadEnd::ended};
  }
}

}  // namespace toa::bridge::node
