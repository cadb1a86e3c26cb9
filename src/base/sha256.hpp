#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace toa {

using Sha256 = std::array<std::uint8_t, 32>;

/// SHA-256 of the parts, each framed by its length (8 bytes, big endian), so that no two lists of
/// parts hash alike.
Sha256 sha256_framed(std::initializer_list<std::string_view> parts);

}  // namespace toa
