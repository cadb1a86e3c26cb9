#include "async/socket.hpp"

#include <gtest/gtest.h>
#include <string>
#include <sys/socket.h>

namespace toa {
namespace {

struct Pair {
  Pair() : Pair(make()) {}
  explicit Pair(std::array<int, 2> made) : here(made[0]), there(made[1]) {}
  static std::array<int, 2> make() {
    std::array<int, 2> made{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, made.data()), 0);
    return made;
  }

  std::string read() {
    std::array<char, 64> into{};
    const auto read = here.read(into);
    return read.ended ? "ended" : std::string(into.data(), read.bytes);
  }

  Socket here, there;
};

TEST(Socket, TellsNothingNowFromNothingEver) {
  Pair pair;
  EXPECT_EQ(pair.read(), "");
  EXPECT_EQ(pair.there.write("hi"), 2u);
  EXPECT_EQ(pair.read(), "hi");
  pair.there.end_writing();
  EXPECT_EQ(pair.read(), "ended");
  pair.there.close();
  EXPECT_FALSE(pair.there.open());
  EXPECT_EQ(pair.here.write("hi"), std::nullopt);
}

TEST(Socket, TakesWhatThereIsRoomFor) {
  Pair pair;
  const std::string much(8 << 20, 'x');
  const auto taken = pair.here.write(much);
  ASSERT_TRUE(taken);
  EXPECT_LT(*taken, much.size());
  EXPECT_EQ(pair.here.write(much), 0u);
}

TEST(SocketWatch, TellsOnceOfEachChange) {
  Pair pair;
  SocketWatch watch;
  int whose = 0;
  ASSERT_TRUE(watch.add(pair.here, &whose));
  EXPECT_EQ(watch.take().size(), 1u);  // there is room
  EXPECT_EQ(watch.take().size(), 0u);
  for (int i = 0; i < 2; ++i) {
    pair.there.write("hi");
    const auto events = watch.take();
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].whose, &whose);
    EXPECT_FALSE(events[0].ended);
    EXPECT_EQ(watch.take().size(), 0u);
  }
  pair.there.end_writing();
  EXPECT_TRUE(watch.take()[0].ended);
  pair.here.close();
  pair.there.close();
  EXPECT_EQ(watch.take().size(), 0u);
}

}  // namespace
}  // namespace toa
