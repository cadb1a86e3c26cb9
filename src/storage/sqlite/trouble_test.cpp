#include "storage/sqlite/trouble.hpp"

#include <cerrno>
#include <gtest/gtest.h>

namespace toa::storage::sqlite {
namespace {

struct Case {
  int code;
  int system;
  ErrorKind kind;
  std::string part;
};

TEST(Trouble, NamesTheFileAndWhatToDo) {
  const std::vector<Case> cases = {
      {SQLITE_FULL, 0, ErrorKind::unavailable, "Free some space"},
      {SQLITE_IOERR_WRITE, ENOSPC, ErrorKind::unavailable, "Free some space"},
      {SQLITE_CANTOPEN, EDQUOT, ErrorKind::unavailable, "Free some space"},
      {SQLITE_CANTOPEN, EACCES, ErrorKind::unavailable, "Let the user that runs Toa own"},
      {SQLITE_READONLY_DIRECTORY, 0, ErrorKind::unavailable, "Let the user that runs Toa own"},
      {SQLITE_CANTOPEN, EROFS, ErrorKind::unavailable, "Read-only file system"},
      {SQLITE_CORRUPT_INDEX, 0, ErrorKind::broken, "database disk image is malformed"},
      {SQLITE_NOTADB, 0, ErrorKind::broken, "restore a backup"},
      {SQLITE_BUSY, 0, ErrorKind::unavailable, "locked by another program"},
      {SQLITE_IOERR_SHORT_READ, ENOENT, ErrorKind::unavailable, "disk I/O error (code 522)"},
      {SQLITE_IOERR_READ, EIO, ErrorKind::unavailable, "the disk reported an error"},
  };
  for (const auto& [code, system, kind, part] : cases) {
    const auto error = trouble("/data/toa.db", code, system);
    EXPECT_EQ(error.kind, kind) << error.message;
    EXPECT_NE(error.message.find(part), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("/data/toa.db"), std::string::npos) << error.message;
  }
}

TEST(Trouble, SaysNothingOfAnErrnoThatIsNotItsOwn) {
  const auto error = trouble("/data/toa.db", SQLITE_IOERR_SHORT_READ, ENOSPC);
  EXPECT_EQ(error.message.find("space"), std::string::npos) << error.message;
}

}  // namespace
}  // namespace toa::storage::sqlite
