#include <gtest/gtest.h>

#include "async/scope.hpp"
#include "storage/conformance_fixture.hpp"
#include "storage/sqlite/sqlite_storage.hpp"
#include "storage/sqlite/temporary_folder.hpp"

/// Changes that start from states which are accepted and not durable yet (D5).
namespace toa::storage::sqlite {
namespace {

using conformance::credit;
using conformance::identity;
using conformance::is_lost;
using conformance::is_stored;
using conformance::start;
using conformance::wallets;
using conformance::window;
using conformance::write;

bool is_taken_back(const Commit& commit) {
  const auto* lost = std::get_if<Lost>(&commit);
  return lost != nullptr && lost->taken_back;
}

class AcceptedTest : public ::testing::Test {
 protected:
  using Outcome = std::optional<Result<Commit>>;

  void open(bool accepts_early = true) {
    storage_ =
        SqliteStorage::open({.file = folder_.path() + "/toa.db", .accepts_early = accepts_early},
                            {loop_, executor_, executor_, clock_, faults_})
            .value();
  }
  void prepare(std::vector<Collection> collections = {wallets}) {
    ASSERT_TRUE(loop_.run_until(storage_->prepare(std::move(collections))));
  }
  void open_for_wallets() {
    open();
    prepare();
  }
  ~AcceptedTest() override {
    loop_.run_until(scope_->close());
    loop_.run_until(storage_->close());
  }

  /// Hands the unit in and does not wait.
  void hand_in(Unit unit, Outcome& outcome) { scope_->spawn(keep(std::move(unit), outcome)); }
  Task<void> keep(Unit unit, Outcome& outcome) {
    outcome.emplace(co_await storage_->commit(std::move(unit)));
  }
  void land() {
    loop_.run_until(scope_->close());
    scope_.emplace(loop_);
  }
  Head head() { return loop_.run_until(storage_->head(wallets, EntityId("a"))).value(); }
  /// A change of `a` to version `base + 1` that others may build on.
  Unit change(std::int64_t base, Accepted on = {}) {
    Unit unit{.writes = {write("a", base, "{}")}, .on_accepted = [this] { ++accepted_; }};
    unit.writes.front().on = std::move(on);
    return unit;
  }
  Remembered record(Identity id) { return {credit, id, window, "1"}; }

  TemporaryFolder folder_;
  ManualClock clock_{start};
  ManualLoop loop_;
  LoopExecutor executor_{loop_};
  Faults faults_;
  std::unique_ptr<SqliteStorage> storage_;
  std::optional<Scope> scope_{std::in_place, loop_};
  int accepted_ = 0;
};

TEST_F(AcceptedTest, AChangeBuildsOnOneThatIsNotDurableYet) {
  open_for_wallets();
  Outcome first, second;
  hand_in(change(0), first);
  EXPECT_EQ(accepted_, 1);
  EXPECT_FALSE(first);
  const auto seen = head();
  ASSERT_TRUE(seen.made_by);
  EXPECT_EQ(seen.object->version, Version(1));
  hand_in(change(1, seen.made_by), second);
  EXPECT_EQ(accepted_, 2);
  land();
  EXPECT_TRUE(is_stored(first->value()));
  EXPECT_TRUE(is_stored(second->value()));
  EXPECT_TRUE(seen.made_by->is_stored());
  EXPECT_FALSE(head().made_by);
  EXPECT_EQ(head().object->version, Version(2));
}

TEST_F(AcceptedTest, LoadsShowWhatIsDurableAlone) {
  open_for_wallets();
  Outcome first, second;
  hand_in(change(0), first);
  land();
  hand_in(change(1), second);
  EXPECT_EQ(head().object->version, Version(2));
  const auto loaded = loop_.run_until(storage_->load(wallets, EntityId("a"))).value();
  EXPECT_EQ(loaded->version, Version(1));
  land();
}

TEST_F(AcceptedTest, WhoDoesNotStartFromTheHeadLosesAtOnce) {
  open_for_wallets();
  Outcome first, second;
  hand_in(change(0), first);
  hand_in(change(0), second);
  ASSERT_TRUE(second);
  EXPECT_TRUE(is_lost(second->value()));
  EXPECT_FALSE(is_taken_back(second->value()));
  EXPECT_EQ(accepted_, 1);
  land();
}

TEST_F(AcceptedTest, WhatBuildsOnARejectedChangeFallsWithItUncounted) {
  open_for_wallets();
  Outcome lost, second, third;
  hand_in(change(7), lost);  // the object is not at version 7
  hand_in(change(8, head().made_by), second);
  hand_in(change(9, head().made_by), third);
  land();
  EXPECT_TRUE(is_lost(lost->value()));
  EXPECT_FALSE(is_taken_back(lost->value()));
  EXPECT_TRUE(is_taken_back(second->value()));
  EXPECT_TRUE(is_taken_back(third->value()));
  EXPECT_FALSE(head().object);
}

// In one batch: another writer makes the very version that the rejected one was to make.
TEST_F(AcceptedTest, ABaseIsKnownByTheUnitThatMadeItAndNotByItsVersion) {
  open_for_wallets();
  Outcome made, known, other, second;
  hand_in({.writes = {write("b", 0, "{}")}, .remembered = record(identity(1))}, made);
  auto repeat = change(0);
  repeat.remembered = record(identity(1));
  hand_in(std::move(repeat), known);
  const auto seen = head().made_by;
  hand_in({.writes = {write("a", 0, R"({"by":"other"})")}}, other);
  hand_in(change(1, seen), second);
  land();
  EXPECT_TRUE(std::holds_alternative<FirstReply>(known->value()));
  EXPECT_TRUE(is_stored(other->value()));
  EXPECT_TRUE(is_taken_back(second->value()));
  EXPECT_EQ(head().object->properties, R"({"by":"other"})");
}

TEST_F(AcceptedTest, ABaseThatWasRejectedBeforeIsNoBaseEvenAtTheSameVersion) {
  open_for_wallets();
  ASSERT_TRUE(faults_.arm("commit.written:1=fail"));
  Outcome failed, other, second;
  hand_in(change(0), failed);
  const auto seen = head().made_by;
  land();
  EXPECT_FALSE(*failed);
  hand_in({.writes = {write("a", 0, "{}")}}, other);
  land();
  hand_in(change(1, seen), second);
  land();
  EXPECT_TRUE(is_taken_back(second->value()));
}

// R87
TEST_F(AcceptedTest, AKnownCallIsAnsweredThoughWhatItIsBasedOnWasRejected) {
  open_for_wallets();
  Outcome made, lost, repeat;
  hand_in({.writes = {write("b", 0, "{}")}, .remembered = record(identity(1))}, made);
  hand_in(change(7), lost);
  auto unit = change(8, head().made_by);
  unit.remembered = record(identity(1));
  hand_in(std::move(unit), repeat);
  land();
  EXPECT_TRUE(std::holds_alternative<FirstReply>(repeat->value()));
}

// R87
TEST_F(AcceptedTest, AKnownCallIsAnsweredThoughItDoesNotStartFromTheHead) {
  open_for_wallets();
  Outcome first, repeat;
  auto unit = change(0);
  unit.remembered = record(identity(1));
  hand_in(unit, first);
  hand_in(std::move(unit), repeat);
  land();
  EXPECT_TRUE(is_stored(first->value()));
  EXPECT_TRUE(std::holds_alternative<FirstReply>(repeat->value()));
}

TEST_F(AcceptedTest, AUnitThatFellLeavesNoRecordOfItsCall) {
  open_for_wallets();
  Outcome lost, second;
  hand_in(change(7), lost);
  auto unit = change(8, head().made_by);
  unit.remembered = record(identity(1));
  hand_in(std::move(unit), second);
  land();
  EXPECT_TRUE(is_taken_back(second->value()));
  EXPECT_FALSE(loop_.run_until(storage_->recall(credit, identity(1))).value());
}

// R188: what may clash is no base.
TEST_F(AcceptedTest, NothingIsAcceptedEarlyWhereAUniqueIndexMayRejectIt) {
  open();
  Index index{.name = "mail", .keys = {{.path = "mail"}}, .unique = true};
  prepare({Collection(wallets, {{.id = "1", .steps = {index}}})});
  Outcome first;
  hand_in(change(0), first);
  EXPECT_EQ(accepted_, 0);
  EXPECT_FALSE(head().made_by);
  land();
  EXPECT_TRUE(is_stored(first->value()));
}

TEST_F(AcceptedTest, NothingIsAcceptedEarlyWhereThatIsSwitchedOff) {
  open(false);
  prepare();
  Outcome first;
  hand_in(change(0), first);
  EXPECT_EQ(accepted_, 0);
  EXPECT_FALSE(head().made_by);
  land();
}

}  // namespace
}  // namespace toa::storage::sqlite
