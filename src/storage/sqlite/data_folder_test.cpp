#include "storage/sqlite/data_folder.hpp"

#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storage/sqlite/temporary_folder.hpp"

namespace toa::storage::sqlite {
namespace {

using std::chrono::milliseconds;

TEST(DataFolder, IsMadeForItsUserAlone) {
  TemporaryFolder temporary;
  const auto folder = DataFolder::take(temporary.path() + "/a/.toa/").value();
  EXPECT_EQ(folder.path(), temporary.path() + "/a/.toa");
  struct stat found{};
  ASSERT_EQ(::stat(folder.path().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0700u);
}

TEST(DataFolder, HasOneOwnerAndTellsTheOtherWhoItIs) {
  TemporaryFolder temporary;
  const auto held = DataFolder::take(temporary.path()).value();
  const auto refused = DataFolder::take(temporary.path());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::conflict);
  EXPECT_NE(refused.error().message.find(temporary.path()), std::string::npos);
  EXPECT_NE(refused.error().message.find("process " + std::to_string(::getpid())),
            std::string::npos);
}

TEST(DataFolder, IsFreeWhenItsOwnerIsGone) {
  TemporaryFolder temporary;
  {
    const auto held = DataFolder::take(temporary.path()).value();
  }
  EXPECT_TRUE(DataFolder::take(temporary.path()));
}

TEST(DataFolder, GivesUpWaitingAtTheDeadline) {
  TemporaryFolder temporary;
  const auto held = DataFolder::take(temporary.path()).value();
  EXPECT_FALSE(DataFolder::take_within(temporary.path(), milliseconds(30)));
}

TEST(DataFolder, IsTakenByWhoWaitsForItsOwnerToEnd) {
  TemporaryFolder temporary;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const auto child = ::fork();
  if (child == 0) {
    const auto held = DataFolder::take(temporary.path());
    if (::write(ready[1], "x", 1) != 1) ::_exit(1);
    ::pause();
  }
  char told = 0;
  ASSERT_EQ(::read(ready[0], &told, 1), 1);
  EXPECT_FALSE(DataFolder::take(temporary.path()));
  ::kill(child, SIGKILL);
  EXPECT_TRUE(DataFolder::take_within(temporary.path(), milliseconds(60'000)));
  ::waitpid(child, nullptr, 0);
}

TEST(DataFolder, IsNotInheritedByProgramsThatItsOwnerStarts) {
  TemporaryFolder temporary;
  pid_t child = 0;
  {
    const auto held = DataFolder::take(temporary.path()).value();
    int started[2];
    ASSERT_EQ(::pipe2(started, O_CLOEXEC), 0);
    child = ::fork();
    if (child == 0) {
      ::execl("/bin/sleep", "sleep", "60", nullptr);
      ::_exit(1);
    }
    ::close(started[1]);
    char none = 0;
    // Ends when the other program has replaced the child's image.
    EXPECT_EQ(::read(started[0], &none, 1), 0);
    ::close(started[0]);
  }
  EXPECT_TRUE(DataFolder::take(temporary.path()));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST(DataFolder, SaysWhyItCannotBeMade) {
  TemporaryFolder temporary;
  std::ofstream(temporary.path() + "/file") << "x";
  const auto beneath_a_file = DataFolder::take(temporary.path() + "/file/data");
  ASSERT_FALSE(beneath_a_file);
  EXPECT_NE(beneath_a_file.error().message.find("Not a directory"), std::string::npos);
  EXPECT_FALSE(DataFolder::take(temporary.path() + "/file"));
}

}  // namespace
}  // namespace toa::storage::sqlite
