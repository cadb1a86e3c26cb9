#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace toa {

/// Lower-case hexadecimal.
std::string to_hex(std::span<const std::uint8_t> bytes);

/// Fills `out` exactly; false where `text` is no hexadecimal of that length. Either case is read.
bool from_hex(std::string_view text, std::span<std::uint8_t> out);

}  // namespace toa
