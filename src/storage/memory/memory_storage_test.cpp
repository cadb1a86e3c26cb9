#include "storage/memory/memory_storage.hpp"

#include <gtest/gtest.h>

#include "storage/conformance.hpp"
#include "storage/conformance_find.hpp"
#include "storage/memory/null_storage.hpp"

namespace toa::storage {
namespace conformance {
namespace {

struct Memory final : Backend {
  Memory(Loop& loop, const Clock& clock) : kept(loop, clock) {}
  Storage& storage() override { return kept; }
  MemoryStorage kept;
};

const auto kinds = ::testing::Values(Kind{"memory", [](ManualLoop& loop, const Clock& clock) {
                                            return std::make_unique<Memory>(loop, clock);
                                          }});
const auto name_of = [](const auto& test) { return test.param.name; };

INSTANTIATE_TEST_SUITE_P(Memory, Conformance, kinds, name_of);
INSTANTIATE_TEST_SUITE_P(Memory, ConformanceFind, kinds, name_of);

}  // namespace
}  // namespace conformance

namespace {

using conformance::credit;
using conformance::identity;
using conformance::write;

// R75
TEST(MemoryStorage, RefusesToRememberWithoutAtomicCommit) {
  ManualClock clock(0);
  ManualLoop loop;
  MemoryStorage storage(loop, clock, MemoryStorage::AtomicCommit::no);
  EXPECT_FALSE(storage.capabilities().atomic_commit);
  const auto refused = loop.run_until(
      storage.commit({.remembered = Remembered{credit, identity(1), std::chrono::hours(1), "1"}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::invalid);
  EXPECT_TRUE(loop.run_until(storage.commit({.writes = {write("a", 0, "{}")}})));
}

TEST(NullStorage, TakesEveryWriteAndFindsNothing) {
  ManualLoop loop;
  NullStorage storage;
  EXPECT_FALSE(storage.capabilities().atomic_commit);
  for (int i = 0; i < 2; ++i)
    EXPECT_TRUE(std::holds_alternative<Stored>(
        loop.run_until(storage.commit({.writes = {write("a", 0, "{}")}})).value()));
  EXPECT_FALSE(loop.run_until(storage.load(conformance::wallets, EntityId("a"))).value());
  EXPECT_FALSE(loop.run_until(storage.recall(credit, identity(1))).value());
}

TEST(NullStorage, RefusesToRemember) {
  ManualLoop loop;
  NullStorage storage;
  EXPECT_FALSE(loop.run_until(
      storage.commit({.remembered = Remembered{credit, identity(1), std::chrono::hours(1), "1"}})));
}

}  // namespace
}  // namespace toa::storage
