#include "delivery/outbox.hpp"

#include <algorithm>
#include <chrono>

#include "base/limits.hpp"
#include "delivery/steps/announce.hpp"

namespace toa::delivery {
namespace {

bool needs_code(const manifest::Application& application, const manifest::Component& component) {
  return std::ranges::any_of(component.events, [&application](const auto& entry) {
    const auto& event = entry.second;
    return !event.inherited && !manifest::receivers_of(application, event.label).empty();
  });
}

}  // namespace

Outbox::Outbox(World& world, Queueing queueing)
    : world_(world), queueing_(std::move(queueing)), scope_(world.loop), rests_(world.loop) {}

void Outbox::start() {
  sweep_now();
}

bool Outbox::fits(const Record& record) const {
  if (world_.serves == Serves::own) return true;
  const auto of_one = in_hand_of_.find(record.component);
  return in_hand_.size() < limits::outbox_in_hand_max &&
         bytes_in_hand_ < limits::outbox_in_hand_bytes_max &&
         (of_one == in_hand_of_.end() || of_one->second < limits::outbox_in_hand_of_one_max);
}

void Outbox::stored(Record record) {
  // A sweep may have seen it before the answer to its commit was heard.
  if (closing_ || in_hand_.contains(record.id)) return;
  if (fits(record)) {
    take(fresh_, std::move(record));
    advance();
  } else if (!sweeping_) {
    sweep_now();
  } else {
    // A page that is being read may end behind it and yet be too old to show it.
    again_ |= reading_ || read_out_ || (swept_to_ && record.id <= *swept_to_);
  }
}

void Outbox::take(std::deque<Record>& line, Record record) {
  in_hand_.insert(record.id);
  ++in_hand_of_[record.component];
  bytes_in_hand_ += record.change.size();
  line.push_back(std::move(record));
}

void Outbox::let_go(const Record& record) {
  in_hand_.erase(record.id);
  const auto of_one = in_hand_of_.find(record.component);
  if (--of_one->second == 0) in_hand_of_.erase(of_one);
  bytes_in_hand_ -= record.change.size();
  if (reading_) left_meanwhile_.insert(record.id);
}

std::optional<Record> Outbox::next() {
  if (fresh_.empty() && left_.empty()) return std::nullopt;
  const bool fresh = left_.empty() || (fresh_is_next_ && !fresh_.empty());
  fresh_is_next_ = !fresh;
  auto& line = fresh ? fresh_ : left_;
  auto record = std::move(line.front());
  line.pop_front();
  return record;
}

void Outbox::advance() {
  if (closing_ || advancing_) return;
  advancing_ = true;
  while (publishing_ < limits::outbox_publishing_max) {
    auto record = next();
    if (!record) break;
    ++publishing_;
    scope_.spawn(publish(std::move(*record)));
  }
  advancing_ = false;
  if (!sweeping_ || reading_) return;
  if (!read_out_ && left_.size() < limits::outbox_low) {
    reading_ = true;
    scope_.spawn(read());
  } else if (read_out_ && left_.empty()) {
    end_sweep();
  }
}

Task<void> Outbox::publish(Record record) {
  const bool made = co_await make_messages(record);
  --publishing_;
  let_go(record);
  if (!made) {
    held_back_ = true;
    if (!sweeping_) sweep_later();
  }
  advance();
  queueing_.queued({});
}

Task<std::expected<JsonObject, Exception>> Outbox::payloads_of(const Record& record) {
  const auto& component = *world_.application.find(record.component);
  if (!needs_code(world_.application, component)) co_return JsonObject{};
  co_return co_await world_.code.evaluate(component, record);
}

Task<bool> Outbox::make_messages(const Record& record) {
  if (world_.application.find(record.component) == nullptr) {
    complain(record, "the application has no such component any more");
    co_return false;
  }
  auto payloads = co_await payloads_of(record);
  if (!payloads) {
    if (payloads.error().for_good) hold_back(record);
    complain(record, payloads.error().message);
    co_return false;
  }
  guilty_.erase(record.id);
  const auto now = world_.clock.now();
  auto messages = messages_of(world_.application, record, *payloads, MessageNumber(), now);
  const auto first = queueing_.number(messages.size());
  for (auto& message : messages) message.number.value += first.value;

  queueing_.expected(messages);
  const auto committed = co_await store(record, messages);
  if (!committed) {
    queueing_.withdrawn(messages);
    co_return false;
  }
  if (std::holds_alternative<storage::Lost>(*committed)) {
    // A sweep saw the record on the disk before whoever stored it heard so, or the other way round.
    queueing_.withdrawn(messages);
    co_return true;
  }
  world_.faults.reach("outbox.published");
  queueing_.queued(std::move(messages));
  co_return true;
}

// The same unit again, and the record stays in hand: otherwise the events of a whole backlog would
// be evaluated every interval, only because nothing can be stored.
Task<Result<storage::Commit>> Outbox::store(const Record& record,
                                            const std::vector<Message>& messages) {
  for (auto pause = limits::settle_pause_first;;
       pause = std::min(2 * pause, limits::settle_pause_max)) {
    storage::Unit unit{.messages = messages, .published = {record.id}};
    auto committed = co_await world_.storage.commit(std::move(unit));
    if (committed) co_return committed;
    complain(record, committed.error().message);
    const bool waited_for = world_.serves == Serves::own && pause > limits::settle_pause_own_max;
    if (closing_ || waited_for) co_return committed;
    co_await rests_.rest(pause);
  }
}

void Outbox::hold_back(const Record& guilty) {
  if (guilty_.size() >= limits::outbox_guilty_max && !guilty_.contains(guilty.id)) return;
  auto& [until, pause] = guilty_[guilty.id];
  const std::chrono::milliseconds interval(world_.application.context.outbox_interval_ms);
  pause = std::max(interval, std::min(2 * pause, limits::outbox_guilty_pause_max));
  until = world_.clock.steady() + pause;
}

bool Outbox::is_held_back(const Record& record) const {
  const auto found = guilty_.find(record.id);
  return found != guilty_.end() && found->second.until > world_.clock.steady();
}

void Outbox::sweep_now() {
  sweep_in(std::chrono::milliseconds(0));
}

void Outbox::sweep_later() {
  if (!timer_) sweep_in(std::chrono::milliseconds(world_.application.context.outbox_interval_ms));
}

void Outbox::sweep_in(std::chrono::milliseconds delay) {
  if (closing_ || world_.serves == Serves::own) return;
  if (timer_) world_.loop.cancel(*timer_);
  timer_ = world_.loop.after(delay, [this] {
    timer_.reset();
    if (!closing_ && !sweeping_) sweep();
  });
}

void Outbox::sweep() {
  sweeping_ = true;
  read_out_ = again_ = held_back_ = false;
  swept_to_.reset();
  complained_.clear();
  advance();
}

Task<void> Outbox::read() {
  const auto batch = static_cast<std::size_t>(world_.application.context.outbox_batch);
  auto page = co_await world_.queue.records(swept_to_, batch);
  if (!page) {
    world_.log.error("The outbox cannot be read", {{"reason", page.error().message}});
    held_back_ = true;
  }
  read_out_ = !page || page->empty();
  if (page) {
    for (auto& record : *page) {
      if (closing_) break;
      swept_to_ = record.id;
      if (is_held_back(record)) {
        held_back_ = true;
        continue;
      }
      if (!in_hand_.contains(record.id) && !left_meanwhile_.contains(record.id))
        take(left_, std::move(record));
    }
  }
  reading_ = false;
  left_meanwhile_.clear();
  advance();
  queueing_.queued({});
}

void Outbox::end_sweep() {
  sweeping_ = false;
  if (again_) {
    sweep_now();
  } else if (held_back_) {
    sweep_later();
  }
}

void Outbox::stop_taking() {
  closing_ = true;
  rests_.end();
  if (timer_) world_.loop.cancel(*std::exchange(timer_, std::nullopt));
  for (auto* line : {&fresh_, &left_})
    for (const auto& record : std::exchange(*line, {})) let_go(record);
}

Task<void> Outbox::close() {
  stop_taking();
  co_await scope_.close();
}

// Of each component once in a sweep: a backlog of a million would write a million lines.
void Outbox::complain(const Record& record, const std::string& why) {
  if (!complained_.insert(record.component).second) return;
  world_.log.error(
      "Events held back",
      {{"component", record.component.value}, {"record", record.id.hex()}, {"reason", why}});
}

}  // namespace toa::delivery
