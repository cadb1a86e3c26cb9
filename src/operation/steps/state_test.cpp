#include "operation/steps/state.hpp"

#include <gtest/gtest.h>

namespace toa::operation {
namespace {

using manifest::Contract;

manifest::Component wallets(std::string_view id_schema = R"({"type":"string"})") {
  manifest::Component component;
  component.id = ComponentId("shop.wallets");
  const auto schema =
      R"({"type":"object","additionalProperties":false,"required":["balance"],"properties":{"id":)" +
      std::string(id_schema) +
      R"(,"balance":{"type":"number"},"at":{"type":"string","format":"date-time"}}})";
  component.entity.emplace(manifest::Entity{
      .properties = json::parse(schema)->at("properties"),
      .required = {"balance"},
      .blank = JsonObject{{"balance", 0}},
      .associated = false,
      .storage = "sqlite",
      .moments = {{"at", manifest::Moment::Form::iso}},
      .contract = *Contract::compile(*json::parse(schema)),
  });
  return component;
}

Object written() {
  return {.id = EntityId("w1"),
          .version = Version(3),
          .created = 10,
          .updated = 20,
          .deleted = {},
          .region = 0,
          .properties = R"({"balance":5})"};
}

std::expected<Object, Exception> next(const manifest::Component& component, const Object& before,
                                      std::string_view left) {
  return next_object(component, before, *json::parse(left), 99);
}

std::string refusal(const manifest::Component& component, const Object& before,
                    std::string_view left) {
  const auto made = next(component, before, left);
  if (made) return "";
  EXPECT_EQ(made.error().code, Code::entity_contract);
  return made.error().message;
}

bool says(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(StateOf, ShowsTheSystemPropertiesOfAWrittenObject) {
  EXPECT_EQ(
      state_of(written()).text(),
      R"({"id":"w1","balance":5,"VERSION":3,"CREATED":10,"UPDATED":20,"DELETED":null,"REGION":0})");
}

// spec core 3.3
TEST(StateOf, OfWhatWasNeverWrittenIsTheBlankAtVersionZero) {
  const auto component = wallets();
  const auto state = state_of(unwritten(*component.entity, EntityId("w\"1"))).value().as_object();
  EXPECT_EQ(state.at("id").as_string(), "w\"1");
  EXPECT_EQ(state.at("balance").as_int64(), 0);
  EXPECT_EQ(state.at("VERSION").as_int64(), 0);
}

TEST(StateOf, HoldsForAnObjectWithoutProperties) {
  auto object = written();
  object.properties = "{}";
  EXPECT_EQ(state_of(object).value().at("id").as_string(), "w1");
}

TEST(Project, KeepsTheIdAndWhatIsNamed) {
  EXPECT_EQ(project(state_of(written()), {"balance", "nothing"}).text(),
            R"({"id":"w1","balance":5})");
}

TEST(Project, FollowsPathsIntoObjectsAndListItems) {
  const auto state = Document::of(*json::parse(
      R"({"id":"w1","soil":{"ph":6,"kind":"clay"},"copies":[{"shelf":1,"by":{"a":1,"b":2}},{"shelf":2}],
          "tags":["x"]})"));
  const auto projected = [&](const std::vector<std::string>& paths) {
    return project(state, paths).text();
  };
  EXPECT_EQ(projected({"soil.ph"}), R"({"id":"w1","soil":{"ph":6}})");
  EXPECT_EQ(projected({"copies.shelf"}), R"({"id":"w1","copies":[{"shelf":1},{"shelf":2}]})");
  EXPECT_EQ(projected({"copies.by.a"}), R"({"id":"w1","copies":[{"by":{"a":1}},{}]})");
  EXPECT_EQ(projected({"soil.ph", "soil"}), R"({"id":"w1","soil":{"ph":6,"kind":"clay"}})");
  EXPECT_EQ(projected({"soil", "soil.ph", "tags"}),
            R"({"id":"w1","soil":{"ph":6,"kind":"clay"},"tags":["x"]})");
}

TEST(NextObject, IsTheNextVersionOfTheOneBefore) {
  const auto made = next(wallets(), written(), R"({"id":"w1","balance":6.5})");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->version, Version(4));
  EXPECT_EQ(made->created, 10);
  EXPECT_EQ(made->updated, 99);
  EXPECT_EQ(made->properties, R"({"balance":6.5})");
}

TEST(NextObject, OfABlankIsCreatedNow) {
  const auto component = wallets();
  const auto made =
      next(component, unwritten(*component.entity, EntityId("w1")), R"({"id":"w1","balance":1})");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->version, Version(1));
  EXPECT_EQ(made->created, 99);
  EXPECT_EQ(made->updated, 99);
}

TEST(NextObject, IgnoresWhatIsTheRuntimes) {
  const auto made =
      next(wallets(), written(),
           R"({"id":"w1","balance":5,"VERSION":70,"CREATED":1,"UPDATED":1,"REGION":4})");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->version, Version(4));
  EXPECT_EQ(made->created, 10);
  EXPECT_EQ(made->region, 0);
}

TEST(NextObject, IsDeletedAndRestoredByItsDeleted) {
  const auto gone = next(wallets(), written(), R"({"id":"w1","balance":5,"DELETED":77})");
  ASSERT_TRUE(gone);
  EXPECT_EQ(gone->deleted, 77);
  EXPECT_EQ(next(wallets(), *gone, R"({"id":"w1","balance":5})")->deleted, 77);
  EXPECT_FALSE(next(wallets(), *gone, R"({"id":"w1","balance":5,"DELETED":null})")->deleted);
  for (const auto* wrong : {"\"now\"", "-1", "true", "1.5"}) {
    const auto left = R"({"id":"w1","balance":5,"DELETED":)" + std::string(wrong) + "}";
    EXPECT_TRUE(says(refusal(wallets(), written(), left), "DELETED must be")) << wrong;
  }
}

TEST(NextObject, IsHeldAgainstTheEntity) {
  EXPECT_TRUE(says(refusal(wallets(), written(), R"({"id":"w1"})"), "'balance'"));
  EXPECT_TRUE(says(refusal(wallets(), written(), R"({"id":"w1","balance":"x"})"),
                   "balance must be number"));
  EXPECT_TRUE(says(refusal(wallets(), written(), R"({"id":"w1","balance":1,"more":1})"), "more"));
  EXPECT_TRUE(says(refusal(wallets(), written(), "[]"), "must be object"));
  EXPECT_TRUE(refusal(wallets(), written(), "null").starts_with("shop.wallets: "));
}

TEST(NextObject, KeepsItsId) {
  EXPECT_TRUE(
      says(refusal(wallets(), written(), R"({"id":"w2","balance":1})"), "id cannot be changed"));
  EXPECT_TRUE(says(refusal(wallets(), written(), R"({"balance":1})"), "id must be string"));
}

// Whatever the declared schema of `id` allows, no id but a text can be stored.
TEST(NextObject, RefusesAnIdThatIsNoText) {
  for (const auto* schema : {"{}", R"({"type":["integer","null"]})"}) {
    const auto component = wallets(schema);
    for (const auto* left : {R"({"id":7,"balance":1})", R"({"balance":1})"}) {
      EXPECT_TRUE(says(refusal(component, written(), left), "id must be string"));
    }
  }
  EXPECT_TRUE(says(refusal(wallets(), written(), R"({"id":"","balance":1})"), "id must be string"));
}

// spec core 2.3
TEST(NextObject, TakesAnIdOfItsOwnWhenItIsCreated) {
  auto component = wallets();
  const auto blank = unwritten(*component.entity, EntityId("generated"));
  const auto made = next(component, blank, R"({"id":"AB1","balance":1})");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->id, EntityId("AB1"));
  component.entity->associated = true;
  EXPECT_TRUE(
      says(refusal(component, blank, R"({"id":"AB1","balance":1})"), "id cannot be changed"));
  component.entity->associated = false;
  component.entity->properties = JsonObject{{"balance", JsonObject{}}};
  EXPECT_TRUE(
      says(refusal(component, blank, R"({"id":"AB1","balance":1})"), "id cannot be changed"));
}

TEST(NextObject, WritesMomentsInOneForm) {
  const auto made =
      next(wallets(), written(), R"({"id":"w1","balance":1,"at":"2026-02-03T04:05:06.789+01:00"})");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->properties, R"({"balance":1,"at":"2026-02-03T03:05:06.789Z"})");
}

}  // namespace
}  // namespace toa::operation
