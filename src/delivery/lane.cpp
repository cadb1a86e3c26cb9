#include "delivery/lane.hpp"

#include <algorithm>
#include <utility>

#include "base/limits.hpp"
#include "delivery/steps/settle.hpp"

namespace toa::delivery {
namespace {

/// After a storage failure: long enough not to make it worse.
constexpr std::chrono::milliseconds storage_pause{1'000};

/// The place that the message is the first behind.
storage::Place before(const Message& message) {
  return {message.due, MessageNumber(message.number.value - 1)};
}

std::size_t bytes_of(const Message& message) {
  return message.body.size();
}

Reply failed(Code code, std::string message) {
  return {Exception{.code = code, .message = std::move(message)}};
}

}  // namespace

Lane::Lane(World& world, const manifest::Component& component, std::function<void()> on_idle)
    : world_(world),
      component_(component),
      on_idle_(std::move(on_idle)),
      scope_(world.loop),
      rests_(world.loop) {}

bool Lane::full() const {
  return in_hand_.size() >= limits::lane_in_hand_max ||
         bytes_in_hand_ >= limits::lane_in_hand_bytes_max;
}

void Lane::expected(const Message& message) {
  expected_.insert(message.number.value);
}

void Lane::withdrawn(const Message& message) {
  expected_.erase(message.number.value);
  if (closing_ || world_.serves == Serves::own) return;
  rewind(before(message));
  advance();
}

void Lane::queued(Message message) {
  expected_.erase(message.number.value);
  if (closing_) return;
  if (world_.serves == Serves::own || (!more_ && !full())) {
    take(std::move(message));
  } else {
    rewind(before(message));
  }
  advance();
}

void Lane::take(Message message) {
  in_hand_.insert(message.number.value);
  bytes_in_hand_ += bytes_of(message);
  ready_.push_back(std::move(message));
}

void Lane::rewind(Place place) {
  more_ = true;
  rewound_ = std::min(place, rewound_.value_or(place));
}

void Lane::look() {
  look_at(world_.clock.now(), {});
}

void Lane::look_at(EpochMs at, Place place) {
  if (closing_ || world_.serves == Serves::own) return;
  const auto now = world_.clock.now();
  if (at <= now) {
    rewind(place);
    advance();
    return;
  }
  const bool sooner = !later_ || at < later_->at;
  if (later_) place = std::min(place, later_->place);
  if (!sooner) at = later_->at;
  later_ = Again{at, place};
  if (!sooner) return;
  if (timer_ != 0) world_.loop.cancel(timer_);
  // Timers know nothing of a clock that is set: one that was set back and then right is noticed by
  // looking again.
  const auto pause = std::min(std::chrono::milliseconds(at - now), limits::lane_look_max);
  timer_ = world_.loop.after(pause, [this] {
    timer_ = 0;
    const auto due = *std::exchange(later_, std::nullopt);
    look_at(due.at, due.place);
  });
}

void Lane::advance() {
  if (closing_) return;
  while (working_ < limits::lane_working_max && !ready_.empty()) {
    auto message = std::move(ready_.front());
    ready_.pop_front();
    ++working_;
    scope_.spawn(deliver(std::move(message)));
  }
  if (more_ && !reading_ && ready_.size() < limits::lane_low && !full()) {
    reading_ = true;
    scope_.spawn(read());
  }
}

Task<void> Lane::read() {
  more_ = false;
  if (rewound_) read_to_ = std::min(read_to_, *std::exchange(rewound_, std::nullopt));
  const auto now = world_.clock.now();
  auto page = co_await world_.queue.due(component_.id, read_to_, now, limits::lane_page_max);
  std::optional<Again> again;
  if (!page) {
    world_.log.error("The queue cannot be read",
                     {{"component", component_.id.value}, {"reason", page.error().message}});
    again = Again{now + storage_pause.count(), read_to_};
  } else if (!page->empty()) {
    take_page(std::move(*page));
  } else if (const auto due = co_await world_.queue.next_due(component_.id, now); !due) {
    again = Again{now + storage_pause.count(), read_to_};
  } else if (*due) {
    again = Again{**due, read_to_};
  }
  reading_ = false;
  left_meanwhile_.clear();
  if (again) look_at(again->at, again->place);
  advance();
  on_idle_();
}

void Lane::take_page(std::vector<Message> page) {
  // Another page may follow; an empty one ends it.
  more_ = true;
  for (auto& message : page) {
    const auto number = message.number.value;
    const bool known =
        in_hand_.contains(number) || left_meanwhile_.contains(number) || expected_.contains(number);
    if (closing_ || (!known && full())) return;
    read_to_ = {message.due, message.number};
    if (!known) take(std::move(message));
  }
}

Task<void> Lane::deliver(Message message) {
  world_.faults.reach("delivery.before");
  const auto reply = co_await handle(message);
  std::optional<Again> again;
  if (!reply.acknowledged) again = co_await settle(message, reply);
  // In this order: a read that shows the message while it is in hand passes it over.
  let_go(message);
  if (again) look_at(again->at, again->place);
  advance();
  on_idle_();
}

void Lane::forget(const Message& message) {
  in_hand_.erase(message.number.value);
  bytes_in_hand_ -= bytes_of(message);
}

void Lane::let_go(const Message& message) {
  --working_;
  forget(message);
  if (reading_) left_meanwhile_.insert(message.number.value);
}

Task<Reply> Lane::handle(const Message& message) {
  co_return message.kind == MessageKind::event ? co_await handle_event(message)
                                               : co_await handle_task(message);
}

Task<Reply> Lane::handle_event(const Message& message) {
  const auto found = component_.receivers.find(message.name);
  if (found == component_.receivers.end())
    co_return failed(Code::endpoint,
                     "'" + component_.id.value + "' has no receiver of '" + message.name + "'");
  const auto& receiver = found->second;
  const auto endpoint = component_.id.value + "." + receiver.operation;
  auto payload = Document::of_text(message.body);
  if (receiver.file.empty()) {
    Request request;
    request.input = std::move(payload);
    co_return co_await serve(message, endpoint, std::move(request));
  }
  auto request = co_await world_.code.adapt(component_, receiver, std::move(payload));
  if (!request) co_return Reply{std::move(request.error())};
  if (!*request) co_return Reply{Output{}};
  if (const auto& stated = (*request)->id) {
    if (auto kept = co_await keep_chain(message, *stated); !kept)
      co_return failed(Code::system, kept.error().message);
  }
  co_return co_await serve(message, endpoint, std::move(**request));
}

Task<Result<void>> Lane::keep_chain(const Message& message, const Identity& stated) {
  if (in_one_chain(message.id, stated) || message.stated == stated) co_return Result<void>{};
  storage::Unit unit;
  unit.fates.emplace_back(storage::KeepChain{message.number, stated});
  const auto committed = co_await world_.storage.commit(std::move(unit));
  if (!committed) co_return std::unexpected(committed.error());
  co_return Result<void>{};
}

Task<Reply> Lane::handle_task(const Message& message) {
  auto body = json::parse(message.body, {.bytes_max = message.body.size(),
                                         .depth_max = limits::document_depth_max + 2});
  if (!body) co_return failed(Code::request_contract, body.error().message);
  auto request = Request::read(*body);
  if (!request) co_return failed(Code::request_contract, request.error().message);
  co_return co_await serve(message, message.name, std::move(*request));
}

Task<Reply> Lane::serve(const Message& message, std::string endpoint, Request request) {
  if (!request.id) request.id = message.id;
  co_return co_await world_.code.serve({.endpoint = std::move(endpoint),
                                        .request = std::move(request),
                                        .trail = message.trail,
                                        .readonly = message.readonly,
                                        .serves = message.number});
}

Task<std::optional<Lane::Again>> Lane::settle(const Message& message, const Reply& reply) {
  const auto fate = delivery::settle(message, reply.outcome, world_.clock.now(), world_.ladder);
  tell(message, fate, reply.outcome);
  if (!co_await store(message, fate)) co_return std::nullopt;
  if (const auto* retry = std::get_if<storage::Retry>(&fate))
    co_return Again{retry->due, {retry->due, MessageNumber(message.number.value - 1)}};
  co_return std::nullopt;
}

Task<bool> Lane::store(const Message& message, const storage::Fate& fate) {
  for (auto pause = limits::settle_pause_first;;
       pause = std::min(2 * pause, limits::settle_pause_max)) {
    world_.faults.reach("ack.before");
    storage::Unit unit;
    unit.fates.push_back(fate);
    const auto committed = co_await world_.storage.commit(std::move(unit));
    world_.faults.reach("ack.after");
    if (committed) co_return true;
    world_.log.error("A message cannot be settled",
                     {{"message", message.id.hex()}, {"reason", committed.error().message}});
    // It stays in the queue as it was, and the next process delivers it under the same identity.
    const bool waited_for = world_.serves == Serves::own && pause > limits::settle_pause_own_max;
    if (closing_ || waited_for) co_return false;
    co_await rests_.rest(pause);
  }
}

void Lane::tell(const Message& message, const storage::Fate& fate, const Outcome& outcome) {
  const auto* exception = std::get_if<Exception>(&outcome);
  if (exception == nullptr) return;
  const bool parked = std::holds_alternative<storage::Park>(fate);
  JsonObject attributes{{"component", component_.id.value},
                        {message.kind == MessageKind::event ? "event" : "endpoint", message.name},
                        {"id", message.id.hex()},
                        {"attempt", message.attempt},
                        {"exception", exception_name(exception->code)},
                        {"reason", exception->message}};
  if (!exception->operation.empty()) attributes["operation"] = exception->operation;
  if (!exception->stack.empty()) attributes["stack"] = exception->stack;
  if (parked) {
    world_.log.error("Message parked", attributes);
  } else {
    world_.log.warn("Delivery failed, to be tried again", attributes);
  }
}

void Lane::stop_taking() {
  closing_ = true;
  if (timer_ != 0) world_.loop.cancel(std::exchange(timer_, 0));
  for (const auto& message : std::exchange(ready_, {})) forget(message);
  rests_.end();
}

Task<void> Lane::close() {
  stop_taking();
  co_await scope_.close();
}

}  // namespace toa::delivery
