#include "manifest/read_fixture.hpp"

namespace toa::manifest {
namespace {

namespace fs = std::filesystem;

const ComponentId wallets_id("billing.wallets");

TEST_F(ReadTest, FindsTheContextUpwards) {
  fs::create_directories(root_ / "components/a/operations");
  EXPECT_EQ(find_context((root_ / "components/a/operations").string()),
            (root_ / "context.toa.yaml").string());
  fs::remove(root_ / "context.toa.yaml");
  const auto found = find_context(root_.string());
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find(root_.string()), std::string::npos);
}

TEST_F(ReadTest, FillsInWhatManifestAndCodeLeaveOut) {
  wallets(
      "operations:\n  credit: { concurrency: retry, once: true, query: true, errors: [CLOSED] }\n");
  write("components/billing.wallets/operations/credit.ts", "");
  write("components/billing.wallets/operations/lib/tools.ts", "");
  write("components/billing.wallets/operations/types.d.ts", "");
  write("components/hello/manifest.toa.yaml", "");
  write("components/hello/operations/greet.js", "");
  code_["greet"] = {0, "computation", "none", {}};
  const auto app = application();
  const auto* credit = app.find(*Endpoint::parse("billing.wallets.credit"));
  ASSERT_NE(credit, nullptr);
  EXPECT_EQ(credit->label, "billing.wallets.credit");
  EXPECT_EQ(credit->type, Type::transition);
  EXPECT_EQ(credit->scope, Scope::entry);
  EXPECT_EQ(credit->query, QueryRule::must);
  EXPECT_EQ(credit->once_window_s, 3600);
  EXPECT_EQ(credit->errors, std::vector<std::string>{"CLOSED"});
  EXPECT_FALSE(credit->input);
  const auto* observe = app.find(*Endpoint::parse("billing.wallets.observe"));
  ASSERT_NE(observe, nullptr);
  EXPECT_EQ(observe->implementation.inherited, Inherited::observe);
  EXPECT_EQ(observe->type, Type::observation);
  EXPECT_EQ(app.find(*Endpoint::parse("billing.wallets.transit")), nullptr);
  EXPECT_EQ(app.find(wallets_id)->operations.size(), 6u);
  const auto* hello = app.find(ComponentId("default.hello"));
  ASSERT_NE(hello, nullptr);
  EXPECT_FALSE(hello->space);
  EXPECT_EQ(hello->operations.size(), 1u);
  EXPECT_EQ(hello->operations.at("greet").query, QueryRule::must_not);
}

TEST_F(ReadTest, GathersAllProblemsOfAllFiles) {
  write("context.toa.yaml", "nam: shop\ninbox: { retention: 60 }\n");
  wallets("operatons: {}\n");
  write("components/hello/manifest.toa.yaml", "name: 1st\n");
  fs::create_directories(root_ / "components/empty");
  EXPECT_EQ(problems(),
            "components/billing.wallets/manifest.toa.yaml:3: operatons: unknown key 'operatons' "
            "(did you mean "
            "'operations'?)\n"
            "components/empty/manifest.toa.yaml: is missing: every folder of components/ has one\n"
            "components/hello/manifest.toa.yaml:1: name: name '1st' must be a letter, then up to "
            "31 letters or "
            "digits\n"
            "context.toa.yaml:1: must have required property 'name'\n"
            "context.toa.yaml:1: nam: unknown key 'nam' (did you mean 'name'?)\n"
            "context.toa.yaml:2: inbox.retention: must be whole seconds from 600 to 316224000\n");
}

TEST_F(ReadTest, ReadsTheContextForItsEnvironment) {
  write("context.toa.yaml",
        "name: shop\nname@live: big-shop\ninbox: { retention: 700, retention@live: 800 }\n"
        "inbox@test: { retention: 900 }\n");
  EXPECT_EQ(application().context.name, "shop");
  EXPECT_EQ(application().context.inbox_retention_s, 700);
  EXPECT_EQ(application("live").context.name, "big-shop");
  EXPECT_EQ(application("live").context.inbox_retention_s, 800);
  EXPECT_EQ(application("test:live").context.inbox_retention_s, 900);
  EXPECT_EQ(application("test:live").context.name, "big-shop");
}

// R73
TEST_F(ReadTest, TakesTheRetentionOfTheVariableOverTheContexts) {
  write("context.toa.yaml", "name: shop\ninbox: { retention: 700 }\n");
  variables_["TOA_INBOX_RETENTION"] = "1200";
  EXPECT_EQ(application().context.inbox_retention_s, 1200);
  variables_["TOA_INBOX_RETENTION"] = "599";
  EXPECT_NE(problems().find("variable TOA_INBOX_RETENTION is '599'"), std::string::npos);
}

TEST_F(ReadTest, WarnsOnceOfPartsOfTheContextThatItDoesNotHave) {
  write("context.toa.yaml", "name: shop\nregistry: x\namqp: y\n");
  wallets("introspection: {}\n");
  const auto warnings = application().warnings;
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("does not use registry, amqp"), std::string::npos);
  EXPECT_NE(warnings[1].find("introspection is not used"), std::string::npos);
}

TEST_F(ReadTest, RefusesPartsOfAComponentThatItDoesNotHave) {
  wallets("cadence: {}\nbridge: wasm\nstash: { size: 5 }\n");
  EXPECT_EQ(problems(),
            "components/billing.wallets/manifest.toa.yaml:3: cadence: 'cadence' is not supported "
            "by this release\n"
            "components/billing.wallets/manifest.toa.yaml:4: bridge: must be 'node': no other "
            "bridge is supported by this release\n"
            "components/billing.wallets/manifest.toa.yaml:5: stash: 'stash' takes nothing: write "
            "'stash: ~'\n");
}

TEST_F(ReadTest, RefusesTwoComponentsOfOneAddressAndTheReservedNamespace) {
  wallets("");
  write("components/purse/manifest.toa.yaml", "name: wallets\nnamespace: billing\n");
  write("components/system.clock/manifest.toa.yaml", "");
  EXPECT_NE(problems().find("component 'billing.wallets' is already in"), std::string::npos);
  EXPECT_NE(problems().find("namespace 'system' is reserved"), std::string::npos);
}

// R72, and the rules of declarations: each with its line and key.
TEST_F(ReadTest, RefusesWrongDeclarations) {
  struct Case {
    const char* declaration;
    const char* problem;
  };
  code_["look"] = {0, "observation", "entry", {}};
  code_["count"] = {0, "computation", "none", {}};
  code_["list"] = {0, "observation", "entries", {}};
  code_["hidden"] = {0, "transition", std::nullopt, {}};
  code_["veiled"] = {0, "", std::nullopt, {}};
  code_["set"] = {0, "assignment", "changeset", {}};
  code_["stateless"] = {0, "transition", "none", {}};
  code_["peek"] = {0, "effect", "entry", {}};
  code_["all"] = {0, "transition", "entries", {}};
  for (const auto& [declaration, problem] : std::initializer_list<Case>{
           {"credit: {}", "credit: must have required property 'concurrency'"},
           {"credit: { query: false, once: 599 }",
            "credit.once: must be true, false, or whole seconds from 600"},
           {"credit: { query: false, once: yes }", "credit.once: must be true, false"},
           {"credit: { query: false, oncee: true }", "unknown key 'oncee' (did you mean 'once'?)"},
           {"credit: { concurrency: never }",
            "credit.concurrency: must be equal to one of the allowed values: retry, none\n"},
           {"credit: { query: 1, concurrency: none }", "credit.query: must be boolean"},
           {"credit: { query: false, errors: [A, A] }", "credit.errors.1: 'A' is named twice"},
           {"credit: { query: false, input: { type: objekt } }",
            "credit.input.type: 'objekt' is no type"},
           {"credit: { query: false, type: observation }",
            "credit.type: is 'observation', and the code has 'transition'"},
           {"credit: { query: false, scope: entries }",
            "credit.scope: is 'entries', and the code has 'entry'"},
           {"credit: { query: false, stream: parts }",
            "credit.stream: 'stream' is not supported by this release"},
           {"credit: { query: false, stateful: true }",
            "credit.stateful: 'stateful' is not supported"},
           {"credit: { forward: observe }", "credit.forward: operation 'credit' has a file"},
           {"look: { once: true }",
            "look.once: operation 'billing.wallets.look' is of type 'observation'"},
           {"count: { once: 700 }",
            "count.once: operation 'billing.wallets.count' is of type 'computation'"},
           {"list: { query: false }",
            "list.query: operation 'billing.wallets.list' has scope 'entries': without a query "
            "there is nothing to select"},
           {"set: { query: false }",
            "set.query: operation 'billing.wallets.set' has scope 'change"},
           {"count: { query: true }", "count.query: operation 'billing.wallets.count' is given no"},
           {"peek: { once: true }", "is of type 'effect' with scope 'entry': only a transition"},
           {"all: {}", "all: must have required property 'concurrency'"},
           {"all: { concurrency: retry, once: true }",
            "all.once: operation 'billing.wallets.all' is of type 'transition' with scope"},
           {"hidden: { concurrency: none, scope: entrys }",
            "hidden.scope: must be equal to one of the allowed values: none, entry"},
           {"around: { forward: around }", "around.forward: forwards to itself: around -> around"},
           {"hidden: { concurrency: none }", "hidden: must have required property 'scope'"},
           {"veiled: {}", "veiled: must have required property 'type'"},
           {"stateless: { concurrency: none }", "takes a second parameter named 'entry'"},
           {"gone: {}",
            "gone: operation 'gone' is declared, but there is no file operations/gone.ts"},
           {"move: { forward: gone }", "move.forward: 'gone' is neither a file"},
           {"part: { forward: assign, once: 5 }", "part.once: must be true"},
           {"transit: {}", "transit: must have required property 'concurrency'"},
           {"terminate: { scope: entry }", "terminate.scope: is 'entry'"},
           {"ensure: { once: true }", "is of type 'effect'"},
           {"observe: { type: transition }", "observe.type: is 'transition'"},
       }) {
    const std::string name = std::string(declaration).substr(0, std::string(declaration).find(':'));
    wallets("operations:\n  " + std::string(declaration) + "\n");
    const auto file = "components/billing.wallets/operations/" + name + ".ts";
    if (name == "credit" || code_.contains(name)) write(file, "");
    const auto found = problems();
    EXPECT_NE(found.find(std::string("manifest.toa.yaml:4: operations.")), std::string::npos)
        << declaration << found;
    EXPECT_NE(found.find(problem), std::string::npos) << declaration << " → " << found;
    fs::remove(root_ / file);
  }
}

TEST_F(ReadTest, AcceptsWhatTheManifestSaysOfHiddenCode) {
  wallets("operations: { hidden: { type: transition, scope: entry, concurrency: none } }\n");
  write("components/billing.wallets/operations/hidden.ts", "");
  code_["hidden"] = {0, "", std::nullopt, {}};
  EXPECT_EQ(application().find(wallets_id)->operations.at("hidden").scope, Scope::entry);
}

TEST_F(ReadTest, RefusesTwoFilesOfOneOperation) {
  wallets("operations: { credit: { concurrency: none } }\n");
  write("components/billing.wallets/operations/credit.ts", "");
  write("components/billing.wallets/operations/credit.js", "");
  write("components/billing.wallets/operations/credit.test.ts", "");
  const auto found = problems();
  EXPECT_NE(found.find("has more than one operations/credit: credit.js and credit.ts\n"),
            std::string::npos)
      << found;
  EXPECT_NE(found.find("operations/credit.test.ts: the name of an operation"), std::string::npos)
      << found;
}

// R75
TEST_F(ReadTest, RefusesOnceWhereNothingIsKept) {
  wallets("  storage: ~\noperations: { credit: { concurrency: none, once: true } }\n");
  write("components/billing.wallets/operations/credit.ts", "");
  EXPECT_NE(
      problems().find(
          "component 'billing.wallets' declares once on operation 'credit', but its storage '~'"),
      std::string::npos);
}

// R74
TEST_F(ReadTest, LetsAnOperationsOwnWindowWinBothWays) {
  write("context.toa.yaml", "name: shop\ninbox: { retention: 1000 }\n");
  wallets(
      "operations:\n  a: { query: false, once: 600 }\n  b: { query: false, once: 5000 }\n"
      "  c: { query: false, once: true }\n  d: { query: false, once: false }\n");
  for (const auto* name : {"a", "b", "c", "d"}) {
    write(std::string("components/billing.wallets/operations/") + name + ".ts", "");
  }
  const auto app = application();
  const auto& operations = app.find(wallets_id)->operations;
  EXPECT_EQ(operations.at("a").once_window_s, 600);
  EXPECT_EQ(operations.at("b").once_window_s, 5000);
  EXPECT_EQ(operations.at("c").once_window_s, 1000);
  EXPECT_EQ(operations.at("d").once_window_s, std::nullopt);
}

TEST_F(ReadTest, ForwardsUnderAnotherContract) {
  wallets(
      "operations:\n"
      "  open: { forward: transit, query: false, input: { properties: { balance: { type: integer } "
      "} } }\n"
      "  refund: { forward: credit, concurrency: none, once: true }\n"
      "  credit: { concurrency: retry, input: { properties: { amount: { type: integer } } } }\n"
      "  observe: { query: true }\n");
  write("components/billing.wallets/operations/credit.ts", "");
  const auto app = application();
  const auto& operations = app.find(wallets_id)->operations;
  EXPECT_EQ(operations.at("open").implementation.inherited, Inherited::transit);
  EXPECT_EQ(operations.at("open").type, Type::transition);
  EXPECT_EQ(operations.at("open").input->misfit(JsonObject{{"other", 1}}),
            "must NOT have additional properties: 'other'");
  EXPECT_EQ(operations.at("refund").implementation.file,
            operations.at("credit").implementation.file);
  EXPECT_EQ(operations.at("refund").implementation.number,
            operations.at("credit").implementation.number);
  EXPECT_FALSE(operations.at("refund").input);
  EXPECT_FALSE(operations.at("credit").input->misfit(JsonObject{{"other", 1}}));
  EXPECT_EQ(operations.at("credit").input->misfit(Json("text")), "must be object");
  EXPECT_EQ(operations.at("observe").query, QueryRule::must);
}

TEST_F(ReadTest, InheritsNothingWithoutPrototypeOrEntity) {
  wallets("prototype: ~\n");
  EXPECT_TRUE(application().find(wallets_id)->operations.empty());
  write("components/billing.wallets/manifest.toa.yaml",
        "operations: { observe: {}, add: { query: true } }\n");
  write("components/billing.wallets/operations/add.ts", "");
  const auto found = problems();
  EXPECT_NE(found.find("operations.observe: operation 'observe' is declared, but"),
            std::string::npos)
      << found;
  EXPECT_NE(found.find("operations.add.query: component 'billing.wallets' has no entity"),
            std::string::npos);
  EXPECT_NE(found.find("needs state, and component 'billing.wallets' has no entity"),
            std::string::npos);
}

TEST_F(ReadTest, ReadsAnEntity) {
  write("components/a/manifest.toa.yaml",
        "entity:\n  associated: true\n  storage: mongodb\n  required: [sum]\n  blank: { sum: 0 }\n "
        " properties:\n"
        "    sum: &sum { type: integer, minimum: 0 }\n    most: *sum\n"
        "    paid: { type: string, format: date-time }\n    due: { type: integer, format: "
        "epoch-millis }\n"
        "    nested: { type: object, properties: { at: { type: string, format: date-time } } }\n");
  const auto app = application();
  const auto& entity = *app.find(ComponentId("default.a"))->entity;
  EXPECT_TRUE(entity.associated);
  EXPECT_EQ(entity.storage, "sqlite");
  ASSERT_EQ(entity.moments.size(), 2u);
  EXPECT_EQ(entity.moments[0].property, "paid");
  EXPECT_EQ(entity.moments[0].form, Moment::Form::iso);
  EXPECT_EQ(entity.moments[1].form, Moment::Form::epoch_millis);
  const std::string id(32, 'a');
  EXPECT_EQ(entity.contract.misfit(JsonObject{{"id", id}, {"sum", 1}}), std::nullopt);
  EXPECT_EQ(entity.contract.misfit(JsonObject{{"id", id}}), "must have required property 'sum'");
  EXPECT_EQ(entity.contract.misfit(JsonObject{{"id", "x"}, {"sum", 1}}),
            "id must match pattern \"^[0-9a-f]{32}$\"");
  EXPECT_EQ(entity.contract.misfit(JsonObject{{"id", id}, {"sum", 1}, {"most", -1}}),
            "most must be >= 0");
}

TEST_F(ReadTest, RefusesAWrongEntity) {
  write("components/a/manifest.toa.yaml",
        "entity:\n  properties:\n    VERSION: { type: integer }\n    sum: { type: integer, "
        "minimum: one }\n"
        "    size: { type: integer }\n  required: [sum, nothing]\n  blank:\n    size: big\n    "
        "REGION: 1\n"
        "    other: 1\n  indexes: {}\n  storage: paper\n  associated: maybe\n");
  EXPECT_EQ(
      problems(),
      "components/a/manifest.toa.yaml:3: entity.properties.VERSION: System property 'VERSION' "
      "cannot be "
      "overridden\n"
      "components/a/manifest.toa.yaml:4: entity.properties.sum.minimum: must be number\n"
      "components/a/manifest.toa.yaml:6: entity.required.1: 'nothing' is not among the properties\n"
      "components/a/manifest.toa.yaml:8: entity.blank.size: size must be integer\n"
      "components/a/manifest.toa.yaml:9: entity.blank.REGION: System property 'REGION' cannot be "
      "overridden\n"
      "components/a/manifest.toa.yaml:10: entity.blank.other: 'other' is not among the properties\n"
      "components/a/manifest.toa.yaml:11: entity.indexes: unknown key 'indexes'\n"
      "components/a/manifest.toa.yaml:12: entity.storage: storage 'paper' is not supported by this "
      "release: "
      "leave it out, or use sqlite, or ~ to keep nothing\n"
      "components/a/manifest.toa.yaml:13: entity.associated: must be boolean\n");
}

TEST_F(ReadTest, RefusesABlankThatDoesNotFitItsProperties) {
  wallets("  blank: { balance: -1 }\n");
  EXPECT_EQ(problems(),
            "components/billing.wallets/manifest.toa.yaml:3: entity.blank.balance: balance must be "
            ">= 0\n");
}

TEST_F(ReadTest, MergesConfigurationAndResolvesSecrets) {
  write("components/billing.wallets/manifest.toa.yaml",
        "configuration:\n  schema:\n    properties:\n      key: { type: string, format: secret }\n"
        "      limits: { type: object, properties: { day: { type: integer } } }\n    required: "
        "[key]\n"
        "  defaults: { limits: { day: 5, week: 9 } }\n");
  write("context.toa.yaml",
        "name: shop\nconfiguration:\n  billing.wallets:\n    key: $WALLET_KEY\n    limits: { day: "
        "7 }\n");
  EXPECT_EQ(problems(),
            "context.toa.yaml:4: configuration.billing.wallets.key: variable WALLET_KEY is not "
            "set: export it, or "
            "add it to .env beside the Context\n");
  variables_["WALLET_KEY"] = "s3cret";
  const auto app = application();
  const auto& configuration = *app.find(wallets_id)->configuration;
  EXPECT_EQ(json::print(configuration.values), R"({"limits":{"day":7,"week":9},"key":"s3cret"})");
  EXPECT_EQ(configuration.secrets, (std::vector<std::vector<std::string>>{{"key"}}));
  EXPECT_EQ(json::print(normalised(*app.find(wallets_id))).find("s3cret"), std::string::npos);
}

TEST_F(ReadTest, RefusesConfigurationThatNobodyWantsOrThatDoesNotFit) {
  wallets("");
  write("components/a/manifest.toa.yaml",
        "configuration: { schema: { properties: { n: { type: integer } } } }\n");
  write("context.toa.yaml",
        "name: shop\nconfiguration:\n  billing.wallets: {}\n  billing.none: {}\n  a: { n: x }\n");
  EXPECT_EQ(
      problems(),
      "context.toa.yaml:3: configuration.billing.wallets: Component 'billing.wallets' does not "
      "request "
      "configuration or does not exist.\n"
      "context.toa.yaml:4: configuration.billing.none: Component 'billing.none' does not request "
      "configuration or does not exist.\n"
      "context.toa.yaml:5: configuration.a: n must be integer\n");
}

TEST_F(ReadTest, PassesOnWhatIsWrongWithTheCode) {
  wallets("operations: { credit: {}, bad: {} }\n");
  write("components/billing.wallets/operations/credit.ts", "");
  write("components/billing.wallets/operations/bad.ts", "");
  code_["bad"] = {0, "", std::nullopt, Problem{"bad.ts", 7, "", "unexpected token"}};
  const auto found = problems();
  EXPECT_NE(found.find("bad.ts:7: unexpected token"), std::string::npos);
  EXPECT_NE(found.find("operations.credit: must have required property 'concurrency'"),
            std::string::npos);
}

TEST_F(ReadTest, ReportsFilesThatCannotBeRead) {
  write("context.toa.yaml", "name: [shop\n");
  write("components/a/manifest.toa.yaml", "\xff");
  write("components/b/manifest.toa.yaml", "- 1\n");
  const auto found = problems();
  EXPECT_NE(found.find("context.toa.yaml:"), std::string::npos);
  EXPECT_NE(found.find("components/a/manifest.toa.yaml: is not valid UTF-8"), std::string::npos);
  EXPECT_NE(found.find("components/b/manifest.toa.yaml:1: must be object"), std::string::npos);
}

TEST_F(ReadTest, ShowsTheNormalisedManifest) {
  wallets(
      "operations: { credit: { concurrency: retry, once: true, input: { properties: { n: {} } } } "
      "}\n");
  write("components/billing.wallets/operations/credit.ts", "");
  const auto app = application();
  EXPECT_EQ(
      json::print(normalised(*app.find(wallets_id))),
      R"({"name":"wallets","namespace":"billing","entity":{"properties":{"balance":{"type":"integer",)"
      R"("minimum":0}},"associated":false,"storage":"sqlite"},"operations":{"credit":{"type":"transition",)"
      R"("scope":"entry","concurrency":"retry","once":3600,"input":{"properties":{"n":{}},"type":"object"}},)"
      R"("ensure":{"type":"effect","scope":"entry"},"enumerate":{"type":"observation","scope":"entries"},)"
      R"("observe":{"type":"observation","scope":"entry"},"stream":{"type":"observation","scope":"stream"},)"
      R"("terminate":{"type":"assignment","scope":"changeset"}}})");
}

}  // namespace
}  // namespace toa::manifest
