#include "operation/steps/change.hpp"

#include <gtest/gtest.h>

namespace toa::operation {
namespace {

using manifest::Scope;
using manifest::Type;

manifest::Component orders() {
  manifest::Component component;
  component.id = ComponentId("shop.orders");
  const auto schema = json::parse(
      R"({"type":"object","additionalProperties":false,
          "properties":{"id":{"type":"string"},"n":{"type":"integer"},"stage":{"type":"string"}}})");
  component.entity.emplace(manifest::Entity{.properties = schema->at("properties"),
                                            .required = {},
                                            .blank = {},
                                            .associated = false,
                                            .storage = "sqlite",
                                            .moments = {},
                                            .contract = *manifest::Contract::compile(*schema)});
  return component;
}

manifest::Operation operation(Type type, Scope scope) {
  manifest::Operation made;
  made.label = "shop.orders.change";
  made.type = type;
  made.scope = scope;
  return made;
}

Object order(const std::string& id, std::int64_t version = 1) {
  return {.id = EntityId(id),
          .version = Version(version),
          .created = 1,
          .updated = 1,
          .deleted = {},
          .region = 0,
          .properties = R"({"n":1,"stage":"new"})"};
}

std::expected<std::vector<Change>, Exception> changes(Type type, Scope scope,
                                                      const std::vector<Object>& given,
                                                      std::string_view left,
                                                      std::optional<Document> trailers = {}) {
  const auto state = Document::of(*json::parse(left));
  return changes_of(orders(), operation(type, scope), given, {state, trailers}, 99);
}

// spec core 4.3
TEST(Changes, OfAnAssignmentAreItsChangesetOverTheObject) {
  const auto made =
      changes(Type::assignment, Scope::changeset, {order("o1")}, R"({"stage":"sent"})");
  ASSERT_EQ(made->size(), 1u);
  EXPECT_EQ(made->front().after.properties, R"({"n":1,"stage":"sent"})");
  EXPECT_EQ(made->front().after.version, Version(2));
  EXPECT_EQ(made->front().before, order("o1"));
}

TEST(Changes, OfAnAssignmentMayDelete) {
  const auto made = changes(Type::assignment, Scope::changeset, {order("o1")}, R"({"DELETED":7})");
  EXPECT_EQ(made->front().after.deleted, 7);
}

// spec core 4.5
TEST(Changes, OfEntriesAreMatchedByIdAndLeaveOutWhatIsNull) {
  const auto made =
      changes(Type::transition, Scope::entries, {order("o1"), order("o2"), order("o3", 5)},
              R"([{"id":"o3","n":3},null,{"id":"o1","n":1}])",
              Document::of(*json::parse(R"([{"t":3},{},{"t":1}])")));
  ASSERT_EQ(made->size(), 2u);
  EXPECT_EQ(made->at(0).after.id, EntityId("o3"));
  EXPECT_EQ(made->at(0).after.version, Version(6));
  EXPECT_EQ(made->at(0).trailers->text(), R"({"t":3})");
  EXPECT_EQ(made->at(1).trailers->text(), R"({"t":1})");
}

TEST(Changes, OfEntriesAreOnlyOfThoseGivenEachOnce) {
  const std::vector<Object> given{order("o1"), order("o2")};
  for (const auto* left : {R"([{"id":"o1"},{"id":"o1"}])", R"([{"id":"o1"},{"id":"o9"}])",
                           R"([{"id":"o1"},{}])", R"([{"id":"o1"}])", "{}"}) {
    const auto made = changes(Type::transition, Scope::entries, given, left);
    ASSERT_FALSE(made) << left;
    EXPECT_EQ(made.error().code, Code::entity_contract);
  }
}

// R46
TEST(Changes, ToldToEventsHaveAnOriginUnlessTheObjectIsNew) {
  const Change made{.before = order("o1", 0), .after = order("o1")};
  EXPECT_TRUE(text_of(made, {}).starts_with(R"({"origin":null,"state":{"id":"o1",)"));
  EXPECT_TRUE(text_of(made, {}).ends_with(R"("trailers":{},"input":null})"));
  const Change changed{.before = order("o1"), .after = order("o1", 2)};
  EXPECT_TRUE(text_of(changed, {}).starts_with(R"({"origin":{"id":"o1",)"));
  EXPECT_EQ(json::parse(text_of_guarded({made, changed}))->as_array().size(), 2u);
}

}  // namespace
}  // namespace toa::operation
