#include "storage/sqlite/commit_queue.hpp"

#include "base/limits.hpp"

namespace toa::storage::sqlite {

namespace {

std::size_t bytes_of(const Unit& unit) {
  std::size_t bytes = 0;
  for (const auto& write : unit.writes) bytes += write.next.properties.size();
  if (unit.remembered && unit.remembered->reply) bytes += unit.remembered->reply->size();
  for (const auto& record : unit.records) bytes += record.change.size();
  for (const auto& message : unit.messages) bytes += message.body.size();
  return bytes;
}

}  // namespace

Task<Result<Commit>> CommitQueue::commit(Unit unit) {
  auto lost = heads_ == nullptr ? std::nullopt : heads_->refused(unit);
  // Whether its call is known comes first, and only the writer knows.
  if (lost && !unit.remembered) co_return std::move(*lost);
  auto acceptance = heads_ == nullptr || lost ? nullptr : heads_->accept(unit);
  const auto accepted = std::exchange(unit.on_accepted, {});
  Waiting outcome(loop_);
  queue_.push_back({std::move(unit), lost, acceptance, &outcome});
  start_soon();
  if (acceptance) accepted();
  co_return co_await outcome;
}

void CommitQueue::start_soon() {
  if (busy_) return;
  busy_ = true;
  // Not at once: units made in the same turn of the loop share the transaction.
  loop_.post([this] { start(); });
}

void CommitQueue::start() {
  executor_.post([this, flight = next_flight(), time = Writer::Time::of(time_)]() mutable {
    fly(std::move(flight), time);
  });
}

CommitQueue::Flight CommitQueue::next_flight() {
  Flight flight;
  std::size_t bytes = 0;
  while (!queue_.empty() && flight.units.size() < limits::commit_units_max &&
         bytes < limits::commit_bytes_max) {
    auto& queued = queue_.front();
    bytes += bytes_of(queued.unit);
    flight.grounds.push_back(ground_of(queued));
    flight.units.push_back(std::move(queued.unit));
    if (queued.acceptance) queued.acceptance->place(flight.acceptances.size());
    flight.acceptances.push_back(std::move(queued.acceptance));
    flight.waiting.push_back(queued.waiting);
    queue_.pop_front();
  }
  return flight;
}

Writer::Ground CommitQueue::ground_of(const Queued& queued) {
  if (queued.lost || queued.unit.writes.empty()) return {.lost = queued.lost};
  const auto& on = queued.unit.writes.front().on;
  if (!on || on->is_stored()) return {};
  if (on->is_rejected()) return {.lost = Lost{.taken_back = true}};
  // One that is pending was accepted before, and all before have landed or fly in this batch.
  return {.base = on->place()};
}

void CommitQueue::fly(Flight flight, Writer::Time time) {
  auto batch = writer_.apply(flight.units, flight.grounds, time);
  if (const auto* unknown = std::get_if<UnknownOutcome>(&batch)) {
    handlers_.on_unknown_outcome(unknown->message);
    return;
  }
  loop_.post([this, flight = std::move(flight), batch = std::move(batch)]() mutable {
    landed(std::move(flight), std::move(batch));
  });
  writer_.checkpoint_if_due();
}

void CommitQueue::landed(Flight flight, Batch batch) {
  busy_ = false;
  // Before the next flight is made up: what builds on these stands or falls with them.
  settle(flight, batch);
  if (!queue_.empty()) {
    busy_ = true;
    start();
  }
  for (std::size_t i = 0; i < flight.units.size(); ++i) {
    if (const auto* error = std::get_if<Error>(&batch))
      flight.waiting[i]->complete(std::unexpected(*error));
    else
      flight.waiting[i]->complete(std::move(std::get<std::vector<Commit>>(batch)[i]));
  }
  handlers_.on_landed();
  if (!busy_ && drained_) drained_->complete(true);
}

void CommitQueue::settle(Flight& flight, const Batch& batch) {
  const auto* outcomes = std::get_if<std::vector<Commit>>(&batch);
  for (std::size_t i = 0; i < flight.units.size(); ++i) {
    auto& writes = flight.units[i].writes;
    const bool stored = outcomes != nullptr && std::holds_alternative<Stored>((*outcomes)[i]);
    if (const auto& acceptance = flight.acceptances[i]) {
      heads_->settled(writes.front(), acceptance);
      acceptance->settle(stored);
    }
    if (stored) handlers_.on_stored(std::move(writes));
    const auto* lost = outcomes == nullptr ? nullptr : std::get_if<Lost>(&(*outcomes)[i]);
    if (lost != nullptr && !lost->taken_back && lost->write < writes.size())
      handlers_.on_lost(writes[lost->write]);
  }
}

Task<void> CommitQueue::drain() {
  if (!busy_) co_return;
  Completion<bool> drained(loop_);
  drained_ = &drained;
  co_await drained;
}

}  // namespace toa::storage::sqlite
