#include "bridge/node/frame.hpp"

#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "bridge/node/incoming.hpp"
#include "bridge/node/outbox.hpp"
#include "bridge/test_support.hpp"

namespace toa::bridge::node {
namespace {

std::string bytes_of(const Outbox::Frame& frame) {
  return std::string(frame.prefix.data(), frame.prefix.size()) + frame.head + frame.body;
}

void feed(FrameReader& reader, std::string_view bytes) {
  const auto room = reader.room();
  ASSERT_LE(bytes.size(), room.size());
  std::ranges::copy(bytes, room.begin());
  reader.filled(bytes.size());
}

std::string written(std::string_view head, std::string_view body) {
  const auto prefix = frame_prefix(head.size(), body.size());
  return std::string(prefix.data(), prefix.size()) + std::string(head) + std::string(body);
}

TEST(Outbox, GathersMessagesIntoOneFrame) {
  Outbox outbox;
  outbox.run(RunNumber(7), {.operation = OperationNumber(4),
                            .input = Document::of_text("{}"),
                            .state = {},
                            .readonly = Readonly::yes});
  outbox.answer(RunNumber(7), CallNumber(0), answer_of(Output{Document::of_text("12")}));
  outbox.ping(1);
  const auto frame = outbox.take();
  EXPECT_EQ(frame.head, R"([["run",7,4,2,-1,1],["answer",7,0,"output",2],["ping",1]])");
  EXPECT_EQ(frame.body, "{}12");
  EXPECT_TRUE(outbox.empty());
  EXPECT_EQ(outbox.bytes(), 0u);
}

TEST(Outbox, StartsAnotherFrameRatherThanPassTheLimit) {
  Outbox outbox;
  const auto large = Document::of_text(std::string(30u << 20, ' ') + "1");
  for (int i = 0; i < 3; ++i) outbox.answer(RunNumber(1), CallNumber(0), {"output", large});
  EXPECT_LE(bytes_of(outbox.take()).size(), limits::bridge_frame_bytes_max + frame_prefix_bytes);
  EXPECT_FALSE(outbox.empty());
}

TEST(FrameReader, FindsFramesWhateverPiecesTheyComeIn) {
  const auto stream = written("[1]", "abc") + written("[]", "");
  FrameReader reader;
  std::vector<std::string> found;
  for (const char byte : stream) {
    feed(reader, std::string_view(&byte, 1));
    for (auto frame = reader.next(); *frame; frame = reader.next()) {
      found.push_back(std::string((*frame)->head) + "|" + std::string((*frame)->body));
    }
  }
  EXPECT_EQ(found, (std::vector<std::string>{"[1]|abc", "[]|"}));
}

TEST(FrameReader, RefusesAFrameOverTheLimitBeforeItHasArrived) {
  FrameReader reader;
  const auto prefix = frame_prefix(10, limits::bridge_frame_bytes_max);
  feed(reader, {prefix.data(), prefix.size()});
  EXPECT_FALSE(reader.next().has_value());
}

TEST(Incoming, ReadsMessagesWithTheirDocuments) {
  const auto messages = read_messages(
      {.head =
           R"([["done",3,"output",1,2,-1,-1],["call",4,0,"local","a.b.c",3],["log",null,"warn","x",-1]])",
       .body = "{}[1]"});
  ASSERT_TRUE(messages.has_value()) << messages.error().message;
  const auto& done = std::get<DoneMessage>(messages->at(0));
  EXPECT_EQ(done.reply, "{}");
  EXPECT_TRUE(done.discard);
  EXPECT_FALSE(done.state.has_value());
  EXPECT_EQ(std::get<CallMessage>(messages->at(1)).request, "[1]");
  EXPECT_FALSE(std::get<LogMessage>(messages->at(2)).component.has_value());
}

TEST(Incoming, RefusesWhatTheProtocolDoesNotAllow) {
  for (const std::string_view head :
       {"", "{}", "[1]", "[[]]", R"([["what"]])", R"([["leave"]])", R"([["leave",-1]])",
        R"([["leave",1,2]])", R"([["leave",1.5]])", R"([["done",1,"maybe",0,-1,-1,-1]])",
        R"([["done",1,"output",0,99,-1,-1]])", R"([["done",1,"output",0,-2,-1,-1]])",
        R"([["done",1,"output",4,1,-1,-1]])", R"([["call",1,0,"far","a.b.c",1]])",
        R"([["call",1,0,"local","a.b.c",-1]])", R"([["pong",1]])"}) {
    EXPECT_FALSE(read_messages({.head = head, .body = "x"}).has_value()) << head;
  }
}

}  // namespace
}  // namespace toa::bridge::node
