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

}  // namespace
}  // namespace toa::bridge::testing
