#pragma once

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "async/manual_loop.hpp"
#include "async/scope.hpp"
#include "base/clock.hpp"
#include "base/limits.hpp"
#include "storage/queue.hpp"
#include "storage/storage.hpp"

/// What every queue must do. Include it in one test file of a queue and instantiate
/// `QueueConformance` with its backends.
namespace toa::storage::queue_conformance {

/// An open queue, the storage that its units go through, and what both stand on.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual Storage& storage() = 0;
  virtual Queue& queue() = 0;
};

/// How a queue is opened for a test, empty.
struct Kind {
  std::string name;
  std::function<std::unique_ptr<Backend>(ManualLoop&, const Clock&)> open;

  friend void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }
};

inline const ComponentId wallets{"shop.wallets"};
inline const ComponentId orders{"shop.orders"};
inline constexpr EpochMs start = 1'700'000'000'000;
inline constexpr std::size_t many = 1'000;

inline Identity identity(std::uint8_t n) {
  Identity::Bytes bytes{};
  bytes[0] = n;
  bytes[15] = n;
  return Identity(bytes);
}

inline Message message(std::int64_t number, EpochMs due = start,
                       const ComponentId& component = wallets) {
  return {.number = MessageNumber(number),
          .id = identity(static_cast<std::uint8_t>(number)),
          .kind = MessageKind::event,
          .component = component,
          .name = "shop.orders.paid",
          .body = R"({"cents":5,"note":"żółć \u0000 \""})",
          .trail = {"shop.orders.pay", "~shop.orders.paid"},
          .readonly = Readonly::no,
          .made = start,
          .attempt = 1,
          .due = due};
}

inline Record record(std::uint8_t n, std::string change = R"({"origin":null})") {
  return {.id = identity(n),
          .component = orders,
          .at = start,
          .change = std::move(change),
          .trail = {"shop.orders.pay"}};
}

inline Write write(std::int64_t base) {
  return {wallets, Version(base),
          Object{.id = EntityId("a"),
                 .version = Version(base + 1),
                 .created = start,
                 .updated = start,
                 .deleted = std::nullopt,
                 .region = 0,
                 .properties = "{}"}};
}

inline Failure failure() {
  return {.code = Code::entity_guard,
          .reason = "the wallet is empty",
          .cause = R"({"balance":0})",
          .stack = "at debit.ts:3"};
}

inline std::vector<std::int64_t> numbers(const std::vector<Message>& messages) {
  std::vector<std::int64_t> all;
  for (const auto& each : messages) all.push_back(each.number.value);
  return all;
}

using Numbers = std::vector<std::int64_t>;

class QueueConformance : public ::testing::TestWithParam<Kind> {
 protected:
  QueueConformance() : backend_(GetParam().open(loop_, clock_)) {
    EXPECT_TRUE(loop_.run_until(backend_->storage().prepare({wallets, orders})));
  }
  ~QueueConformance() override { loop_.run_until(backend_->storage().close()); }

  Queue& queue() { return backend_->queue(); }

  Commit commit(Unit unit) {
    return loop_.run_until(backend_->storage().commit(std::move(unit))).value();
  }
  void put(std::vector<Message> messages) { commit({.messages = std::move(messages)}); }
  void fate(Fate fate) { commit({.fates = {std::move(fate)}}); }

  std::vector<Message> due(EpochMs now = start, Place after = {}, std::size_t limit = many) {
    return loop_.run_until(queue().due(wallets, after, now, limit)).value();
  }
  std::optional<EpochMs> next_due(EpochMs now = start) {
    return loop_.run_until(queue().next_due(wallets, now)).value();
  }
  std::vector<Record> records(std::optional<Identity> after = {}, std::size_t limit = many) {
    return loop_.run_until(queue().records(after, limit)).value();
  }
  std::vector<ParkedMessage> parked(ParkedFilter filter = {}, std::int64_t after = 0,
                                    std::size_t limit = many) {
    return loop_.run_until(queue().parked(std::move(filter), MessageNumber(after), limit)).value();
  }
  std::size_t waiting() { return loop_.run_until(queue().waiting()).value(); }
  std::int64_t last_number() { return loop_.run_until(queue().last_number()).value().value; }

  ManualClock clock_{start};
  ManualLoop loop_;
  std::unique_ptr<Backend> backend_;
};

TEST_P(QueueConformance, IsEmptyAtFirst) {
  EXPECT_TRUE(due().empty());
  EXPECT_TRUE(records().empty());
  EXPECT_TRUE(parked().empty());
  EXPECT_FALSE(next_due());
  EXPECT_EQ(waiting(), 0u);
  EXPECT_EQ(last_number(), 0);
}

TEST_P(QueueConformance, ReturnsAMessageAsItWasPut) {
  auto task = message(2);
  task.kind = MessageKind::task;
  task.name = "shop.wallets.credit";
  task.readonly = Readonly::yes;
  task.trail = {};
  put({message(1), task});
  EXPECT_EQ(due(), (std::vector{message(1), task}));
}

TEST_P(QueueConformance, ReturnsWhatIsDueInTheOrderOfTheirPlaces) {
  put({message(1, start + 5), message(2, start - 5), message(3, start + 6), message(4, start - 5)});
  put({message(5, start, orders)});
  EXPECT_EQ(numbers(due(start)), (Numbers{2, 4}));
  EXPECT_EQ(numbers(due(start + 5)), (Numbers{2, 4, 1}));
  EXPECT_EQ(numbers(due(start + 6)), (Numbers{2, 4, 1, 3}));
}

TEST_P(QueueConformance, ReadsOnBehindAPlace) {
  put({message(1), message(2), message(3, start + 1), message(4, start + 2), message(5)});
  const auto now = start + 9;
  EXPECT_EQ(numbers(due(now, {}, 2)), (Numbers{1, 2}));
  EXPECT_EQ(numbers(due(now, {start, MessageNumber(2)}, 2)), (Numbers{5, 3}));
  EXPECT_EQ(numbers(due(now, {start + 1, MessageNumber(3)}, 2)), (Numbers{4}));
  EXPECT_TRUE(due(now, {start + 2, MessageNumber(4)}).empty());
  // A place need not be that of a message.
  EXPECT_EQ(numbers(due(now, {start, MessageNumber(9)})), (Numbers{3, 4}));
  EXPECT_TRUE(due(start, {start + 1, MessageNumber(0)}).empty());
}

TEST_P(QueueConformance, TellsWhenTheNextFallsDue) {
  put({message(1, start + 20), message(2, start + 10), message(3), message(4, start + 1, orders)});
  EXPECT_EQ(next_due(start), start + 10);
  EXPECT_EQ(next_due(start + 10), start + 20);
  EXPECT_FALSE(next_due(start + 20));
}

TEST_P(QueueConformance, BoundsAPageInBytesButNotBelowOneMessage) {
  auto large = message(1);
  large.body = '"' + std::string(limits::queue_page_bytes_max, 'x') + '"';
  auto second = large;
  second.number = MessageNumber(2);
  put({large, second});
  EXPECT_EQ(numbers(due()), (Numbers{1}));
  EXPECT_EQ(numbers(due(start, {start, MessageNumber(1)})), (Numbers{2}));
}

// R5, D3
TEST_P(QueueConformance, AnAcknowledgedMessageIsGone) {
  put({message(1), message(2)});
  fate(Acknowledge{MessageNumber(1)});
  EXPECT_EQ(numbers(due()), (Numbers{2}));
  EXPECT_EQ(waiting(), 1u);
}

// R8, R20
TEST_P(QueueConformance, ARetryWaitsForItsTimeWithItsAttempt) {
  put({message(1)});
  fate(Retry{MessageNumber(1), 2, start + 1'000});
  EXPECT_TRUE(due().empty());
  EXPECT_EQ(next_due(), start + 1'000);
  auto expected = message(1, start + 1'000);
  expected.attempt = 2;
  EXPECT_EQ(due(start + 1'000), std::vector{expected});
}

// R9, R32
TEST_P(QueueConformance, AParkedMessageWaitsForAnOperator) {
  put({message(1), message(2)});
  fate(Park{MessageNumber(1), start + 7, 5, failure()});
  EXPECT_EQ(numbers(due(start + 999'999)), (Numbers{2}));
  EXPECT_FALSE(next_due());
  EXPECT_EQ(waiting(), 1u);
  auto expected = message(1);
  expected.attempt = 5;
  EXPECT_EQ(parked(), (std::vector{ParkedMessage{expected, start + 7, failure()}}));
}

// R78
TEST_P(QueueConformance, AMessageKeepsTheIdentityThatItsReceiverStated) {
  put({message(1)});
  fate(KeepChain{MessageNumber(1), message(2).id});
  auto expected = message(1);
  expected.stated = message(2).id;
  EXPECT_EQ(due(), std::vector{expected});
  fate(Park{MessageNumber(1), start + 7, 1, failure()});
  EXPECT_EQ(parked(), (std::vector{ParkedMessage{expected, start + 7, failure()}}));
}

// R35, R36
TEST_P(QueueConformance, AReturnedMessageStartsAgainUnderItsIdentity) {
  put({message(1)});
  fate(Park{MessageNumber(1), start, 5, failure()});
  fate(Return{MessageNumber(1), start + 3});
  EXPECT_TRUE(parked().empty());
  EXPECT_EQ(due(start + 3), std::vector{message(1, start + 3)});
}

TEST_P(QueueConformance, OnlyAParkedMessageIsReturnedOrDiscarded) {
  put({message(1, start + 5), message(2)});
  fate(Return{MessageNumber(1), start});
  fate(Discard{MessageNumber(1)});
  EXPECT_EQ(due(start + 5), (std::vector{message(2), message(1, start + 5)}));
  fate(Park{MessageNumber(2), start, 1, failure()});
  fate(Discard{MessageNumber(2)});
  EXPECT_TRUE(parked().empty());
  EXPECT_EQ(waiting(), 1u);
}

TEST_P(QueueConformance, AFateOfAMessageThatIsNotThereIsNothing) {
  put({message(1)});
  const MessageNumber nobody(9);
  for (const Fate& each : std::vector<Fate>{
           Acknowledge{nobody}, Retry{nobody, 2, start}, Park{nobody, start, 1, failure()},
           Return{nobody, start}, Discard{nobody}, KeepChain{nobody, message(1).id}}) {
    fate(each);
  }
  EXPECT_EQ(due(), std::vector{message(1)});
  EXPECT_TRUE(parked().empty());
}

// D3
TEST_P(QueueConformance, AnAcknowledgementIsStoredWithTheStateOrNotAtAll) {
  put({message(1)});
  EXPECT_TRUE(std::holds_alternative<Lost>(
      commit({.writes = {write(4)}, .fates = {Acknowledge{MessageNumber(1)}}})));
  EXPECT_EQ(due(), std::vector{message(1)});
  EXPECT_TRUE(std::holds_alternative<Stored>(
      commit({.writes = {write(0)}, .fates = {Acknowledge{MessageNumber(1)}}})));
  EXPECT_TRUE(due().empty());
}

// R86: a repeat is answered from its record; its message is acknowledged by itself.
TEST_P(QueueConformance, ARepeatAcknowledgesNothingByItsUnit) {
  put({message(1)});
  const Remembered first{"shop.wallets.credit", identity(1), std::chrono::hours(1), "1"};
  commit({.writes = {write(0)}, .remembered = first});
  EXPECT_TRUE(std::holds_alternative<FirstReply>(commit(
      {.writes = {write(1)}, .remembered = first, .fates = {Acknowledge{MessageNumber(1)}}})));
  EXPECT_EQ(due(), std::vector{message(1)});
}

// R42
TEST_P(QueueConformance, ALostUnitLeavesNeitherRecordsNorMessages) {
  EXPECT_TRUE(std::holds_alternative<Lost>(
      commit({.writes = {write(3)}, .records = {record(1)}, .messages = {message(1)}})));
  EXPECT_TRUE(records().empty());
  EXPECT_TRUE(due().empty());
}

TEST_P(QueueConformance, ReturnsRecordsInTheOrderOfTheirIds) {
  commit({.records = {record(3)}});
  commit({.records = {record(1), record(2)}});
  EXPECT_EQ(records(), (std::vector{record(1), record(2), record(3)}));
  EXPECT_EQ(records({}, 2), (std::vector{record(1), record(2)}));
  EXPECT_EQ(records(identity(1), 1), (std::vector{record(2)}));
  EXPECT_TRUE(records(identity(3)).empty());
}

TEST_P(QueueConformance, BoundsAPageOfRecordsInBytesButNotBelowOne) {
  const auto large = '"' + std::string(limits::queue_page_bytes_max, 'x') + '"';
  commit({.records = {record(1, large)}});
  commit({.records = {record(2, large)}});
  EXPECT_EQ(records().size(), 1u);
  EXPECT_EQ(records(identity(1)).size(), 1u);
}

TEST_P(QueueConformance, ARecordLeavesWithTheMessagesMadeOfIt) {
  commit({.records = {record(1), record(2)}});
  commit({.messages = {message(1)}, .published = {identity(1)}});
  EXPECT_EQ(records(), std::vector{record(2)});
  EXPECT_EQ(due(), std::vector{message(1)});
}

TEST_P(QueueConformance, ARecordThatHasLeftIsNotMadeIntoMessagesAgain) {
  commit({.records = {record(1)}});
  commit({.messages = {message(1)}, .published = {identity(1)}});
  const auto again = commit({.messages = {message(2)}, .published = {identity(1)}});
  EXPECT_TRUE(std::holds_alternative<Lost>(again));
  EXPECT_EQ(due(), std::vector{message(1)});
}

TEST_P(QueueConformance, NothingIsWrittenBesideARecordThatHasLeft) {
  EXPECT_TRUE(std::holds_alternative<Lost>(
      commit({.writes = {write(0)}, .messages = {message(3)}, .published = {identity(1)}})));
  EXPECT_TRUE(std::holds_alternative<Stored>(commit({.writes = {write(0)}})));
  EXPECT_TRUE(due().empty());
}

TEST_P(QueueConformance, NoNumberIsAboveTheLast) {
  put({message(5), message(3)});
  EXPECT_GE(last_number(), 5);
  put({message(4)});
  EXPECT_GE(last_number(), 5);
  const auto before = last_number();
  fate(Acknowledge{MessageNumber(5)});
  EXPECT_EQ(last_number(), before);
  put({message(before + 1)});
  EXPECT_GE(last_number(), before + 1);
}

TEST_P(QueueConformance, FiltersParkedMessagesAndPagesThem) {
  put({message(1), message(2), message(3, start, orders)});
  auto other = failure();
  other.reason = "away";
  fate(Park{MessageNumber(1), start, 5, failure()});
  fate(Park{MessageNumber(2), start, 5, other});
  fate(Park{MessageNumber(3), start, 5, other});
  const auto found = [this](ParkedFilter filter, std::int64_t after = 0, std::size_t limit = many) {
    Numbers all;
    for (const auto& each : parked(std::move(filter), after, limit))
      all.push_back(each.message.number.value);
    return all;
  };
  EXPECT_EQ(found({}), (Numbers{1, 2, 3}));
  EXPECT_EQ(found({}, 1, 1), (Numbers{2}));
  ParkedFilter away, of_orders, second;
  away.reason = "away";
  of_orders.component = orders.value;
  second.ids = {identity(2)};
  EXPECT_EQ(found(away), (Numbers{2, 3}));
  EXPECT_EQ(found(of_orders), (Numbers{3}));
  EXPECT_EQ(found(second), (Numbers{2}));
  EXPECT_EQ(found(away, 2), (Numbers{3}));
}

TEST_P(QueueConformance, UnitsCommittedTogetherAreSeenTogether) {
  Scope scope(loop_);
  const auto keep = [](Storage& storage, Unit unit) -> Task<void> {
    EXPECT_TRUE(co_await storage.commit(std::move(unit)));
  };
  for (std::int64_t n = 1; n <= 20; ++n)
    scope.spawn(keep(backend_->storage(), {.messages = {message(n)}}));
  loop_.run_until(scope.close());
  EXPECT_EQ(due().size(), 20u);
  EXPECT_GE(last_number(), 20);
}

}  // namespace toa::storage::queue_conformance
