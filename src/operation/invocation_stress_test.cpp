#include <gtest/gtest.h>
#include <set>

#include "operation/test/test_application.hpp"

namespace toa::operation::testing {
namespace {

/// A storm of calls over a storage that is slow and at times away, on a bridge that loses runs,
/// made by clients that repeat what failed and, at times, what did not. Every object lists the
/// tokens that were credited to it, one a write, which is what the outcome is judged by.
class Storm {
 public:
  struct Sizes {
    int calls = 120;
    int wallets = 4;
    milliseconds storage_delay{30};
    milliseconds run_delay{20};
  };

  Storm(std::uint64_t seed, Sizes sizes) : sizes_(sizes), app_(seed), random_(seed + 1'000) {
    app_.component("shop.wallets", R"({"tokens":{"type":"array"}})", R"({"tokens":[]})");
    add_operations();
  }

  void rage() {
    app_.storage.delays_up_to(sizes_.storage_delay);
    app_.storage.fails_one_in(40);
    app_.bridge.lose_when([this](const Run&) { return one_in(25); });
    toa::Scope scope(app_.loop);
    for (int i = 0; i < sizes_.calls; ++i) scope.spawn(insist(new_call()));
    app_.loop.run_until(scope.close(), ManualLoop::Idle::jump);
  }

  void check() {
    std::map<std::string, int> credited;
    for (int i = 0; i < sizes_.wallets; ++i) {
      const auto object = app_.object("shop.wallets", wallet(i));
      if (!object) continue;
      const auto properties = *json::parse(object->properties);
      const auto& tokens = properties.at("tokens").as_array();
      EXPECT_EQ(object->version.value, static_cast<std::int64_t>(tokens.size()));
      for (const auto& token : tokens) ++credited[std::string(token.as_string())];
    }
    for (const auto& [token, times] : credited) EXPECT_EQ(times, 1) << token;
    for (const auto& token : acknowledged_) EXPECT_TRUE(credited.contains(token)) << token;
    EXPECT_EQ(unanswered_, 0);
  }

  const TestApplication& application() const { return app_; }

 private:
  struct Logical {
    std::string endpoint;
    std::string request;
    std::vector<std::string> tokens;
    bool once = false;
  };

  void add_operations() {
    const auto declared = [](Concurrency concurrency) {
      return Declared{.concurrency = concurrency, .once_window_s = 86'400, .input = "{}"};
    };
    app_.add("shop.wallets.credit", declared(Concurrency::retry),
             [](Run run, Host&) -> Task<Ran> { co_return with_token(run); });
    // Leaves its turn, so that it races.
    app_.add("shop.wallets.slow", declared(Concurrency::retry),
             [this](Run run, Host& host) -> Task<Ran> {
               host.leave();
               co_await dawdle();
               co_return with_token(run);
             });
    app_.add(
        "shop.wallets.move", declared(Concurrency::none), [this](Run run, Host& host) -> Task<Ran> {
          auto outcome = co_await host.call(Where::remote, "shop.wallets.credit", beneath(run, 0));
          if (auto* thrown = std::get_if<Exception>(&outcome)) co_return std::move(*thrown);
          co_await dawdle();
          co_return with_token(run);
        });
    auto place = effect();
    place.input = "{}";
    app_.add("shop.orders.place", place, [this](Run run, Host& host) -> Task<Ran> {
      Exception thrown;
      bool failed = false;
      toa::Scope scope(app_.loop);
      const auto one = [&](int which) -> Task<void> {
        const auto* endpoint = which == 0 ? "shop.wallets.slow" : "shop.wallets.credit";
        auto outcome = co_await host.call(Where::remote, endpoint, beneath(run, which));
        if (auto* exception = std::get_if<Exception>(&outcome)) {
          failed = true;
          thrown = std::move(*exception);
        }
      };
      for (int which = 0; which < 3; ++which) scope.spawn(one(which));
      co_await scope.close();
      if (failed) co_return std::move(thrown);
      co_return replies(Document::of("placed"));
    });
  }

  static Returned with_token(const Run& run) {
    auto state = run.state->value().as_object();
    state["tokens"].as_array().push_back(run.input->value().at("token"));
    return leaves(std::move(state));
  }

  /// The request of a call made beneath `run`, with the token and the wallet that its input names.
  static Document beneath(const Run& run, int which) {
    const auto& call = run.input->value().at("beneath").at(static_cast<std::size_t>(which));
    return Document::of(call);
  }

  Logical new_call() {
    const auto identity = new_identity(app_.clock, random_).hex();
    Logical call{.endpoint = endpoints[random_.below(std::size(endpoints))],
                 .request = {},
                 .tokens = {},
                 .once = true};
    JsonObject request = on_a_wallet(call, identity);
    if (call.endpoint == "shop.orders.place") {
      request.erase("query");
      call.tokens.clear();
      call.once = false;
    }
    JsonArray below;
    const int count = call.endpoint == "shop.orders.place"   ? 3
                      : call.endpoint == "shop.wallets.move" ? 1
                                                             : 0;
    for (int i = 0; i < count; ++i)
      below.push_back(on_a_wallet(call, identity + std::to_string(i)));
    request["input"].as_object()["beneath"] = std::move(below);
    request["id"] = identity;
    call.request = json::print(request);
    return call;
  }

  JsonObject on_a_wallet(Logical& call, const std::string& token) {
    call.tokens.push_back(token);
    const auto count = static_cast<std::uint64_t>(sizes_.wallets);
    return {{"input", JsonObject{{"token", token}}},
            {"query", JsonObject{{"id", wallet(static_cast<int>(random_.below(count)))}}}};
  }

  /// A client: up to four at once send the same call, each again and again until it is answered.
  Task<void> insist(Logical call) {
    co_await pause(app_.loop, milliseconds(random_.below(3'000)));
    std::set<std::string> seen;
    toa::Scope scope(app_.loop);
    const auto senders = 1 + random_.below(4);
    for (std::uint64_t i = 0; i < senders; ++i) scope.spawn(send(call, seen));
    co_await scope.close();
    if (call.once) EXPECT_EQ(seen.size(), 1u) << call.request;
    acknowledged_.insert(call.tokens.begin(), call.tokens.end());
  }

  Task<void> send(const Logical& call, std::set<std::string>& seen) {
    for (int attempt = 0; attempt < 200; ++attempt) {
      co_await pause(app_.loop, milliseconds(random_.below(200)));
      const auto reply = co_await app_.call(call.endpoint, call.request);
      if (!std::holds_alternative<Output>(reply.outcome)) continue;
      seen.insert(shown(reply));
      if (!one_in(3)) co_return;
    }
    ++unanswered_;
  }

  Task<void> dawdle() {
    const auto longest = static_cast<std::uint64_t>(sizes_.run_delay.count());
    co_await pause(app_.loop, milliseconds(random_.below(longest + 1)));
  }

  bool one_in(std::uint64_t n) { return random_.below(n) == 0; }
  static std::string wallet(int number) { return "w" + std::to_string(number); }

  static constexpr const char* endpoints[] = {"shop.wallets.credit", "shop.wallets.slow",
                                              "shop.wallets.move", "shop.orders.place"};
  Sizes sizes_;
  TestApplication app_;
  SeededRandom random_;
  std::set<std::string> acknowledged_;
  int unanswered_ = 0;
};

void rage(std::uint64_t first_seed, std::uint64_t seeds, Storm::Sizes sizes) {
  for (auto seed = first_seed; seed < first_seed + seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Storm storm(seed, sizes);
    storm.rage();
    storm.check();
    if (::testing::Test::HasFailure()) return;
  }
}

// R78–R101 together, whatever the order of events.
TEST(InvocationStress, EveryAcknowledgedCallIsAppliedOnceAndHasOneReply) {
  rage(1, 20, {});
}

// Waits that end by their time: turns, holds, repeats.
TEST(InvocationStress, HoldsWhereTheStorageIsSlowerThanEveryWait) {
  rage(100, 10,
       {.calls = 40,
        .wallets = 2,
        .storage_delay = milliseconds(2'500),
        .run_delay = milliseconds(6'000)});
}

TEST(InvocationStress, HoldsOnOneHotObject) {
  rage(200, 10, {.calls = 60, .wallets = 1, .storage_delay = milliseconds(3)});
}

}  // namespace
}  // namespace toa::operation::testing
