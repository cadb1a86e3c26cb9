#pragma once

#include <chrono>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "async/completion.hpp"
#include "async/loop.hpp"
#include "base/random.hpp"
#include "storage/storage.hpp"

namespace toa::operation::testing {

/// A storage whose answers take a while, in the loop's time, before and after what they do; some
/// fail before they did anything. Without being told to, it only counts.
class DelayingStorage final : public storage::Storage {
 public:
  DelayingStorage(storage::Storage& beneath, Loop& loop, Random& random)
      : beneath_(beneath), loop_(loop), random_(random) {}

  void delays_up_to(std::chrono::milliseconds longest) { longest_ = longest; }
  /// One in `n` fails; 0 for none.
  void fails_one_in(std::uint64_t n) { fails_one_in_ = n; }

  int recalls = 0;
  int loads = 0;
  int commits = 0;
  /// The records of units that were stored; what is beneath keeps no outbox.
  std::vector<Record> records;
  /// What the next changes start from, in place of what is stored.
  std::deque<storage::Head> heads;
  /// So many of the next units fall with what they are based on.
  int taken_back = 0;
  /// So many of the next units lose a race.
  int lost = 0;
  /// Of the last unit that was to be committed.
  std::optional<storage::Remembered> remembered;

  const storage::Capabilities& capabilities() const override { return beneath_.capabilities(); }

  Task<Result<void>> prepare(std::vector<storage::Collection> collections) override {
    return beneath_.prepare(std::move(collections));
  }

  Task<Result<std::optional<storage::FirstReply>>> recall(std::string endpoint,
                                                          Identity identity) override {
    ++recalls;
    co_await wait();
    if (fails()) co_return gone();
    auto answer = co_await beneath_.recall(std::move(endpoint), identity);
    co_await wait();
    co_return answer;
  }

  Task<Result<std::optional<storage::Object>>> load(ComponentId component, EntityId id) override {
    ++loads;
    co_await wait();
    if (fails()) co_return gone();
    auto answer = co_await beneath_.load(std::move(component), std::move(id));
    co_await wait();
    co_return answer;
  }

  Task<Result<storage::Head>> head(ComponentId component, EntityId id) override {
    ++loads;
    co_await wait();
    if (fails()) co_return gone();
    if (!heads.empty()) {
      auto next = std::move(heads.front());
      heads.pop_front();
      co_return next;
    }
    auto answer = co_await beneath_.head(std::move(component), std::move(id));
    co_await wait();
    co_return answer;
  }

  Task<Result<std::vector<storage::Object>>> find(ComponentId component,
                                                  Selection selection) override {
    co_await wait();
    if (fails()) co_return gone();
    auto answer = co_await beneath_.find(std::move(component), std::move(selection));
    co_await wait();
    co_return answer;
  }

  Task<Result<std::string>> query(ComponentId component, std::string text,
                                  JsonArray values) override {
    return beneath_.query(std::move(component), std::move(text), std::move(values));
  }

  Task<Result<storage::Commit>> commit(storage::Unit unit) override {
    ++commits;
    remembered = unit.remembered;
    if (taken_back > 0) {
      --taken_back;
      co_return storage::Lost{.taken_back = true};
    }
    if (lost > 0) {
      --lost;
      co_return storage::Lost{};
    }
    const auto announced = std::exchange(unit.records, {});
    co_await wait();
    if (fails()) co_return gone();
    auto answer = co_await beneath_.commit(std::move(unit));
    if (answer && std::holds_alternative<storage::Stored>(*answer))
      records.insert(records.end(), announced.begin(), announced.end());
    co_await wait();
    co_return answer;
  }

  Task<void> close() override { return beneath_.close(); }

 private:
  static std::unexpected<Error> gone() {
    return fail(ErrorKind::unavailable, "the storage is away");
  }

  bool fails() { return fails_one_in_ > 0 && random_.below(fails_one_in_) == 0; }

  Task<void> wait() {
    if (longest_.count() == 0) co_return;
    const auto span = static_cast<std::uint64_t>(longest_.count()) + 1;
    co_await pause(loop_, std::chrono::milliseconds(random_.below(span)));
  }

  storage::Storage& beneath_;
  Loop& loop_;
  Random& random_;
  std::chrono::milliseconds longest_{};
  std::uint64_t fails_one_in_ = 0;
};

}  // namespace toa::operation::testing
