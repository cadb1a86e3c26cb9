#include <gtest/gtest.h>

#include "operation/test/test_application.hpp"

namespace toa::operation::testing {
namespace {

Declared over_entry() {
  return {.type = Type::effect, .scope = Scope::entry, .concurrency = Concurrency::unstated};
}

class EnsureTest : public ::testing::Test {
 protected:
  EnsureTest() {
    auto& lines = app_.component(
        "shop.lines",
        R"({"key":{"type":"string"},"amount":{"type":"integer"},"tags":{"type":"array"}})",
        R"({"amount":0})");
    lines.entity->associated = false;
    lines.entity->properties.as_object().erase("id");
    lines.announced = true;
    app_.inherit("shop.lines.ensure", over_entry(), Inherited::ensure);
    app_.inherit("shop.lines.enumerate", observation(Scope::entries), Inherited::enumerate);
  }

  std::string id_of(const Reply& reply) {
    return std::string(std::get<Output>(reply.outcome).value->value().at("id").as_string());
  }
  std::size_t count() {
    const auto all = app_.reply("shop.lines.enumerate", R"({"query":{"limit":100}})");
    return std::get<Output>(all.outcome).value->value().as_array().size();
  }

  TestApplication app_;
};

// R168
TEST_F(EnsureTest, MakesTheObjectOfTheBlankAndWhatIsGiven) {
  const auto made = app_.reply("shop.lines.ensure", R"({"entity":{"key":"k1"}})");
  const auto& state = std::get<Output>(made.outcome).value->value();
  EXPECT_EQ(state.at("amount"), 0);
  EXPECT_EQ(state.at("VERSION"), 1);
  ASSERT_EQ(app_.storage.records.size(), 1u);
  EXPECT_TRUE(json::parse(app_.storage.records[0].change)->at("origin").is_null());
}

TEST_F(EnsureTest, FindsTheObjectThatHasEveryPropertyGiven) {
  const auto first = app_.reply("shop.lines.ensure", R"({"entity":{"key":"k1","amount":5}})");
  EXPECT_EQ(id_of(app_.reply("shop.lines.ensure", R"({"entity":{"key":"k1"}})")), id_of(first));
  EXPECT_NE(id_of(app_.reply("shop.lines.ensure", R"({"entity":{"key":"k1","amount":6}})")),
            id_of(first));
  EXPECT_EQ(count(), 2u);
}

TEST_F(EnsureTest, ListsAreComparedAsAWhole) {
  const auto first = app_.reply("shop.lines.ensure", R"({"entity":{"tags":["a","b"]}})");
  EXPECT_NE(id_of(app_.reply("shop.lines.ensure", R"({"entity":{"tags":["a"]}})")), id_of(first));
  EXPECT_EQ(id_of(app_.reply("shop.lines.ensure", R"({"entity":{"tags":["a","b"]}})")),
            id_of(first));
}

// R238: with a query, it says which object is meant.
TEST_F(EnsureTest, AQuerySelectsAndTheEntityIsOnlyWhatIsMade) {
  const auto request = R"({"query":{"criteria":"key==k1"},"entity":{"key":"k1","amount":5}})";
  const auto first = app_.reply("shop.lines.ensure", request);
  const auto second = app_.reply(
      "shop.lines.ensure", R"({"query":{"criteria":"key==k1"},"entity":{"key":"k1","amount":6}})");
  EXPECT_EQ(id_of(first), id_of(second));
  EXPECT_EQ(std::get<Output>(second.outcome).value->value().at("amount"), 5);
  const auto named =
      app_.reply("shop.lines.ensure", R"({"query":{"id":"l9"},"entity":{"key":"k9"}})");
  EXPECT_EQ(id_of(named), "l9");
}

TEST_F(EnsureTest, TwoOfOneIdMakeOneObject) {
  app_.storage.delays_up_to(milliseconds(5));
  Callers callers(app_);
  for (int i = 0; i < 10; ++i)
    callers.call("shop.lines.ensure", R"({"query":{"id":"l1"},"entity":{"key":"k1"}})");
  callers.finish();
  for (const auto& reply : callers.replies) EXPECT_EQ(id_of(*reply), "l1");
  EXPECT_EQ(count(), 1u);
  EXPECT_EQ(app_.object("shop.lines", "l1")->version, Version(1));
}

TEST_F(EnsureTest, AnEffectOfTheAuthorsIsGivenTheObject) {
  app_.add("shop.lines.write", over_entry(), [](bridge::Run run, Host&) -> Task<Ran> {
    co_return replies(Document::of(run.state->value().at("VERSION")));
  });
  EXPECT_EQ(shown(app_.reply("shop.lines.write", R"({"entity":{"key":"k1"}})")), "1");
  EXPECT_EQ(shown(app_.reply("shop.lines.write", R"({"entity":{"key":"k1"}})")), "1");
  EXPECT_EQ(count(), 1u);
}

TEST_F(EnsureTest, WhatIsNotTheEntitysToGiveIsRefused) {
  const auto refused = [&](const char* entity) {
    return message(app_.reply("shop.lines.ensure", std::string(R"({"entity":)") + entity + "}"));
  };
  EXPECT_EQ(refused(R"({"colour":1})"), "entity must NOT have additional properties ('colour')");
  EXPECT_EQ(refused(R"({"VERSION":1})"), "entity must NOT have additional properties ('VERSION')");
  EXPECT_EQ(refused(R"({"id":"l1"})"), "entity must NOT have additional properties ('id')");
  EXPECT_EQ(shown(app_.reply("shop.lines.ensure", R"({"entity":{"amount":"x"}})")), "#212");
  EXPECT_EQ(message(app_.reply("shop.lines.enumerate", R"({"entity":{},"query":{"limit":1}})")),
            "'shop.lines.enumerate' accepts no entity: only an effect over `entry` does");
  EXPECT_EQ(count(), 0u);
}

// spec core 8.1
TEST_F(EnsureTest, AGuardRefusesWhatWouldBeMade) {
  app_.guard("shop.lines", [](const Json& state, const Json& origin) {
    EXPECT_TRUE(origin.is_null());
    return state.at("amount") == 0 ? std::nullopt : std::optional<std::string>("empty");
  });
  const auto reply = app_.reply("shop.lines.ensure", R"({"entity":{"amount":5}})");
  EXPECT_EQ(shown(reply), "#213");
  EXPECT_EQ(message(reply), "empty");
  EXPECT_EQ(count(), 0u);
}

// R109
TEST_F(EnsureTest, AChainThatMayOnlyReadMakesNothing) {
  app_.add("shop.lines.look", computation(), [](bridge::Run, Host& host) -> Task<Ran> {
    const auto outcome = co_await host.call(Where::local, "shop.lines.ensure",
                                            Document::of_text(R"({"entity":{"key":"k1"}})"));
    co_return replies(Document::of(Json(shown(outcome).c_str())));
  });
  EXPECT_EQ(shown(app_.reply("shop.lines.look")), "\"#602\"");
  EXPECT_EQ(count(), 0u);
}

}  // namespace
}  // namespace toa::operation::testing
