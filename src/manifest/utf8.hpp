#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toa::manifest {

/// The characters of a text, one each; nothing where it is not valid UTF-8 (surrogates and overlong
/// forms are not).
std::optional<std::wstring> characters(std::string_view text);

/// How many characters `text`, which must be valid UTF-8, has.
std::size_t character_count(std::string_view text);

}  // namespace toa::manifest
