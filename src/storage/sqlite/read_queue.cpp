#include "storage/sqlite/read_queue.hpp"

namespace toa::storage::sqlite {

Task<Result<std::optional<FirstReply>>> ReadQueue::recall(std::string endpoint, Identity identity,
                                                          Candidates candidates) {
  Completion<Result<std::optional<FirstReply>>> done(loop_);
  queue_.emplace_back(Recall{std::move(endpoint), identity, std::move(candidates), &done});
  start_soon();
  co_return co_await done;
}

Task<Result<std::optional<Object>>> ReadQueue::load(ComponentId component, EntityId id) {
  Completion<Result<std::optional<Object>>> done(loop_);
  queue_.emplace_back(Load{std::move(component), std::move(id), &done});
  start_soon();
  co_return co_await done;
}

void ReadQueue::start_soon() {
  if (busy_) return;
  busy_ = true;
  // Not at once: reads asked for in the same turn of the loop travel together.
  loop_.post([this] { start(); });
}

void ReadQueue::start() {
  executor_.post([this, reads = std::exchange(queue_, {}), now = time_.now()]() mutable {
    make(reads, now);
    loop_.post([this, reads = std::move(reads)]() mutable { made(std::move(reads)); });
  });
}

void ReadQueue::make(std::vector<Read>& reads, EpochMs now) {
  // One snapshot for all: it begins after the last of them was asked for.
  const auto together = reader_.together();
  for (auto& read : reads) {
    if (auto* recall = std::get_if<Recall>(&read)) {
      recall->answer = reader_.inbox([&](InboxReader& inbox) {
        return inbox.recall(recall->endpoint, recall->identity, recall->candidates, now);
      });
    } else if (auto* load = std::get_if<Load>(&read)) {
      load->answer = reader_.load(load->component, load->id);
    } else {
      std::get<Other>(read).read(reader_);
    }
  }
}

void ReadQueue::made(std::vector<Read> reads) {
  busy_ = !queue_.empty();
  if (busy_) start();
  for (auto& read : reads) std::visit([](auto& r) { r.done->complete(std::move(r.answer)); }, read);
  if (!busy_ && drained_) drained_->complete(true);
}

Task<void> ReadQueue::drain() {
  if (!busy_) co_return;
  Completion<bool> drained(loop_);
  drained_ = &drained;
  co_await drained;
}

}  // namespace toa::storage::sqlite
