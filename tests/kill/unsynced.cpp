#include "kill/unsynced.hpp"

#include <cstring>
#include <sqlite3.h>

#include "base/assert.hpp"

namespace toa::kill {
namespace {

int ignore_synchronous(void*, int action, const char* pragma, const char*, const char*,
                       const char*) {
  const bool synchronous = action == SQLITE_PRAGMA && std::strcmp(pragma, "synchronous") == 0;
  return synchronous ? SQLITE_IGNORE : SQLITE_OK;
}

int set_up(sqlite3* db, char**, const struct sqlite3_api_routines*) {
  const int code = sqlite3_exec(db, "PRAGMA synchronous = OFF", nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return code;
  return sqlite3_set_authorizer(db, ignore_synchronous, nullptr);
}

}  // namespace

void forget_to_sync() {
  const int code = sqlite3_auto_extension(reinterpret_cast<void (*)()>(set_up));
  require(code == SQLITE_OK, "SQLite takes an extension");
}

}  // namespace toa::kill
