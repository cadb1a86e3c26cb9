#include <gtest/gtest.h>

#include "operation/test/test_application.hpp"

namespace toa::operation::testing {
namespace {

/// Transitions that move from one wallet to another, while assignments rename both, over a storage
/// that is slow: what is moved is neither lost nor made, and every acknowledged write is one
/// version.
class Crossing {
 public:
  explicit Crossing(std::uint64_t seed) : app_(seed), random_(seed + 1'000), callers_(app_) {
    app_.component("shop.wallets", R"({"balance":{"type":"integer"},"name":{"type":"string"}})",
                   R"({"balance":100})");
    app_.inherit("shop.wallets.transit", {.input = R"({"type":"object"})"}, Inherited::transit);
    app_.inherit("shop.wallets.assign", assignment(), Inherited::assign);
    app_.add("shop.wallets.move", {.scope = Scope::entries}, move);
    for (int i = 0; i < wallets; ++i)
      app_.reply("shop.wallets.transit", R"({"query":{"id":")" + wallet(i) + R"("},"input":{}})");
  }

  void run() {
    app_.storage.delays_up_to(milliseconds(5));
    for (int i = 0; i < 60; ++i) {
      const auto from = pick();
      const auto to = (from + 1 + static_cast<int>(random_.below(wallets - 1))) % wallets;
      if (random_.below(2) == 0) {
        touched_.push_back({from, to});
        callers_.call("shop.wallets.move", R"({"query":{"ids":[")" + wallet(from) + R"(",")" +
                                               wallet(to) + R"("],"sort":["id"]}})");
      } else {
        touched_.push_back({from});
        callers_.call("shop.wallets.assign",
                      R"({"query":{"id":")" + wallet(from) + R"("},"input":{"name":"n"}})");
      }
    }
    callers_.finish();
  }

  void check() {
    std::vector<std::int64_t> versions(wallets, 1);
    for (std::size_t i = 0; i < touched_.size(); ++i) {
      const auto& reply = *callers_.replies[i];
      const bool stored = std::holds_alternative<Output>(reply.outcome);
      if (touched_[i].size() == 1) EXPECT_TRUE(stored) << "an assignment: " << shown(reply);
      if (!stored) EXPECT_EQ(shown(reply), "#304");
      for (const auto which : touched_[i])
        if (stored) ++versions[static_cast<std::size_t>(which)];
    }
    std::int64_t sum = 0;
    for (int i = 0; i < wallets; ++i) {
      const auto object = app_.object("shop.wallets", wallet(i));
      EXPECT_EQ(object->version.value, versions[static_cast<std::size_t>(i)]) << wallet(i);
      sum += json::parse(object->properties)->at("balance").as_int64();
    }
    EXPECT_EQ(sum, 100 * wallets);
  }

 private:
  static constexpr int wallets = 4;

  static Task<Ran> move(Run run, Host&) {
    auto states = run.state->value().as_array();
    auto& from = states.front().at("balance").as_int64();
    auto& to = states.back().at("balance").as_int64();
    --from;
    ++to;
    co_return leaves_all(std::move(states));
  }

  int pick() { return static_cast<int>(random_.below(wallets)); }
  static std::string wallet(int number) { return "w" + std::to_string(number); }

  TestApplication app_;
  SeededRandom random_;
  Callers callers_;
  std::vector<std::vector<int>> touched_;
};

// R166, R167; spec core 3.4
TEST(EntriesStress, WritesOfSeveralObjectsAreWholeAndAssignmentsNeverFail) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Crossing crossing(seed);
    crossing.run();
    crossing.check();
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace toa::operation::testing
