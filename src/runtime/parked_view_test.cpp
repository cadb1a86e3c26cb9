#include "runtime/parked_view.hpp"

#include <gtest/gtest.h>

namespace toa::runtime {
namespace {

Identity identity(std::uint8_t n) {
  Identity::Bytes bytes{};
  bytes[0] = n;
  return Identity(bytes);
}

ParkedMessage event() {
  return {
      .message = {.number = MessageNumber(7),
                  .id = identity(1),
                  .component = ComponentId("post.boxes"),
                  .name = "post.letters.written",
                  .body = R"({"to":"ann"})",
                  .attempt = 5},
      .at = 1'000,
      .failure = {.reason = "the lid is stuck", .cause = R"({"code":"GLUE"})", .stack = "at put"}};
}

class ParkedView : public ::testing::Test {
 protected:
  ParkedView() {
    manifest::Component boxes;
    boxes.id = ComponentId("post.boxes");
    boxes.receivers["post.letters.written"].operation = "put";
    application_.components.emplace(boxes.id, boxes);
  }
  bool selects(const ParkedSelection& selection) const {
    return is_selected(selection, event(), "post.boxes.put");
  }

  manifest::Application application_;
  ParkedNames names_{application_, Known::wholly};
};

TEST_F(ParkedView, NamesTheOperationOfTheReceiver) {
  auto message = event().message;
  EXPECT_EQ(endpoint_of(message, names_), "post.boxes.put");
  message.name = "post.letters.burnt";
  EXPECT_EQ(endpoint_of(message, names_), "post.boxes");
  message.component = ComponentId("post.gone");
  EXPECT_EQ(endpoint_of(message, names_), "post.gone");
  message.kind = MessageKind::task;
  message.name = "post.gone.work";
  EXPECT_EQ(endpoint_of(message, names_), "post.gone.work");
}

TEST_F(ParkedView, SelectsByOperationEventComponentReasonAndId) {
  EXPECT_TRUE(selects({}));
  EXPECT_TRUE(selects({.endpoint = "post.boxes.put"}));
  EXPECT_TRUE(selects({.endpoint = "post.letters.written"}));
  EXPECT_FALSE(selects({.endpoint = "post.boxes"}));
  EXPECT_TRUE(selects({.component = "post.boxes", .reason = "lid"}));
  EXPECT_FALSE(selects({.component = "post.boxes", .reason = "glue"}));
  EXPECT_TRUE(selects({.ids = {"ff", "0100"}}));
  EXPECT_FALSE(selects({.ids = {"ff"}}));
}

TEST_F(ParkedView, LeavesOutWhatWasParkedAfterTheOperatorLooked) {
  EXPECT_TRUE(selects({.until = 1'000}));
  EXPECT_FALSE(selects({.until = 999}));
}

// R32
TEST_F(ParkedView, TellsExactlySevenThings) {
  EXPECT_EQ(json::print(brief_of(event(), "post.boxes.put")),
            R"({"id":"01000000000000000000000000000000","endpoint":"post.boxes.put",)"
            R"("event":"post.letters.written","attempt":5,"reason":"the lid is stuck",)"
            R"("cause":{"code":"GLUE"},"at":1000})");
}

// What ended its worker twice is not tried again although its code alone would have it so (R24).
TEST_F(ParkedView, TellsThatWhatWasParkedBeforeItsLastAttemptIsBeyondHelp) {
  const auto permanent = [](int attempt, Code code) {
    auto parked = event();
    parked.message.attempt = attempt;
    parked.failure.code = code;
    JsonObject item;
    add_details(item, parked);
    return item.at("exception").at("permanent").as_bool();
  };
  EXPECT_FALSE(permanent(5, Code::system));
  EXPECT_TRUE(permanent(1, Code::system));
  EXPECT_TRUE(permanent(5, Code::entity_guard));
}

TEST_F(ParkedView, KeepsParkedWhatNobodyWouldTake) {
  auto message = event().message;
  EXPECT_FALSE(why_it_stays(message, names_));
  message.component = ComponentId("post.gone");
  EXPECT_TRUE(why_it_stays(message, names_));
  // Its manifest may be the one that cannot be read.
  EXPECT_FALSE(why_it_stays(message, {application_, Known::in_part}));
}

TEST(ParkedRequest, TravelsOverTheControlSocket) {
  const ParkedRequest request{ParkedAction::put_back,
                              {.ids = {"01"}, .endpoint = "a.b.c", .reason = "lid", .until = 9},
                              MessageNumber(12)};
  const auto read = read_parked_request(print(request));
  ASSERT_TRUE(read);
  EXPECT_EQ(print(*read), print(request));
  const auto bare = read_parked_request({{"action", "list"}});
  EXPECT_EQ(bare->after, MessageNumber(0));
}

TEST(ParkedRequest, RefusesWhatItIsNot) {
  for (const char* text : {R"({})", R"({"action":"burn"})", R"({"action":"list","ids":"01"})",
                           R"({"action":"list","ids":[""]})", R"({"action":"list","after":"1"})",
                           R"({"action":"list","endpoint":1})", R"({"action":"list","until":1.5})"})
    EXPECT_FALSE(read_parked_request(json::parse(text).value())) << text;
}

TEST(ParkedPage, TravelsOverTheControlSocket) {
  const auto last = read_parked_page(print(ParkedPage{JsonArray{1}, std::nullopt, 5}));
  EXPECT_EQ(last->items, JsonArray{1});
  EXPECT_FALSE(last->next);
  EXPECT_EQ(last->now, 5);
  EXPECT_EQ(read_parked_page(print(ParkedPage{{}, MessageNumber(3), 5}))->next, MessageNumber(3));
  EXPECT_FALSE(read_parked_page(JsonObject{}));
}

}  // namespace
}  // namespace toa::runtime
