#include "manifest/read_fixture.hpp"

namespace toa::manifest {
namespace {

class ReceiversTest : public ReadTest {
 protected:
  void reports(std::string_view more) {
    write("components/reports/manifest.toa.yaml",
          "entity: { properties: { sum: { type: integer } } }\n"
          "operations: { add: { concurrency: retry } }\n" +
              std::string(more));
    write("components/reports/operations/add.ts", "");
  }
  bool reported(const std::string& text) {
    const auto found = problems();
    const bool contains = found.find(text) != std::string::npos;
    if (!contains) ADD_FAILURE() << found;
    return contains;
  }
};

const ComponentId wallets_id("billing.wallets");
const ComponentId reports_id("default.reports");

// R209
TEST_F(ReceiversTest, GivesEveryEntityItsEventsAndLetsFilesReplaceThem) {
  wallets("");
  write("components/billing.wallets/events/credited.ts", "");
  write("components/billing.wallets/events/updated.js", "");
  const auto app = application();
  const auto& component = *app.find(wallets_id);
  ASSERT_EQ(component.events.size(), 5u);
  EXPECT_EQ(component.events.at("created").inherited, InheritedEvent::created);
  EXPECT_EQ(component.events.at("created").label, "billing.wallets.created");
  EXPECT_EQ(component.events.at("updated").inherited, std::nullopt);
  EXPECT_TRUE(component.events.at("credited").file.ends_with("events/credited.ts"));
}

TEST_F(ReceiversTest, InheritsNoEventsWithoutPrototypeOrEntity) {
  wallets("prototype: ~\n");
  write("components/plain/manifest.toa.yaml", "");
  const auto app = application();
  EXPECT_TRUE(app.find(wallets_id)->events.empty());
  EXPECT_TRUE(app.find(ComponentId("default.plain"))->events.empty());
}

TEST_F(ReceiversTest, NumbersAllEventsOfAComponentAlikeAndEachReceiverApart) {
  wallets("");
  write("components/billing.wallets/events/a.ts", "");
  write("components/billing.wallets/events/b.ts", "");
  reports("receivers: { billing.wallets.a: add, billing.wallets.b: add }\n");
  write("components/reports/receivers/billing.wallets.a.ts", "");
  write("components/reports/receivers/billing.wallets.b.ts", "");
  const auto draft = read((root_ / "context.toa.yaml").string(), "local",
                          [](const auto&) { return std::nullopt; });
  const auto& events = draft.code.at(wallets_id);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].number, events[1].number);
  EXPECT_EQ(events[0].number, draft.application.find(wallets_id)->events_number);
  EXPECT_EQ(events[0].kind, CodeFile::Kind::event);
  const auto& code = draft.code.at(reports_id);
  ASSERT_EQ(code.size(), 3u);
  EXPECT_EQ(code[1].kind, CodeFile::Kind::receiver);
  EXPECT_EQ(code[1].name, "billing.wallets.a");
  EXPECT_NE(code[1].number, code[2].number);
  EXPECT_NE(code[1].number, events[0].number);
}

// R201, R210, R51
TEST_F(ReceiversTest, ConnectsReceiversWithWhoAnnounces) {
  wallets("");
  reports(
      "receivers:\n  billing.wallets.created: add\n"
      "  reports.sync: { operation: add, arguments: [1, two], bridge: node }\n");
  write("components/reports/receivers/reports.sync.ts", "");
  const auto app = application();
  const auto& receivers = app.find(reports_id)->receivers;
  ASSERT_EQ(receivers.size(), 2u);
  EXPECT_EQ(receivers.at("billing.wallets.created").operation, "add");
  EXPECT_TRUE(receivers.at("billing.wallets.created").file.empty());
  EXPECT_EQ(receivers.at("default.reports.sync").arguments, (JsonArray{1, "two"}));
  EXPECT_FALSE(receivers.at("default.reports.sync").file.empty());
  EXPECT_EQ(receivers_of(app, "billing.wallets.created"), (std::vector{app.find(reports_id)}));
  EXPECT_TRUE(receivers_of(app, "billing.wallets.deleted").empty());
  EXPECT_TRUE(announces(app, *app.find(wallets_id)));
  EXPECT_EQ(json::print(normalised(*app.find(reports_id)).at("receivers")),
            R"({"billing.wallets.created":{"operation":"add"},)"
            R"("default.reports.sync":{"operation":"add","arguments":[1,"two"]}})");
}

TEST_F(ReceiversTest, RecordsNothingForEventsThatNobodyReceives) {
  wallets("");
  const auto app = application();
  EXPECT_FALSE(announces(app, *app.find(wallets_id)));
}

TEST_F(ReceiversTest, RefusesReceiversThatCannotWork) {
  wallets("");
  reports(
      "receivers:\n  billing.wallets.paid: add\n  loan_settled: add\n  billing.wallets.sync: drop\n"
      "  billing.wallets.created: { operation: add, arguments: 1, source: bank }\n"
      "  billing.wallets.updated: { operation: add, binding: amqp, bridge: other }\n"
      "  billing.wallets.deleted: {}\n  reports.sync: add\n  default.reports.sync: add\n");
  const auto place = "components/reports/manifest.toa.yaml:";
  const auto found = problems();
  EXPECT_EQ(
      found,
      place +
          std::string("4: receivers.billing.wallets.paid: the application has no event "
                      "'billing.wallets.paid'\n") +
          place +
          "5: receivers.loan_settled: event 'loan_settled' comes from outside, which is not "
          "supported by this release\n" +
          place +
          "6: receivers.billing.wallets.sync: component 'default.reports' has no operation "
          "'drop'\n" +
          place + "7: receivers.billing.wallets.created.arguments: must be array\n" + place +
          "7: receivers.billing.wallets.created.source: 'source' is not supported by this "
          "release\n" +
          place +
          "8: receivers.billing.wallets.updated.binding: 'binding' is not supported by this "
          "release\n" +
          place +
          "8: receivers.billing.wallets.updated.bridge: bridge 'other' is not supported by this "
          "release\n" +
          place +
          "9: receivers.billing.wallets.deleted: must have required property 'operation'\n" +
          place +
          "11: receivers.default.reports.sync: event 'default.reports.sync' has a receiver "
          "already\n");
}

TEST_F(ReceiversTest, RefusesFilesThatNothingDeclaresOrThatAreTwo) {
  wallets("receivers: { billing.wallets.sync: observe }\n");
  write("components/billing.wallets/events/paid.ts", "");
  write("components/billing.wallets/events/paid.js", "");
  write("components/billing.wallets/receivers/billing.wallets.sync.ts", "");
  write("components/billing.wallets/receivers/billing.wallets.sync.js", "");
  write("components/billing.wallets/receivers/billing.wallets.paid.ts", "");
  EXPECT_TRUE(reported("more than one events/paid: paid.js and paid.ts\n"));
  EXPECT_TRUE(
      reported("more than one receivers/billing.wallets.sync: billing.wallets.sync.js and "
               "billing.wallets.sync.ts\n"));
  EXPECT_TRUE(
      reported("receivers/billing.wallets.paid.ts: the manifest declares no receiver of "
               "'billing.wallets.paid'\n"));
}

TEST_F(ReceiversTest, PassesOnWhatIsWrongWithTheCodeOfEventsAndReceivers) {
  wallets("receivers: { billing.wallets.sync: observe }\n");
  write("components/billing.wallets/events/paid.ts", "");
  write("components/billing.wallets/receivers/billing.wallets.sync.ts", "");
  code_["paid"] = {0, "", std::nullopt, Problem{"paid.ts", 3, "", "unexpected token"}};
  code_["billing.wallets.sync"] = {0, "computation", std::nullopt, {}};
  EXPECT_TRUE(reported("paid.ts:3: unexpected token\n"));
  EXPECT_TRUE(reported("receivers/billing.wallets.sync.ts: is not code of type 'receiver'\n"));
}

TEST_F(ReceiversTest, WarnsOnceOfAReceiverThatMayFindNothing) {
  wallets("");
  reports("receivers: { billing.wallets.sync: add }\n");
  write("components/reports/receivers/billing.wallets.sync.ts", "");
  code_["billing.wallets.sync"] = {0, "receiver", std::nullopt, {}};
  const auto warnings = application().warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("manifest.toa.yaml:3: receivers.billing.wallets.sync: operation "
                             "'add' does not find an object that was never written"),
            std::string::npos)
      << warnings[0];
}

// The payload becomes the input, and there is no query (spec core 9).
TEST_F(ReceiversTest, WarnsWhereAPayloadAloneIsNoRequestOfTheOperation) {
  wallets("");
  write("components/reports/operations/add.ts", "");
  write("components/reports/manifest.toa.yaml", R"(
entity: { properties: { sum: { type: integer } } }
operations:
  add: { concurrency: retry }
  change: { forward: assign, input: true }
  take: { forward: transit, query: false, input: true }
receivers:
  billing.wallets.created: add
  billing.wallets.updated: change
  billing.wallets.deleted: take
)");
  const auto warnings = application().warnings;
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("receivers.billing.wallets.created: operation 'add' accepts no input, "
                             "and without a file receivers/billing.wallets.created.ts"),
            std::string::npos)
      << warnings[0];
  EXPECT_NE(warnings[1].find("operation 'change' must be called with a query"), std::string::npos)
      << warnings[1];
}

TEST_F(ReceiversTest, ReadsTheOutboxOfTheContextAndItsVariables) {
  write("context.toa.yaml", "name: shop\noutbox: { interval: 100, batch: 7, retention: 86400 }\n");
  wallets("");
  auto context = application().context;
  EXPECT_EQ(context.outbox_interval_ms, 100);
  EXPECT_EQ(context.outbox_batch, 7);
  EXPECT_EQ(context.outbox_retention_s, 86'400);
  variables_ = {
      {"TOA_OUTBOX_INTERVAL", "250"}, {"TOA_OUTBOX_BATCH", "1"}, {"TOA_OUTBOX_RETENTION", "0"}};
  context = application().context;
  EXPECT_EQ(context.outbox_interval_ms, 250);
  EXPECT_EQ(context.outbox_batch, 1);
  EXPECT_EQ(context.outbox_retention_s, 0);
}

TEST_F(ReceiversTest, RefusesAnOutboxOutOfItsRange) {
  write("context.toa.yaml",
        "name: shop\noutbox:\n  interval: 99\n  batch: 0\n  retention: -1\n  size: 1\n");
  wallets("");
  variables_["TOA_OUTBOX_BATCH"] = "many";
  EXPECT_TRUE(reported("context.toa.yaml:3: outbox.interval: must be whole milliseconds from 100"));
  EXPECT_TRUE(reported("context.toa.yaml:4: outbox.batch: must be a whole number from 1"));
  EXPECT_TRUE(reported("context.toa.yaml:5: outbox.retention: must be whole seconds from 0"));
  EXPECT_TRUE(reported("context.toa.yaml:6: outbox.size: unknown key 'size'"));
  EXPECT_TRUE(reported("variable TOA_OUTBOX_BATCH is 'many', and must be a whole number"));
}

TEST_F(ReceiversTest, ReadsEventsOfTheContextThatExist) {
  wallets("");
  write("context.toa.yaml", "name: shop\nevents: [billing.wallets.created]\n");
  EXPECT_EQ(application().context.events, std::vector<std::string>{"billing.wallets.created"});
  write("context.toa.yaml", "name: shop\nevents: [billing.wallets.paid]\n");
  EXPECT_TRUE(reported(
      "context.toa.yaml:2: events: the application has no event 'billing.wallets.paid'\n"));
}

}  // namespace
}  // namespace toa::manifest
