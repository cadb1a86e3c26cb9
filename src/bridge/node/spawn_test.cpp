#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <string>
#include <sys/wait.h>
#include <thread>

#include "bridge/node/child.hpp"
#include "bridge/test_support.hpp"

namespace toa::bridge::node {
namespace {

std::string output_of(AsioLoop& loop, const Command& command, Exit& exit) {
  std::string out;
  const auto work = [&]() -> Task<void> {
    auto child = Child::start(loop, command, Joined::no);
    EXPECT_TRUE(child.has_value()) << child.error().message;
    exit = co_await child->exited();
    std::array<char, 4096> buffer{};
    const auto read = child->out().read(buffer);
    out.assign(buffer.data(), read.bytes);
  };
  bridge::testing::drive(loop, work());
  return out;
}

TEST(Child, StartsWithAnEmptyInputAndItsOutputsAlone) {
  AsioLoop loop;
  Exit exit;
  const auto out = output_of(
      loop, {"sh", {"-c", "read x || echo empty; ls /proc/$$/fd | tr '\\n' ' '; exit 3"}}, exit);
  EXPECT_TRUE(out.starts_with("empty\n0 1 2 ")) << out;
  EXPECT_EQ(exit.text(), "exit status 3");
}

TEST(Child, NeitherBlocksNorIgnoresSignalsThatWeDo) {
  AsioLoop loop;
  Exit exit;
  const auto before = ::signal(SIGTERM, SIG_IGN);
  output_of(loop, {"sh", {"-c", "kill -TERM $$; exit 0"}}, exit);
  ::signal(SIGTERM, before);
  EXPECT_EQ(exit.signal, SIGTERM);
}

TEST(Child, SaysWhyAProgramCannotBeStarted) {
  AsioLoop loop;
  const auto child = Child::start(loop, {"no-such-program", {}}, Joined::no);
  ASSERT_FALSE(child.has_value());
  EXPECT_EQ(child.error().kind, ErrorKind::invalid);
  EXPECT_EQ(child.error().message, "'no-such-program': No such file or directory");
}

TEST(Child, DiesWithTheThreadThatStartedIt) {
  pid_t pid = 0;
  const int null = ::open("/dev/null", O_RDWR);
  const int high = ::fcntl(null, F_DUPFD_CLOEXEC, 10);
  std::thread([&] {
    pid = spawn({"sleep", {"1000"}}, {.out = high, .err = high, .socket = -1}).value();
  }).join();
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  ::close(null);
  ::close(high);
}

}  // namespace
}  // namespace toa::bridge::node
