#include "bridge/test/test_bridge.hpp"

#include "bridge/conformance.hpp"

namespace toa::bridge::testing {
namespace {

Task<Ran> echo(Run run, Host&) {
  Returned out;
  out.reply = run.input;
  co_return out;
}
Task<Ran> refuse(Run, Host&) {
  co_return Refusal{"NO", JsonObject{{"left", 5}}};
}
Task<Ran> throws(Run, Host&) {
  co_return Exception{.message = "broken", .thrown = "TypeError"};
}
Task<Ran> nothing(Run, Host&) {
  co_return Returned{};
}

Task<Ran> credit(Run run, Host&) {
  auto state = run.state->value().as_object();
  state["balance"] = state["balance"].as_int64() + run.input->value().at("amount").as_int64();
  Returned out;
  out.reply_is_state = true;
  out.state = Document::of(state);
  co_return out;
}

Task<Ran> drop(Run, Host&) {
  Returned out;
  out.reply = text(R"("kept")");
  out.discard = true;
  co_return out;
}

Task<Ran> calls(Run run, Host& host) {
  auto request = Document::of(JsonObject{{"input", run.input->value()}});
  auto outcome = co_await host.call(Where::remote, "shop.wallets.echo", std::move(request));
  if (auto* exception = std::get_if<Exception>(&outcome)) co_return std::move(*exception);
  Returned out;
  out.reply = std::get<Output>(outcome).value;
  co_return out;
}

class TestSubject {
 public:
  TestSubject() {
    std::uint32_t number = 0;
    for (const auto& operation :
         std::vector<TestBridge::Operation>{echo, refuse, throws, credit, drop, calls, nothing}) {
      bridge_.add(OperationNumber(number++), {"computation", std::nullopt, operation});
    }
  }
  Bridge& bridge() { return bridge_; }
  TestBridge& test_bridge() { return bridge_; }
  AsioLoop& loop() { return loop_; }

 private:
  AsioLoop loop_;
  TestBridge bridge_{loop_};
};

INSTANTIATE_TYPED_TEST_SUITE_P(TestBridge, BridgeConformance, TestSubject);

TEST(TestBridge, FindsWhatWasAddedAndFaultsTheRest) {
  TestSubject subject;
  const auto work = [&]() -> Task<void> {
    const auto loaded = co_await subject.bridge().load(
        application({"echo", "b", "c", "d", "e", "f", "g", "missing"}));
    EXPECT_EQ(loaded->found.size(), 7u);
    EXPECT_EQ(loaded->faults.size(), 1u);
  };
  drive(subject.loop(), work());
}

TEST(TestBridge, RunsALostRunAgainFromItsStart) {
  TestSubject subject;
  NotingHost host;
  int losses = 2;
  subject.test_bridge().lose_when([&losses](const bridge::Run&) { return losses-- > 0; });
  const auto work = [&]() -> Task<void> {
    co_await subject.bridge().run(run_of(5, text("1")), host);
  };
  drive(subject.loop(), work());
  EXPECT_EQ(host.restarts, 2);
  EXPECT_EQ(host.calls.size(), 3u);
}

Application with_events_and_receiver() {
  auto out = application({"echo"});
  auto& wallets = out.components[0];
  wallets.events = EventsSource{OperationNumber(20), {{"credited", "/nowhere/events/credited.js"}}};
  wallets.receivers = {{OperationNumber(21), "shop.topups.paid", "/nowhere/receivers/paid.js"}};
  return out;
}

std::expected<JsonObject, Exception> credited(const Json& change) {
  if (change.at("state").at("balance").as_int64() < 0) {
    return std::unexpected(Exception{.message = "a debt"});
  }
  JsonObject out;
  if (!change.at("origin").is_null()) out["credited"] = change.at("state");
  return out;
}

std::optional<Json> topup(const Json& payload, const JsonArray& arguments) {
  if (payload.at("amount").as_int64() == 0) return std::nullopt;
  return JsonObject{{"input", payload}, {"arguments", arguments}};
}

class TestBridgeEvents : public ::testing::Test {
 protected:
  TestBridgeEvents() {
    bridge.add(OperationNumber(0), {"computation", std::nullopt, echo});
    bridge.add_events(OperationNumber(20), credited);
    bridge.add_receiver(OperationNumber(21), topup);
  }

  Ran ran(bridge::Run run) {
    std::optional<Ran> out;
    const auto work = [&]() -> Task<void> { out = co_await bridge.run(std::move(run), host); };
    drive(loop, work());
    return std::move(*out);
  }

  AsioLoop loop;
  TestBridge bridge{loop};
  NotingHost host;
};

TEST_F(TestBridgeEvents, AreFoundByTheirNumbers) {
  const auto work = [&]() -> Task<void> {
    const auto loaded = co_await bridge.load(with_events_and_receiver());
    EXPECT_TRUE(loaded->faults.empty());
    EXPECT_EQ(loaded->found.size(), 3u);
    EXPECT_EQ(loaded->found[1].type, "receiver");
    EXPECT_EQ(loaded->found[2].type, "events");
  };
  drive(loop, work());
}

TEST_F(TestBridgeEvents, AnnounceWhatTheLambdaSays) {
  const auto changed = ran(run_of(20, text(R"({"origin":{},"state":{"balance":5}})")));
  EXPECT_EQ(std::get<Returned>(changed).reply->text(), R"({"credited":{"balance":5}})");
  const auto created = ran(run_of(20, text(R"({"origin":null,"state":{"balance":5}})")));
  EXPECT_EQ(std::get<Returned>(created).reply->text(), "{}");
  const auto thrown = ran(run_of(20, text(R"({"origin":null,"state":{"balance":-1}})")));
  EXPECT_EQ(std::get<Exception>(thrown).message, "a debt");
}

TEST_F(TestBridgeEvents, AreReceivedOrDropped) {
  const auto made = ran(run_of(21, text(R"({"amount":5})"), text(R"(["eur"])")));
  EXPECT_FALSE(std::get<Returned>(made).discard);
  EXPECT_EQ(std::get<Returned>(made).reply->text(),
            R"({"input":{"amount":5},"arguments":["eur"]})");
  const auto dropped = ran(run_of(21, text(R"({"amount":0})")));
  EXPECT_TRUE(std::get<Returned>(dropped).discard);
  EXPECT_FALSE(std::get<Returned>(dropped).reply.has_value());
}

}  // namespace
}  // namespace toa::bridge::testing
