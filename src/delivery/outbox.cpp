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
    : world_(world), queueing_(std::move(queueing)), scope_(world.loop) {}

void Outbox::start() {
  more_ = true;
  sweep_later(std::chrono::milliseconds(0));
}

void Outbox::stored(Record record) {
  if (closing_) return;
  const bool full = in_hand_.size() >= limits::outbox_in_hand_max;
  if (full && world_.serves == Serves::everything) {
    more_ = true;
    sweep_later(std::chrono::milliseconds(0));
    return;
  }
  in_hand_.insert(record.id);
  waiting_.push_back(std::move(record));
  advance();
}

void Outbox::advance() {
  while (publishing_ < limits::outbox_publishing_max && !waiting_.empty()) {
    auto record = std::move(waiting_.front());
    waiting_.pop_front();
    ++publishing_;
    scope_.spawn(publish(std::move(record)));
  }
}

Task<void> Outbox::publish(Record record) {
  const bool made = co_await make_messages(record);
  --publishing_;
  in_hand_.erase(record.id);
  if (!made) sweep_later(std::chrono::milliseconds(world_.application.context.outbox_interval_ms));
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
    complain(record, payloads.error().message);
    co_return false;
  }
  const auto now = world_.clock.now();
  auto messages = messages_of(world_.application, record, *payloads, MessageNumber(), now);
  const auto first = queueing_.number(messages.size());
  for (auto& message : messages) message.number.value += first.value;

  storage::Unit unit{.messages = messages, .published = {record.id}};
  const auto committed = co_await world_.storage.commit(std::move(unit));
  if (!committed) {
    complain(record, committed.error().message);
    co_return false;
  }
  world_.faults.reach("outbox.published");
  queueing_.queued(std::move(messages));
  co_return true;
}

void Outbox::sweep_later(std::chrono::milliseconds delay) {
  if (closing_ || world_.serves == Serves::own || sweeping_ || timer_) return;
  timer_ = world_.loop.after(delay, [this] {
    timer_.reset();
    if (closing_ || sweeping_) return;
    sweeping_ = true;
    scope_.spawn(sweep());
  });
}

Task<void> Outbox::sweep() {
  more_ = false;
  const auto batch = static_cast<std::size_t>(world_.application.context.outbox_batch);
  std::optional<Identity> after;
  bool left = false;
  while (!closing_) {
    auto page = co_await world_.queue.records(after, batch);
    if (!page) {
      world_.log.error("The outbox cannot be read", {{"reason", page.error().message}});
      left = true;
      break;
    }
    if (page->empty()) break;
    after = page->back().id;
    left |= !co_await publish_page(std::move(*page));
  }
  sweeping_ = false;
  if (more_) sweep_later(std::chrono::milliseconds(0));
  if (left) sweep_later(std::chrono::milliseconds(world_.application.context.outbox_interval_ms));
  queueing_.queued({});
}

Task<bool> Outbox::publish_page(std::vector<Record> page) {
  bool all = true;
  for (auto& record : page) {
    if (closing_) co_return false;
    if (!in_hand_.insert(record.id).second) continue;
    all &= co_await make_messages(record);
    in_hand_.erase(record.id);
  }
  co_return all;
}

Task<void> Outbox::close() {
  closing_ = true;
  if (timer_) world_.loop.cancel(*timer_);
  waiting_.clear();
  co_await scope_.close();
}

void Outbox::complain(const Record& record, const std::string& why) {
  world_.log.error(
      "Events held back",
      {{"component", record.component.value}, {"record", record.id.hex()}, {"reason", why}});
}

}  // namespace toa::delivery
