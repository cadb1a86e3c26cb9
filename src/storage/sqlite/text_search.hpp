#pragma once

#include <string>
#include <string_view>

namespace toa::storage::sqlite {

/// What a person searches for, in the language of SQLite's full-text index: objects with any of the
/// words; with all phrases in quotation marks, where there are such; without any word after a `-`.
/// Empty where nothing can be found by it.
std::string search_words(std::string_view search);

}  // namespace toa::storage::sqlite
