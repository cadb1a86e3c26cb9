#include <gtest/gtest.h>

#include "operation/test/test_application.hpp"

namespace toa::operation::testing {
namespace {

/// Orders that are not associated, each with a stage and a number.
class EntriesTest : public ::testing::Test {
 protected:
  EntriesTest() {
    auto& orders = app_.component(
        "shop.orders",
        R"({"id":{"type":"string"},"stage":{"type":"string"},"number":{"type":"integer"}})");
    orders.entity->associated = false;
    orders.announced = true;
    app_.inherit("shop.orders.transit", {.input = R"({"type":"object"})"}, Inherited::transit);
    app_.inherit("shop.orders.observe", observation(), Inherited::observe);
    app_.inherit("shop.orders.enumerate", observation(Scope::entries), Inherited::enumerate);
    app_.add("shop.orders.advance", {.scope = Scope::entries}, advance);
    for (int number = 1; number <= 3; ++number) make(number);
    app_.storage.records.clear();
  }

  void make(int number) {
    app_.reply("shop.orders.transit", R"({"input":{"id":"o)" + std::to_string(number) +
                                          R"(","stage":"new","number":)" + std::to_string(number) +
                                          "}}");
  }

  static Task<Ran> advance(bridge::Run run, Host&) {
    auto states = run.state->value().as_array();
    for (auto& state : states) state.as_object()["stage"] = "sent";
    co_return leaves_all(std::move(states));
  }

  std::string stage(const std::string& id) {
    const auto object = app_.object("shop.orders", id);
    return std::string(json::parse(object->properties)->at("stage").as_string());
  }

  std::string ids(const Reply& reply) {
    std::string out;
    for (const auto& item : std::get<Output>(reply.outcome).value->value().as_array())
      out += std::string(item.at("id").as_string()) + " ";
    return out;
  }

  TestApplication app_;
};

// spec core 3.4, 4.5
TEST_F(EntriesTest, ATransitionStoresWhatItWasGivenAndRepliesWithTheNewStates) {
  const auto reply =
      app_.reply("shop.orders.advance", R"({"query":{"criteria":"number>1","limit":10}})");
  const auto& states = std::get<Output>(reply.outcome).value->value().as_array();
  ASSERT_EQ(states.size(), 2u);
  EXPECT_EQ(states[0].at("VERSION").as_int64(), 2);
  EXPECT_EQ(stage("o1") + stage("o2") + stage("o3"), "newsentsent");
  EXPECT_EQ(app_.storage.commits, 4) << "one unit for all";
}

// spec core 8.2
TEST_F(EntriesTest, EachStoredObjectIsAChangeOfItsOwn) {
  app_.reply("shop.orders.advance", R"({"query":{"ids":["o1","o3"]}})");
  ASSERT_EQ(app_.storage.records.size(), 2u);
  EXPECT_EQ(app_.outgoing.records.size(), 5u);
  const auto change = *json::parse(app_.storage.records[0].change);
  EXPECT_EQ(change.at("origin").at("stage"), "new");
  EXPECT_EQ(change.at("state").at("stage"), "sent");
  EXPECT_NE(app_.storage.records[0].id, app_.storage.records[1].id);
}

// spec core 5.1
TEST_F(EntriesTest, AnEntryLeftOutIsNotStoredAndTheOthersAre) {
  app_.add("shop.orders.odd", {.scope = Scope::entries}, [](bridge::Run run, Host&) -> Task<Ran> {
    auto states = run.state->value().as_array();
    for (auto& state : states) state.as_object()["stage"] = "odd";
    Returned returned;
    returned.reply_is_state = true;
    returned.reply = Document::of(states);
    JsonArray trailers{JsonObject{{"n", 0}}, JsonObject{{"n", 1}}, JsonObject{{"n", 2}}};
    states[1] = nullptr;
    returned.state = Document::of(std::move(states));
    returned.trailers = Document::of(std::move(trailers));
    co_return returned;
  });
  const auto reply = app_.reply("shop.orders.odd", R"({"query":{"limit":3,"sort":["number"]}})");
  EXPECT_EQ(stage("o1") + stage("o2") + stage("o3"), "oddnewodd");
  ASSERT_EQ(app_.storage.records.size(), 2u);
  EXPECT_EQ(json::parse(app_.storage.records[1].change)->at("trailers").at("n"), 2);
  const auto& states = std::get<Output>(reply.outcome).value->value().as_array();
  EXPECT_EQ(ids(reply), "o1 o2 o3 ");
  EXPECT_EQ(states[0].at("VERSION").as_int64(), 2);
  EXPECT_EQ(states[1].at("VERSION").as_int64(), 1);
}

TEST_F(EntriesTest, WhereAllAreLeftOutNothingIsStored) {
  app_.add("shop.orders.none", {.scope = Scope::entries}, [](bridge::Run, Host&) -> Task<Ran> {
    Returned returned;
    returned.reply = Document::of("kept");
    returned.discard = true;
    co_return returned;
  });
  EXPECT_EQ(shown(app_.reply("shop.orders.none", R"({"query":{"limit":3}})")), "\"kept\"");
  EXPECT_EQ(app_.storage.commits, 3);
}

// spec core 3.4: all or nothing
TEST_F(EntriesTest, OneThatDoesNotFitStoresNone) {
  app_.add("shop.orders.spoil", {.scope = Scope::entries}, [](bridge::Run run, Host&) -> Task<Ran> {
    auto states = run.state->value().as_array();
    for (auto& state : states) state.as_object()["stage"] = "sent";
    states.back().as_object()["stage"] = 5;
    co_return leaves_all(std::move(states));
  });
  EXPECT_EQ(shown(app_.reply("shop.orders.spoil", R"({"query":{"limit":3}})")), "#212");
  EXPECT_EQ(stage("o1") + stage("o2") + stage("o3"), "newnewnew");
}

TEST_F(EntriesTest, WhatItWasNotGivenItCannotLeave) {
  const auto leaves_instead = [&](JsonArray states) {
    app_.add("shop.orders.other", {.scope = Scope::entries},
             [states](bridge::Run, Host&) -> Task<Ran> { co_return leaves_all(states); });
    return app_.reply("shop.orders.other", R"({"query":{"ids":["o1"]}})");
  };
  const auto stranger = leaves_instead({JsonObject{{"id", "o2"}}});
  EXPECT_EQ(shown(stranger), "#212");
  EXPECT_EQ(message(stranger), "'shop.orders.other' left an entry that is none of those given");
  EXPECT_NE(message(leaves_instead({})).find("DISCARD"), std::string::npos);
}

// spec core 3.4
TEST_F(EntriesTest, ALostRaceRunsAllOfItAgainOrFails) {
  const auto meddling = [this](Concurrency concurrency) {
    auto once = std::make_shared<bool>(true);
    app_.add("shop.orders.slow", {.scope = Scope::entries, .concurrency = concurrency},
             [this, once](bridge::Run run, Host& host) -> Task<Ran> {
               if (std::exchange(*once, false)) {
                 // Another writer, that is not beneath this one.
                 auto object =
                     **co_await app_.storage.load(ComponentId("shop.orders"), EntityId("o2"));
                 const auto base = object.version;
                 object.version = Version(base.value + 1);
                 storage::Unit unit;
                 unit.writes.push_back({ComponentId("shop.orders"), base, std::move(object)});
                 co_await app_.storage.commit(std::move(unit));
               }
               co_return co_await advance(std::move(run), host);
             });
    app_.runs.clear();
    return shown(app_.reply("shop.orders.slow", R"({"query":{"limit":3}})"));
  };
  EXPECT_EQ(meddling(Concurrency::none), "#304");
  EXPECT_EQ(stage("o1"), "new");
  EXPECT_NE(meddling(Concurrency::retry), "#304");
  EXPECT_EQ(app_.runs["shop.orders.slow"], 2);
  EXPECT_EQ(app_.object("shop.orders", "o2")->version, Version(4));
  EXPECT_EQ(app_.object("shop.orders", "o1")->version, Version(2));
}

// D5: what wrote beneath the attempt makes it lose for good.
TEST_F(EntriesTest, WhatIsWrittenBeneathFailsAtOnce) {
  app_.add("shop.orders.around", {.scope = Scope::entries},
           [](bridge::Run run, Host& host) -> Task<Ran> {
             co_await host.call(
                 Where::local, "shop.orders.transit",
                 Document::of_text(R"({"query":{"id":"o2"},"input":{"stage":"x"}})"));
             co_return co_await advance(std::move(run), host);
           });
  EXPECT_EQ(shown(app_.reply("shop.orders.around", R"({"query":{"limit":3}})")), "#304");
  EXPECT_EQ(app_.runs["shop.orders.around"], 1);
}

// spec core 3.2
TEST_F(EntriesTest, WhatSelectsNothingIsNotFoundByWritersAndEmptyForReaders) {
  const auto nothing = R"({"query":{"criteria":"number>9","limit":3}})";
  EXPECT_EQ(shown(app_.reply("shop.orders.advance", nothing)), "#302");
  EXPECT_EQ(shown(app_.reply("shop.orders.enumerate", nothing)), "[]");
}

TEST_F(EntriesTest, ObservationsAreInOrderCutAndProjected) {
  EXPECT_EQ(ids(app_.reply("shop.orders.enumerate",
                           R"({"query":{"sort":["number:desc"],"omit":1,"limit":1}})")),
            "o2 ");
  EXPECT_EQ(shown(app_.reply("shop.orders.enumerate",
                             R"({"query":{"ids":["o3"],"projection":["number"]}})")),
            R"([{"id":"o3","number":3}])");
}

// spec core 6.5: the first match, in the order asked for
TEST_F(EntriesTest, OverOneEntryCriteriaSelectTheFirstMatch) {
  const auto first =
      R"({"query":{"criteria":"number>=2","sort":["number"]},"input":{"stage":"x"}})";
  app_.reply("shop.orders.transit", first);
  EXPECT_EQ(stage("o1") + stage("o2") + stage("o3"), "newxnew");
  EXPECT_EQ(shown(app_.reply("shop.orders.observe", R"({"query":{"criteria":"number>9"}})")),
            "null");
}

TEST_F(EntriesTest, AnEffectIsGivenThemAndStoresNothing) {
  app_.add("shop.orders.look", {.type = Type::effect, .scope = Scope::entries},
           [](bridge::Run run, Host&) -> Task<Ran> {
             co_return replies(Document::of(run.state->value().as_array().size()));
           });
  EXPECT_EQ(shown(app_.reply("shop.orders.look", R"({"query":{"limit":2}})")), "2");
  EXPECT_EQ(app_.storage.commits, 3);
}

}  // namespace
}  // namespace toa::operation::testing
