#pragma once

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "async/manual_loop.hpp"
#include "delivery/delivery.hpp"
#include "storage/memory/memory_storage.hpp"

/// For tests of delivery: an application whose code the test plays, over a storage that fails when
/// told to.
namespace toa::delivery {

inline const ComponentId orders{"shop.orders"};
inline const ComponentId wallets{"shop.wallets"};
inline const ComponentId mails{"shop.mails"};
inline const std::string paid = "shop.orders.paid";

inline manifest::Receiver receiver_of(const std::string& label, const std::string& operation) {
  return {.label = label, .operation = operation, .arguments = {}, .file = {}};
}

/// Orders announce that they were paid, which wallets and mails receive.
inline manifest::Application shop() {
  manifest::Application application;
  for (const auto& id : {orders, wallets, mails}) {
    auto& component = application.components[id];
    component.id = id;
    component.space = "shop";
    component.name = id.value.substr(5);
  }
  auto& announcing = application.components[orders];
  announcing.events["paid"] = {.name = "paid", .label = paid, .inherited = {}, .file = "/paid.js"};
  announcing.announced = true;
  for (const auto& id : {wallets, mails}) {
    application.components[id].receivers[paid] = receiver_of(paid, "credit");
    application.receivers[paid].push_back(id);
  }
  return application;
}

/// Passes units on to a memory storage, or fails them.
class FailingStorage final : public storage::Storage, public storage::Queue {
 public:
  FailingStorage(Loop& loop, const Clock& clock) : kept_(loop, clock), loop_(loop) {}

  /// Asked of each unit: whether it fails.
  std::function<bool(const storage::Unit&)> fails = [](const auto&) { return false; };
  bool reads_fail = false;
  /// The most messages that one read returned.
  std::size_t largest_page = 0;
  std::size_t reads = 0;
  /// Awaited by each read of the line before it is answered, but after it was made.
  std::function<Task<void>()> before_answer;

  const storage::Capabilities& capabilities() const override { return kept_.capabilities(); }
  Task<Result<void>> prepare(std::vector<storage::Collection> collections) override {
    return kept_.prepare(std::move(collections));
  }
  Task<Result<std::optional<storage::FirstReply>>> recall(std::string endpoint,
                                                          Identity identity) override {
    return kept_.recall(std::move(endpoint), identity);
  }
  Task<Result<std::optional<Object>>> load(ComponentId component, EntityId id) override {
    return kept_.load(std::move(component), std::move(id));
  }
  Task<Result<std::vector<Object>>> find(ComponentId component, Selection selection) override {
    return kept_.find(std::move(component), std::move(selection));
  }
  Task<Result<std::string>> query(ComponentId component, std::string text,
                                  JsonArray values) override {
    return kept_.query(std::move(component), std::move(text), std::move(values));
  }
  Task<Result<storage::Commit>> commit(storage::Unit unit) override {
    if (fails(unit)) co_return fail(ErrorKind::unavailable, "no space left");
    co_return co_await kept_.commit(std::move(unit));
  }
  Task<void> close() override { return kept_.close(); }

  Task<Result<std::vector<Record>>> records(std::optional<Identity> after,
                                            std::size_t limit) override {
    if (reads_fail) co_return fail(ErrorKind::unavailable, "cannot read");
    auto page = co_await kept_.queue().records(after, limit);
    if (before_answer) co_await before_answer();
    co_return page;
  }
  Task<Result<std::vector<Message>>> due(ComponentId component, storage::Place after, EpochMs now,
                                         std::size_t limit) override {
    ++reads;
    if (reads_fail) co_return fail(ErrorKind::unavailable, "cannot read");
    auto page = co_await kept_.queue().due(std::move(component), after, now, limit);
    if (page) largest_page = std::max(largest_page, page->size());
    if (before_answer) co_await before_answer();
    co_return page;
  }
  Task<Result<std::optional<EpochMs>>> next_due(ComponentId component, EpochMs now) override {
    return kept_.queue().next_due(std::move(component), now);
  }
  Task<Result<MessageNumber>> last_number() override { return kept_.queue().last_number(); }
  Task<Result<std::size_t>> waiting() override { return kept_.queue().waiting(); }
  Task<Result<storage::Backlog>> backlog() override { return kept_.queue().backlog(); }
  Task<Result<std::vector<ParkedMessage>>> parked(storage::ParkedFilter filter, MessageNumber after,
                                                  std::size_t limit) override {
    return kept_.queue().parked(std::move(filter), after, limit);
  }

 private:
  storage::MemoryStorage kept_;
  Loop& loop_;
};

/// Counts calls by message; replies what the test says.
class PlayedCode final : public Application {
 public:
  using Payloads = std::expected<JsonObject, Exception>;

  explicit PlayedCode(Loop& loop) : loop_(loop) {}

  std::function<Task<Reply>(const Call&)> reply = [](const Call&) -> Task<Reply> {
    co_return Reply{Output{}};
  };
  std::function<Payloads(const Record&)> payloads = [](const Record&) -> Payloads {
    return JsonObject{{"paid", JsonObject{{"cents", 5}}}};
  };
  std::vector<Call> calls;
  std::vector<Identity> evaluated;
  std::size_t serving = 0;
  std::size_t most_serving = 0;

  std::size_t calls_of(const ComponentId& component) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        calls, [&](const Call& call) { return call.endpoint.starts_with(component.value + "."); }));
  }
  std::size_t calls_of(std::int64_t number) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        calls, [&](const Call& call) { return call.serves == MessageNumber(number); }));
  }

  Task<Payloads> evaluate(const manifest::Component&, const Record& record) override {
    evaluated.push_back(record.id);
    auto made = payloads(record);
    co_await pause(loop_, std::chrono::milliseconds(0));
    co_return made;
  }
  Task<std::expected<std::optional<Request>, Exception>> adapt(const manifest::Component&,
                                                               const manifest::Receiver&,
                                                               Document) override {
    co_return Request{};
  }
  Task<Reply> serve(Call call) override {
    calls.push_back(call);
    most_serving = std::max(most_serving, ++serving);
    auto answer = co_await reply(call);
    --serving;
    co_return answer;
  }

 private:
  Loop& loop_;
};

class SilentLog final : public telemetry::Log {
 public:
  std::map<std::string, std::size_t> messages;
  void write(telemetry::Severity, std::string_view message, const JsonObject&) override {
    ++messages[std::string(message)];
  }
};

class DeliveryFixture : public ::testing::Test {
 protected:
  static constexpr EpochMs start = 1'700'000'000'000;

  static Message message(std::int64_t number, EpochMs due = start,
                         const ComponentId& component = wallets) {
    Identity::Bytes bytes{};
    for (std::size_t i = 0; i < 8; ++i)
      bytes[15 - i] = static_cast<std::uint8_t>(number >> (8 * i));
    return {.number = MessageNumber(number),
            .id = Identity(bytes),
            .kind = MessageKind::event,
            .component = component,
            .name = paid,
            .body = "{}",
            .trail = {"~" + paid},
            .readonly = Readonly::no,
            .made = due,
            .attempt = 1,
            .due = due};
  }

  static Record record(std::int64_t n, const ComponentId& component = orders) {
    return {.id = message(n).id,
            .component = component,
            .at = start,
            .change = R"({"origin":null,"state":{"id":"a"},"trailers":{},"input":null})",
            .trail = {"shop.orders.pay"}};
  }

  World world(Serves serves = Serves::everything) {
    return {.application = application,
            .code = code,
            .storage = storage,
            .queue = storage,
            .loop = loop,
            .clock = clock,
            .faults = faults,
            .log = log,
            .serves = serves};
  }

  /// Puts messages of a component straight into the queue, as an earlier process did.
  void put(std::int64_t first, std::int64_t count, const ComponentId& component = wallets,
           EpochMs due = start) {
    storage::Unit unit;
    for (auto n = first; n < first + count; ++n)
      unit.messages.push_back(message(n, due, component));
    ASSERT_TRUE(loop.run_until(storage.commit(std::move(unit))));
  }

  std::size_t waiting() { return loop.run_until(storage.waiting()).value(); }
  std::vector<ParkedMessage> parked() {
    return loop.run_until(storage.parked({}, MessageNumber(0), 1'000)).value();
  }

  ManualClock clock{start};
  ManualLoop loop{clock};
  manifest::Application application = shop();
  FailingStorage storage{loop, clock};
  PlayedCode code{loop};
  SilentLog log;
  Faults faults;
};

/// Calls that wait until the test lets them go.
class Gate {
 public:
  explicit Gate(Loop& loop) : loop_(loop) {}

  Task<void> wait() {
    if (open_) co_return;
    Completion<bool> through(loop_);
    waiting_.push_back(&through);
    co_await through;
  }
  void let_one_through() {
    waiting_.front()->complete(true);
    waiting_.erase(waiting_.begin());
  }
  void open() {
    open_ = true;
    while (!waiting_.empty()) let_one_through();
  }
  std::size_t waiting() const { return waiting_.size(); }

 private:
  Loop& loop_;
  bool open_ = false;
  std::vector<Completion<bool>*> waiting_;
};

}  // namespace toa::delivery
