#pragma once

#include <sqlite3.h>
#include <string>

#include "base/result.hpp"

namespace toa::storage::sqlite {

/// What went wrong with a file, for a person: which file, what, and what to do. `code` is an
/// extended result code of SQLite, `system` the errno that it saw, or 0.
Error trouble(const std::string& file, int code, int system);

/// The same for a failed call of the system, before SQLite has a part in it.
Error system_trouble(const std::string& path, int system);

}  // namespace toa::storage::sqlite
