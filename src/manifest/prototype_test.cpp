#include <fmt/format.h>

#include "manifest/read_fixture.hpp"

namespace toa::manifest {
namespace {

const ComponentId wallets_id("billing.wallets");

class PrototypeTest : public ReadTest {
 protected:
  void base(std::string_view text) { write("prototypes/base/manifest.toa.yaml", text); }
  void own(std::string_view text) { write("components/billing.wallets/manifest.toa.yaml", text); }
  Component read_component() {
    const auto app = application();
    const auto* found = app.find(wallets_id);
    return found == nullptr ? Component() : *found;
  }
};

TEST_F(PrototypeTest, GivesItsPropertiesAndTheComponentsOwnWin) {
  base(
      "entity:\n  properties: { balance: { type: integer }, note: { type: string } }\n"
      "  required: [balance]\n  blank: { balance: 0, note: none }\n  associated: true\n");
  own("prototype: ../../prototypes/base\nentity:\n"
      "  properties: { note: { type: integer }, owner: { type: string } }\n"
      "  required: [owner]\n  blank: { note: 1 }\n");
  const auto component = read_component();
  ASSERT_TRUE(component.entity);
  EXPECT_EQ(
      json::print(component.entity->properties),
      R"({"note":{"type":"integer"},"owner":{"type":"string"},"balance":{"type":"integer"}})");
  EXPECT_EQ(component.entity->required, (std::vector<std::string>{"owner", "balance"}));
  EXPECT_EQ(json::print(component.entity->blank), R"({"note":1,"balance":0})");
  EXPECT_TRUE(component.entity->associated);
  EXPECT_TRUE(component.inherits);
  EXPECT_EQ(component.prototypes, std::vector<std::string>{(root_ / "prototypes/base").string()});
}

TEST_F(PrototypeTest, GivesDeclarationsThatAreMergedKeyByKey) {
  base(
      "entity: { properties: { balance: { type: integer } } }\noperations:\n"
      "  credit: { concurrency: retry, query: true, errors: [CLOSED], input: { type: integer } }\n"
      "  open: { forward: transit, query: false }\n");
  write("prototypes/base/operations/credit.ts", "");
  own("prototype: ../../prototypes/base\noperations:\n"
      "  credit: { concurrency: none, errors: [EMPTY, CLOSED], input: { type: string } }\n"
      "  open: ~\n");
  const auto component = read_component();
  const auto& credit = component.operations.at("credit");
  EXPECT_EQ(credit.concurrency, Concurrency::none);
  EXPECT_EQ(credit.query, QueryRule::must);
  EXPECT_EQ(credit.errors, (std::vector<std::string>{"EMPTY", "CLOSED"}));
  EXPECT_EQ(json::print(credit.input->schema()), R"({"type":"string"})");
  EXPECT_EQ(credit.implementation.file, (root_ / "prototypes/base/operations/credit.ts").string());
  EXPECT_EQ(component.operations.at("open").implementation.inherited, Inherited::transit);
}

TEST_F(PrototypeTest, GivesItsFilesAndThoseOfTheSameNameWin) {
  base("entity: { properties: { balance: { type: integer } } }\n");
  for (const auto* file : {"operations/peek.ts", "operations/look.ts", "events/closed.ts",
                           "guards/rich.ts", "guards/known.ts", "rc/connect.ts"}) {
    write(fmt::format("prototypes/base/{}", file), "");
  }
  write("components/billing.wallets/operations/look.js", "");
  write("components/billing.wallets/guards/rich.js", "");
  code_["look"] = code_["peek"] = {0, "observation", "entry", {}};
  own("prototype: ../../prototypes/base\n");
  const auto component = read_component();
  const auto folder = (root_ / "prototypes/base/").string();
  EXPECT_EQ(component.operations.at("peek").implementation.file, folder + "operations/peek.ts");
  EXPECT_TRUE(component.operations.at("look").implementation.file.ends_with("/look.js"));
  EXPECT_EQ(component.events.at("closed").file, folder + "events/closed.ts");
  EXPECT_EQ(component.events.size(), 5u);
  ASSERT_EQ(component.guards.size(), 2u);
  EXPECT_EQ(component.guards.at("known"), folder + "guards/known.ts");
  EXPECT_TRUE(component.guards.at("rich").ends_with("/rich.js"));
  EXPECT_EQ(component.commands.at("connect"), folder + "rc/connect.ts");
  EXPECT_NE(component.guards_number, component.commands_number);
}

TEST_F(PrototypeTest, InheritsThroughAChainOfWhichTheNearestWins) {
  write("prototypes/root/manifest.toa.yaml",
        "prototype: ~\nentity: { properties: { a: { type: integer }, b: { type: integer } } }\n");
  base("prototype: ../root\nentity: { properties: { b: { type: string } } }\n");
  own("prototype: ../../prototypes/base\n");
  const auto component = read_component();
  EXPECT_EQ(json::print(component.entity->properties),
            R"({"b":{"type":"string"},"a":{"type":"integer"}})");
  EXPECT_EQ(component.prototypes.size(), 2u);
  EXPECT_FALSE(component.inherits) << "the root of the chain says null";
  EXPECT_TRUE(component.operations.empty());
  EXPECT_TRUE(component.events.empty());
}

TEST_F(PrototypeTest, IsNotInheritedWithItsAddressAndItsReceivers) {
  base(
      "name: base\nnamespace: proto\nreceivers: { no.such.event: nothing }\n"
      "state: ~\nstash: ~\n");
  own("prototype: ../../prototypes/base\n");
  const auto component = read_component();
  EXPECT_EQ(component.id, wallets_id);
  EXPECT_TRUE(component.receivers.empty());
  EXPECT_TRUE(component.keeps_state);
  EXPECT_TRUE(component.has_stash);
}

TEST_F(PrototypeTest, ReportsWhatIsWrongInItUnderItsOwnFileOnce) {
  base(
      "entity: { properties: { a: { type: integr } } }\n"
      "operations:\n  open: { forward: transit }\n  credit: { colour: red, query: false }\n");
  write("prototypes/base/operations/credit.ts", "");
  own("prototype: ../../prototypes/base\noperations:\n  open: { once: 5, query: false }\n");
  write("components/billing.purses/manifest.toa.yaml", "prototype: ../../prototypes/base\n");
  EXPECT_EQ(
      problems(),
      "components/billing.wallets/manifest.toa.yaml:3: operations.open.once: must be true, "
      "false, or whole seconds from 600 to 316224000\n"
      "prototypes/base/manifest.toa.yaml:1: entity.properties.a.type: 'integr' is no type\n"
      "prototypes/base/manifest.toa.yaml:3: operations.open: must have required property "
      "'concurrency'\n"
      "prototypes/base/manifest.toa.yaml:4: operations.credit.colour: unknown key 'colour'\n");
}

TEST_F(PrototypeTest, IsRefusedWhereItIsMissingOrInheritsFromItself) {
  own("prototype: ../../prototypes/gone\n");
  write("components/b/manifest.toa.yaml", "prototype: 5\n");
  write("components/c/manifest.toa.yaml", "name: c\nprototype: ../d\n");
  write("components/d/manifest.toa.yaml", "prototype: ../c/\n");
  write("components/e/manifest.toa.yaml", "prototype: .\n");
  const auto found = problems();
  EXPECT_NE(found.find("billing.wallets/manifest.toa.yaml:1: prototype: there is no component in "
                       "'prototypes/gone'"),
            std::string::npos)
      << found;
  EXPECT_NE(found.find("b/manifest.toa.yaml:1: prototype: must be null, or the path"),
            std::string::npos)
      << found;
  EXPECT_NE(found.find("d/manifest.toa.yaml:1: prototype: inherits from itself: components/c -> "
                       "components/d -> components/c"),
            std::string::npos)
      << found;
  EXPECT_NE(found.find("e/manifest.toa.yaml:1: prototype: inherits from itself"), std::string::npos)
      << found;
}

TEST_F(PrototypeTest, OfAFileAndAForwardTheNearerOneWins) {
  base(
      "entity: { properties: { a: { type: integer } } }\n"
      "operations:\n  peek: { forward: observe }\n  look: { description: theirs }\n");
  write("prototypes/base/operations/look.ts", "");
  write("components/billing.wallets/operations/peek.ts", "");
  code_["look"] = code_["peek"] = {0, "observation", "entry", {}};
  own("prototype: ../../prototypes/base\noperations: { look: { forward: enumerate } }\n");
  const auto component = read_component();
  EXPECT_TRUE(component.operations.at("peek").implementation.file.ends_with("/peek.ts"));
  EXPECT_EQ(component.operations.at("peek").forward, "");
  EXPECT_EQ(component.operations.at("look").implementation.inherited, Inherited::enumerate);
  EXPECT_EQ(component.operations.at("look").scope, Scope::entries);
}

TEST_F(ReadTest, HasWhatEveryComponentWithAnEntityInherits) {
  wallets("");
  const auto app = application();
  std::string found;
  for (const auto& [label, operation] : app.find(wallets_id)->operations) {
    found += fmt::format("{} {} {}\n", label, name(operation.type), name(operation.scope));
    EXPECT_FALSE(operation.input) << label;
  }
  EXPECT_EQ(found,
            "ensure effect entry\nenumerate observation entries\nobserve observation entry\n"
            "stream observation stream\nterminate assignment changeset\n");
}

TEST_F(ReadTest, ForwardsThroughAForward) {
  wallets(
      "operations:\n  open: { forward: set, query: false }\n"
      "  set: { forward: transit, concurrency: retry }\n  change: { forward: assign, once: true "
      "}\n");
  const auto app = application();
  const auto& operations = app.find(wallets_id)->operations;
  EXPECT_EQ(operations.at("open").implementation.inherited, Inherited::transit);
  EXPECT_EQ(operations.at("open").forward, "set");
  EXPECT_EQ(operations.at("change").type, Type::assignment);
  EXPECT_EQ(operations.at("change").once_window_s, 3600);
}

TEST_F(ReadTest, ChecksTheBlankAgainstEverySchemaThatIsRight) {
  write("components/a/manifest.toa.yaml",
        "entity:\n  properties: { a: { type: integr }, b: { type: integer } }\n"
        "  blank: { a: 1, b: x }\n");
  EXPECT_EQ(problems(),
            "components/a/manifest.toa.yaml:2: entity.properties.a.type: 'integr' is no type\n"
            "components/a/manifest.toa.yaml:3: entity.blank.b: b must be integer\n");
}

TEST_F(ReadTest, RefusesGuardsThatHaveNothingToRefuse) {
  write("components/a/manifest.toa.yaml", "");
  write("components/a/guards/rich.ts", "");
  wallets("");
  write("components/billing.wallets/guards/rich.ts", "");
  write("components/billing.wallets/guards/rich.js", "");
  const auto found = problems();
  EXPECT_NE(found.find("a/guards/rich.ts: component 'default.a' has no entity"), std::string::npos)
      << found;
  EXPECT_NE(found.find("has more than one guards/rich: rich.js and rich.ts"), std::string::npos)
      << found;
}

}  // namespace
}  // namespace toa::manifest
