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
  Waiting outcome(loop_);
  queue_.emplace_back(std::move(unit), &outcome);
  start_soon();
  co_return co_await outcome;
}

void CommitQueue::start_soon() {
  if (busy_) return;
  busy_ = true;
  // Not at once: units made in the same turn of the loop share the transaction.
  loop_.post([this] { start(); });
}

void CommitQueue::start() {
  const Writer::Time time{.now = time_.now(),
                          .remembers_from = time_.remembers_from(),
                          .deletes_to = time_.deletes_to(),
                          .ahead = time_.ahead()};
  executor_.post([this, flight = next_flight(), time]() mutable { fly(std::move(flight), time); });
}

CommitQueue::Flight CommitQueue::next_flight() {
  Flight flight;
  std::size_t bytes = 0;
  while (!queue_.empty() && flight.units.size() < limits::commit_units_max &&
         bytes < limits::commit_bytes_max) {
    auto& [unit, waiting] = queue_.front();
    bytes += bytes_of(unit);
    flight.units.push_back(std::move(unit));
    flight.waiting.push_back(waiting);
    queue_.pop_front();
  }
  return flight;
}

void CommitQueue::fly(Flight flight, Writer::Time time) {
  auto batch = writer_.apply(flight.units, time);
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
  if (!queue_.empty()) {
    busy_ = true;
    start();
  }
  const auto* error = std::get_if<Error>(&batch);
  for (std::size_t i = 0; i < flight.units.size(); ++i) {
    if (error) {
      flight.waiting[i]->complete(std::unexpected(*error));
      continue;
    }
    auto& commit = std::get<std::vector<Commit>>(batch)[i];
    if (std::holds_alternative<Stored>(commit))
      handlers_.on_stored(std::move(flight.units[i].writes));
    const auto* lost = std::get_if<Lost>(&commit);
    if (lost && lost->write < flight.units[i].writes.size())
      handlers_.on_lost(flight.units[i].writes[lost->write]);
    flight.waiting[i]->complete(std::move(commit));
  }
  if (!busy_ && drained_) drained_->complete(true);
}

Task<void> CommitQueue::drain() {
  if (!busy_) co_return;
  Completion<bool> drained(loop_);
  drained_ = &drained;
  co_await drained;
}

}  // namespace toa::storage::sqlite
