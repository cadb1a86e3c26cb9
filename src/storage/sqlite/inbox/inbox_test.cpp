#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "async/manual_loop.hpp"
#include "base/random.hpp"
#include "storage/conformance_fixture.hpp"
#include "storage/sqlite/sqlite_storage.hpp"
#include "storage/sqlite/temporary_folder.hpp"

/// Remembered calls in slices (D6), which are small here.
namespace toa::storage::sqlite {
namespace {

using conformance::credit;
using conformance::start;
using conformance::wallets;
using conformance::window;
using conformance::write;

Identity call(int n) {
  Identity::Bytes bytes{};
  // The first six bytes are a chain's.
  bytes[5] = static_cast<std::uint8_t>(n);
  bytes[14] = static_cast<std::uint8_t>(n >> 8);
  bytes[15] = static_cast<std::uint8_t>(n);
  return Identity(bytes);
}

TEST(CallHash, DependsOnAllOfTheCallAndOnTheSeed) {
  const CallHash hash(1);
  std::set<std::uint64_t> hashes{CallHash(2)("a.b.c", call(1)), hash("a.b.d", call(1)),
                                 hash("a.b.cc", call(1)), hash("", call(1)),
                                 hash("a.b.c.with_a_long_name", call(1))};
  for (std::size_t i = 0; i < 16; ++i) {
    auto bytes = call(1).bytes();
    bytes[i] ^= 0x10;
    hashes.insert(hash("a.b.c", Identity(bytes)));
  }
  EXPECT_EQ(hashes.size(), 21u);
  EXPECT_FALSE(hashes.contains(hash("a.b.c", call(1))));
}

TEST(CallSet, FindsWhatWasAddedAndNotWhatWasRemoved) {
  SeededRandom random(1);
  CallSet set;
  std::vector<CallSet::Entry> entries;
  for (std::uint32_t n = 1; n <= 5'000; ++n) {
    // Few high bits, so that many share their places.
    entries.push_back({random.next() & 0xff00'0000'0000'00ff, n});
    set.add(entries.back());
    if (n % 3 != 0) continue;
    const auto chosen = random.below(entries.size());
    set.remove(entries[chosen]);
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
  EXPECT_EQ(set.size(), entries.size());
  for (const auto& [hash, number] : entries) {
    std::vector<std::uint32_t> found;
    set.find(hash, found);
    EXPECT_NE(std::ranges::find(found, number), found.end());
    for (const auto each : found)
      EXPECT_TRUE(std::ranges::any_of(
          entries, [&](const auto& e) { return e.hash == hash && e.number == each; }));
  }
}

TEST(CallSet, IsReadInPagesNearlyInTheOrderOfItsHashes) {
  SeededRandom random(1);
  CallSet set;
  for (std::uint32_t n = 1; n <= 10'000; ++n) set.add({random.next(), n});
  std::vector<CallSet::Entry> all;
  for (std::size_t place = 0;;) {
    const auto page = set.page(place, 100);
    all.insert(all.end(), page.begin(), page.end());
    if (page.size() < 100) break;
  }
  ASSERT_EQ(all.size(), 10'000u);
  std::size_t out_of_order = 0;
  for (std::size_t i = 1; i < all.size(); ++i) out_of_order += all[i].hash < all[i - 1].hash;
  EXPECT_LT(out_of_order, all.size() / 4);
}

TEST(Filter, PassesAllThatItHasAndFewOfTheRest) {
  SeededRandom random(1);
  constexpr std::size_t calls = 20'000;
  Filter filter(calls);
  std::vector<std::uint64_t> hashes(calls);
  for (auto& hash : hashes) filter.add(hash = random.next());
  const auto kept = Filter::of(std::string(filter.bytes()));
  for (const auto hash : hashes) EXPECT_TRUE(kept.may_have(hash));
  std::size_t passed = 0;
  for (std::size_t i = 0; i < calls; ++i) passed += kept.may_have(random.next());
  EXPECT_LT(passed, calls / 80);
}

/// Counts what goes to the thread that reads.
class CountingExecutor final : public Executor {
 public:
  explicit CountingExecutor(Loop& loop) : beneath_(loop) {}
  void post(Callback work) override {
    ++posts;
    beneath_.post(std::move(work));
  }
  int posts = 0;

 private:
  LoopExecutor beneath_;
};

class InboxTest : public ::testing::Test {
 protected:
  void open() {
    storage_ = SqliteStorage::open({.file = file_, .inbox = options_},
                                   {loop_, writer_, reader_, clock_, faults_})
                   .value();
    ASSERT_TRUE(loop_.run_until(storage_->prepare({wallets})));
  }
  void close() {
    loop_.run_until(storage_->close());
    storage_.reset();
  }
  void reopen() {
    close();
    open();
  }
  Result<Commit> commit(Unit unit) { return loop_.run_until(storage_->commit(std::move(unit))); }
  Result<Commit> remember(int n, std::chrono::milliseconds for_ = window) {
    return commit({.remembered = Remembered{credit, call(n), for_, std::to_string(n)}});
  }
  void remember_all(int from, int to) {
    for (int n = from; n < to; ++n)
      ASSERT_TRUE(std::holds_alternative<Stored>(remember(n).value())) << n;
  }
  std::optional<FirstReply> recall(int n) {
    return loop_.run_until(storage_->recall(credit, call(n))).value();
  }
  /// By who asks before it runs, and by the commit.
  void expect_known(int from, int to) {
    for (int n = from; n < to; ++n) {
      const auto recalled = recall(n);
      ASSERT_TRUE(recalled) << n;
      EXPECT_EQ(recalled->reply, std::to_string(n));
      const auto again = remember(n).value();
      ASSERT_TRUE(std::holds_alternative<FirstReply>(again)) << n;
      EXPECT_EQ(std::get<FirstReply>(again).reply, std::to_string(n));
    }
  }
  void commit_something(int times) {
    for (int i = 0; i < times; ++i) ASSERT_TRUE(commit({.writes = {write("a", version_++, "{}")}}));
  }
  std::string ask(const std::string& sql) {
    return Connection::open(file_, {}, Access::read_write).value().ask(sql);
  }
  std::string slices() { return ask("SELECT count(*) FROM inbox_slices"); }
  std::string tables() {
    return ask(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name GLOB 'inbox_[0-9]*'");
  }
  Message message(int n) {
    return {.number = MessageNumber(n + 1),
            .id = call(n),
            .kind = MessageKind::task,
            .component = wallets,
            .name = "credit",
            .body = "{}",
            .trail = {},
            .readonly = Readonly::no,
            .made = start,
            .attempt = 1,
            .due = start};
  }

  InboxOptions options_{.slice_rows_max = 8, .index_rows_max = 3};
  TemporaryFolder folder_;
  std::string file_ = folder_.path() + "/toa.db";
  ManualClock clock_{start};
  ManualLoop loop_;
  LoopExecutor writer_{loop_};
  CountingExecutor reader_{loop_};
  Faults faults_;
  std::unique_ptr<SqliteStorage> storage_;
  std::int64_t version_ = 0;
};

TEST_F(InboxTest, CallsAreKnownWhetherTheirSliceIsOpenClosedOrIndexed) {
  open();
  remember_all(0, 100);
  expect_known(0, 100);
  commit_something(60);
  EXPECT_EQ(ask("SELECT count(*) FROM inbox_slices WHERE state = 2"), "12");
  expect_known(0, 100);
  close();
}

TEST_F(InboxTest, CallsAreKnownOverARestartInTheMiddleOfAnIndex) {
  open();
  for (int n = 0; n < 100; n += 5) {
    remember_all(n, n + 5);
    reopen();
  }
  expect_known(0, 100);
  commit_something(60);
  reopen();
  expect_known(0, 100);
  close();
}

TEST_F(InboxTest, OneOfAnotherEndpointIsAnotherCall) {
  open();
  remember_all(0, 20);
  EXPECT_FALSE(loop_.run_until(storage_->recall("shop.wallets.debit", call(3))).value());
  ASSERT_TRUE(std::holds_alternative<Stored>(
      commit({.remembered = Remembered{"shop.wallets.debit", call(3), window, "other"}}).value()));
  EXPECT_EQ(recall(3)->reply, "3");
  EXPECT_EQ(loop_.run_until(storage_->recall("shop.wallets.debit", call(3))).value()->reply,
            "other");
  close();
}

TEST_F(InboxTest, TellsOfWhichOperationsACallIsRememberedAndForHowLong) {
  open();
  remember_all(0, 20);
  ASSERT_TRUE(
      commit({.remembered = Remembered{"shop.wallets.debit", call(3), 2 * window, std::nullopt}}));
  const auto told = [this](int n) {
    return loop_.run_until(storage_->remembered(call(n))).value();
  };
  const auto two = told(3);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].endpoint, credit);
  EXPECT_EQ(two[0].expires, start + window.count());
  EXPECT_FALSE(two[0].kept);
  EXPECT_EQ(two[0].first.reply, "3");
  EXPECT_EQ(two[1].endpoint, "shop.wallets.debit");
  EXPECT_EQ(two[1].expires, start + 2 * window.count());
  EXPECT_FALSE(two[1].first.reply);
  EXPECT_TRUE(told(1'000).empty());

  // What a message keeps is told for longer, also once its slice is gone.
  ASSERT_TRUE(commit({.messages = {message(5)}}));
  clock_.advance(5 * window);
  EXPECT_TRUE(told(6).empty());
  EXPECT_TRUE(told(5).at(0).kept);
  commit_something(12);
  EXPECT_EQ(tables(), "0");
  EXPECT_TRUE(told(5).at(0).kept);
  EXPECT_EQ(told(5).at(0).first.reply, "5");
  close();
}

TEST_F(InboxTest, AFreshCallIsAskedOfNobody) {
  open();
  remember_all(0, 100);
  commit_something(60);
  const auto before = reader_.posts;
  int asked = 0;
  for (int n = 1'000; n < 2'000; ++n) EXPECT_FALSE(recall(n));
  asked = reader_.posts - before;
  // What passes a filter by chance: of 12 slices each.
  EXPECT_LT(asked, 200);
  close();
}

TEST_F(InboxTest, WithoutRoomForFiltersTheIndexesAreAsked) {
  options_.filter_bytes_max = 100;
  open();
  remember_all(0, 100);
  commit_something(60);
  expect_known(0, 100);
  EXPECT_FALSE(recall(1'000));
  close();
}

TEST_F(InboxTest, ABatchThatFailsLeavesNothingBehind) {
  open();
  remember_all(0, 8);
  ASSERT_TRUE(faults_.arm("commit.written:1=fail"));
  EXPECT_FALSE(remember(8));  // it had made a slice
  EXPECT_FALSE(recall(8));
  EXPECT_EQ(slices(), "1");
  remember_all(8, 40);
  expect_known(0, 40);
  close();
}

// A unit of several writes is undone by itself; the slice that it was the first to need stays.
TEST_F(InboxTest, AUnitThatLosesLeavesNoRecordAndItsBatchGoesOn) {
  open();
  ASSERT_TRUE(
      std::holds_alternative<Lost>(commit({.writes = {write("a", 0, "{}"), write("b", 7, "{}")},
                                           .remembered = Remembered{credit, call(0), window, "0"}})
                                       .value()));
  EXPECT_FALSE(recall(0));
  remember_all(0, 3);
  reopen();
  expect_known(0, 3);
  close();
}

TEST_F(InboxTest, ASliceIsDroppedWholeOnceAllOfItHasExpired) {
  open();
  remember_all(0, 20);
  clock_.advance(2 * window);
  EXPECT_FALSE(recall(3));
  commit_something(12);
  EXPECT_EQ(slices(), "0");
  EXPECT_EQ(tables(), "0");
  ASSERT_TRUE(std::holds_alternative<Stored>(remember(3).value()));
  close();
}

TEST_F(InboxTest, ACallMayBeMadeAgainOnceItHasExpiredThoughItsRecordIsThere) {
  open();
  ASSERT_TRUE(remember(0, std::chrono::seconds(60)));
  clock_.advance(std::chrono::seconds(61));
  EXPECT_FALSE(recall(0));
  const auto again = commit({.remembered = Remembered{credit, call(0), window, "again"}});
  EXPECT_TRUE(std::holds_alternative<Stored>(again.value()));
  EXPECT_EQ(recall(0)->reply, "again");
  close();
}

// D6
TEST_F(InboxTest, WhatAWaitingMessageKeepsOutlivesItsSlice) {
  open();
  remember_all(0, 20);
  ASSERT_TRUE(commit({.messages = {message(5)}}));
  clock_.advance(2 * window);
  commit_something(12);
  EXPECT_EQ(tables(), "0");
  EXPECT_EQ(ask("SELECT count(*) FROM inbox"), "1");
  EXPECT_EQ(recall(5)->reply, "5");
  EXPECT_FALSE(recall(6));
  reopen();
  expect_known(5, 6);
  // It is kept for one window more than the message.
  ASSERT_TRUE(commit({.fates = {Acknowledge{MessageNumber(6)}}}));
  clock_.advance(3 * window);
  commit_something(3);
  EXPECT_FALSE(recall(5));
  EXPECT_EQ(ask("SELECT count(*) FROM inbox"), "0");
  close();
}

// Format 2 had one table.
TEST_F(InboxTest, WhatAnOlderFileRemembersIsKnown) {
  open();
  remember_all(0, 3);
  close();
  ask("INSERT INTO inbox (endpoint, identity, expires, reply)"
      " SELECT endpoint, identity, expires, reply FROM inbox_1");
  ask("DROP TABLE inbox_1");
  ask("DROP TABLE inbox_1_index");
  ask("DROP TABLE inbox_slices");
  ask("DROP INDEX messages_stated");
  ask("ALTER TABLE messages DROP COLUMN stated");
  ask("PRAGMA user_version = 2");
  open();
  expect_known(0, 3);
  remember_all(3, 20);
  clock_.advance(2 * window);
  commit_something(12);
  EXPECT_EQ(ask("SELECT count(*) FROM inbox"), "0");
  close();
}

}  // namespace
}  // namespace toa::storage::sqlite
