#include "storage/memory/memory_queue.hpp"

#include <algorithm>

#include "async/next_turn.hpp"
#include "base/limits.hpp"

namespace toa::storage {
namespace {

Place place_of(const Message& message) {
  return {message.due, message.number};
}

bool matches(const ParkedFilter& filter, const ParkedMessage& parked) {
  const auto& message = parked.message;
  const auto is_or_any = [](const std::string& wanted, const std::string& value) {
    return wanted.empty() || wanted == value;
  };
  return (filter.ids.empty() || std::ranges::find(filter.ids, message.id) != filter.ids.end()) &&
         is_or_any(filter.name, message.name) &&
         is_or_any(filter.component, message.component.value) &&
         parked.failure.reason.contains(filter.reason);
}

}  // namespace

bool MemoryQueue::holds(const std::vector<Identity>& records) const {
  return std::ranges::all_of(records, [this](const auto& id) { return records_.contains(id); });
}

void MemoryQueue::apply(const Unit& unit) {
  for (const auto& record : unit.records) records_.emplace(record.id, record);
  for (const auto& message : unit.messages) {
    last_ = std::max(last_, message.number);
    wait(message);
  }
  for (const auto& id : unit.published) records_.erase(id);
  for (const auto& fate : unit.fates) std::visit([this](const auto& what) { settle(what); }, fate);
}

void MemoryQueue::wait(Message message) {
  const auto place = place_of(message);
  places_.emplace(message.number, std::pair(message.component, place));
  lines_[message.component].emplace(place, std::move(message));
}

std::optional<Message> MemoryQueue::stop_waiting(Number number) {
  const auto found = places_.find(number);
  if (found == places_.end()) return std::nullopt;
  const auto& [component, place] = found->second;
  auto node = lines_[component].extract(place);
  places_.erase(found);
  return std::move(node.mapped());
}

void MemoryQueue::settle(const Acknowledge& fate) {
  stop_waiting(fate.number);
  parked_.erase(fate.number);
}

void MemoryQueue::settle(const Retry& fate) {
  auto message = stop_waiting(fate.number);
  if (!message) return;
  message->attempt = fate.attempt;
  message->due = fate.due;
  wait(std::move(*message));
}

void MemoryQueue::settle(const Park& fate) {
  auto message = stop_waiting(fate.number);
  if (!message) return;
  message->attempt = fate.attempt;
  parked_.emplace(fate.number, ParkedMessage{std::move(*message), fate.at, fate.failure});
}

void MemoryQueue::settle(const Return& fate) {
  auto node = parked_.extract(fate.number);
  if (!node) return;
  auto& message = node.mapped().message;
  message.attempt = 1;
  message.due = fate.due;
  wait(std::move(message));
}

void MemoryQueue::settle(const Discard& fate) {
  parked_.erase(fate.number);
}

void MemoryQueue::settle(const KeepChain& fate) {
  auto message = stop_waiting(fate.number);
  if (!message) return;
  message->stated = fate.identity;
  wait(std::move(*message));
}

Task<Result<std::vector<Record>>> MemoryQueue::records(std::optional<Identity> after,
                                                       std::size_t limit) {
  co_await NextTurn{loop_};
  std::vector<Record> page;
  std::size_t bytes = 0;
  auto at = after ? records_.upper_bound(*after) : records_.begin();
  for (; at != records_.end() && page.size() < limit && bytes < limits::queue_page_bytes_max;
       ++at) {
    bytes += at->second.change.size();
    page.push_back(at->second);
  }
  co_return page;
}

Task<Result<std::vector<Message>>> MemoryQueue::due(ComponentId component, Place after, EpochMs now,
                                                    std::size_t limit) {
  co_await NextTurn{loop_};
  std::vector<Message> page;
  std::size_t bytes = 0;
  const auto& line = lines_[component];
  for (auto at = line.upper_bound(after); at != line.end(); ++at) {
    const bool full = page.size() >= limit || bytes >= limits::queue_page_bytes_max;
    if (full || at->first.due > now) break;
    bytes += at->second.body.size();
    page.push_back(at->second);
  }
  co_return page;
}

Task<Result<std::optional<EpochMs>>> MemoryQueue::next_due(ComponentId component, EpochMs now) {
  co_await NextTurn{loop_};
  const auto& line = lines_[component];
  const auto next = line.lower_bound({now + 1, MessageNumber(0)});
  co_return next == line.end() ? std::nullopt : std::optional(next->first.due);
}

Task<Result<MessageNumber>> MemoryQueue::last_number() {
  co_await NextTurn{loop_};
  co_return last_;
}

Task<Result<std::size_t>> MemoryQueue::waiting() {
  co_await NextTurn{loop_};
  co_return places_.size();
}

Task<Result<Backlog>> MemoryQueue::backlog() {
  co_await NextTurn{loop_};
  Backlog backlog{.messages = {}, .records = records_.size()};
  for (const auto& [component, line] : lines_)
    if (!line.empty()) backlog.messages[component] = line.size();
  co_return backlog;
}

Task<Result<std::vector<ParkedMessage>>> MemoryQueue::parked(ParkedFilter filter,
                                                             MessageNumber after,
                                                             std::size_t limit) {
  co_await NextTurn{loop_};
  std::vector<ParkedMessage> page;
  for (auto at = parked_.upper_bound(after); at != parked_.end() && page.size() < limit; ++at) {
    if (matches(filter, at->second)) page.push_back(at->second);
  }
  co_return page;
}

}  // namespace toa::storage
