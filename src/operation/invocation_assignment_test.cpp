#include <gtest/gtest.h>

#include "operation/test/test_application.hpp"

namespace toa::operation::testing {
namespace {

Task<Ran> names(bridge::Run run, Host&) {
  EXPECT_EQ(run.state->text(), "{}") << "an assignment reads nothing";
  co_return assigns({{"name", run.input->value().at("name")}});
}

class AssignmentTest : public ::testing::Test {
 protected:
  AssignmentTest() {
    add_wallets(app_);
    auto& cards =
        app_.component("shop.cards", R"({"name":{"type":"string"},"balance":{"type":"integer"}})");
    cards.entity->associated = false;
    cards.announced = true;
    app_.inherit("shop.cards.transit", {.input = R"({"type":"object"})"}, Inherited::transit);
    app_.inherit("shop.cards.assign", assignment(), Inherited::assign);
    app_.inherit("shop.cards.terminate", assignment(), Inherited::terminate);
    app_.add("shop.cards.rename", assignment(), names);
    const auto made = app_.reply("shop.cards.transit", R"({"input":{"name":"a","balance":1}})");
    id_ = std::string(std::get<Output>(made.outcome).value->value().at("id").as_string());
    app_.storage.records.clear();
  }

  std::string on(const std::string& input, const std::string& query = "") const {
    return R"({"query":{"id":")" + id_ + "\"" + query + R"(},"input":)" + input + "}";
  }
  std::string kept() { return app_.object("shop.cards", id_)->properties; }

  TestApplication app_;
  std::string id_;
};

// spec core 4.3
TEST_F(AssignmentTest, SetsWhatItNamesAndLeavesTheRest) {
  EXPECT_EQ(shown(app_.reply("shop.cards.rename", on(R"({"name":"b"})"))), "undefined");
  EXPECT_EQ(kept(), R"({"name":"b","balance":1})");
  EXPECT_EQ(app_.object("shop.cards", id_)->version, Version(2));
}

// R47: the record has both images, and no trailers.
TEST_F(AssignmentTest, ItsChangeHasWhatWasAndWhatIs) {
  app_.reply("shop.cards.rename", on(R"({"name":"b"})"));
  ASSERT_EQ(app_.storage.records.size(), 1u);
  const auto change = *json::parse(app_.storage.records[0].change);
  EXPECT_EQ(change.at("origin").at("name"), "a");
  EXPECT_EQ(change.at("state").at("name"), "b");
  EXPECT_EQ(change.at("state").at("balance"), 1);
  EXPECT_EQ(change.at("trailers"), JsonObject{});
}

// R167: it never conflicts, and its code runs once.
TEST_F(AssignmentTest, OneThatLostItsRaceIsAppliedToTheNewerStateWithoutRunningAgain) {
  app_.add("shop.cards.slow", assignment(), [this](bridge::Run, Host& host) -> Task<Ran> {
    host.leave();
    co_await pause(app_.loop, milliseconds(10));
    co_return assigns({{"name", "slow"}});
  });
  Callers callers(app_);
  callers.call("shop.cards.slow", on("{}"));
  callers.call("shop.cards.assign", on(R"({"balance":7})"));
  callers.finish();
  EXPECT_EQ(shown(*callers.replies[0]), "undefined");
  EXPECT_EQ(kept(), R"({"name":"slow","balance":7})");
  EXPECT_EQ(app_.runs["shop.cards.slow"], 1);
}

TEST_F(AssignmentTest, WhatItsOwnCallsWriteDoesNotMakeItFail) {
  app_.add("shop.cards.around", assignment(), [this](bridge::Run, Host& host) -> Task<Ran> {
    co_await host.call(Where::local, "shop.cards.assign",
                       Document::of_text(on(R"({"balance":7})")));
    co_return assigns({{"name", "after"}});
  });
  EXPECT_EQ(shown(app_.reply("shop.cards.around", on("{}"))), "undefined");
  EXPECT_EQ(kept(), R"({"name":"after","balance":7})");
  EXPECT_EQ(app_.runs["shop.cards.around"], 1);
}

// D5
TEST_F(AssignmentTest, ManyOfOneObjectTakeTurns) {
  app_.storage.delays_up_to(milliseconds(3));
  Callers callers(app_);
  for (int i = 0; i < 20; ++i) callers.call("shop.cards.assign", on(R"({"balance":7})"));
  const auto before = app_.storage.commits;
  callers.finish();
  EXPECT_EQ(app_.object("shop.cards", id_)->version, Version(21));
  EXPECT_EQ(app_.storage.commits - before, 20);
}

// spec core 3.2
TEST_F(AssignmentTest, WhatSelectsNothingIsNotFoundAndDoesNotRun) {
  EXPECT_EQ(
      shown(app_.reply("shop.cards.rename", R"({"query":{"id":"none"},"input":{"name":"b"}})")),
      "#302");
  EXPECT_EQ(app_.runs["shop.cards.rename"], 0);
  EXPECT_EQ(shown(app_.reply("shop.cards.rename", R"({"input":{"name":"b"}})")), "#202");
}

// R225: the first write of an associated object is a transition's.
TEST_F(AssignmentTest, AnAssociatedObjectIsNotThereBeforeATransitionMadeIt) {
  app_.inherit("shop.wallets.assign", assignment(), Inherited::assign);
  const auto request = R"({"query":{"id":"w1"},"input":{"balance":5}})";
  EXPECT_EQ(shown(app_.reply("shop.wallets.assign", request)), "#302");
  app_.reply("shop.wallets.transit", request);
  EXPECT_NE(shown(app_.reply("shop.wallets.assign", request)), "#302");
}

TEST_F(AssignmentTest, CriteriaSelectTheFirstMatchAndVersionsAreCompared) {
  const auto assigned =
      app_.reply("shop.cards.assign", R"({"query":{"criteria":"name==a"},"input":{"balance":3}})");
  EXPECT_EQ(std::get<Output>(assigned.outcome).value->value().at("VERSION"), 2);
  EXPECT_EQ(shown(app_.reply("shop.cards.assign", on(R"({"balance":4})", ",\"version\":1"))),
            "#303");
}

// spec core 7
TEST_F(AssignmentTest, AssignRepliesWithTheObject) {
  const auto reply = app_.reply("shop.cards.assign", on(R"({"name":"c","balance":null})"));
  EXPECT_EQ(shown(reply), "#212") << "null is a value, and no integer";
  const auto fine = app_.reply("shop.cards.assign", on(R"({"name":"c"})"));
  EXPECT_EQ(std::get<Output>(fine.outcome).value->value().at("name"), "c");
  EXPECT_EQ(std::get<Output>(fine.outcome).value->value().at("balance"), 1);
}

// spec core 3.5
TEST_F(AssignmentTest, TerminateMarksTheObjectDeleted) {
  const auto reply = app_.reply("shop.cards.terminate", on("{}"));
  EXPECT_EQ(std::get<Output>(reply.outcome).value->value().at("DELETED"), app_.clock.now());
  EXPECT_EQ(shown(app_.reply("shop.cards.terminate", on("{}"))), "#302");
  EXPECT_EQ(shown(app_.reply("shop.cards.rename", on(R"({"name":"b"})", ",\"deleted\":true"))),
            "undefined");
}

// R72, R86
TEST_F(AssignmentTest, OneMadeOnceIsRememberedWithItsReply) {
  auto declared = assignment();
  declared.once_window_s = 3'600;
  app_.inherit("shop.cards.settle", declared, Inherited::assign);
  auto request = on(R"({"balance":7})");
  request.insert(1, R"("id":"00000000000000000000000000000001",)");
  const auto first = app_.reply("shop.cards.settle", request);
  const auto second = app_.reply("shop.cards.settle", request);
  EXPECT_EQ(shown(first), shown(second));
  EXPECT_EQ(second.replay, Replay::yes);
  EXPECT_EQ(app_.object("shop.cards", id_)->version, Version(2));
}

// spec core 5.1
TEST_F(AssignmentTest, OneDiscardedOrRefusedStoresNothing) {
  app_.add("shop.cards.drop", assignment(), [](bridge::Run, Host&) -> Task<Ran> {
    Returned returned;
    returned.discard = true;
    co_return returned;
  });
  auto declared = assignment();
  declared.errors = {"NO"};
  app_.add("shop.cards.refuse", declared,
           [](bridge::Run, Host&) -> Task<Ran> { co_return Refusal{"NO", {}}; });
  EXPECT_EQ(shown(app_.reply("shop.cards.drop", on("{}"))), "undefined");
  EXPECT_EQ(shown(app_.reply("shop.cards.refuse", on("{}"))), "!NO");
  EXPECT_EQ(app_.object("shop.cards", id_)->version, Version(1));
}

}  // namespace
}  // namespace toa::operation::testing
