#include "storage/sqlite/inbox/slice_dropper.hpp"

#include "base/limits.hpp"

namespace toa::storage::sqlite {

void SliceDropper::tend() {
  if (dropping_ || closing_ || around_.time.steady() < not_before_) return;
  const auto slice = around_.writer.directory()->expired(around_.time.deletes_to());
  if (!slice) return;
  dropping_.emplace(Dropping{.slice = *slice});
  scan();
}

void SliceDropper::scan() {
  around_.scan_executor.post([this, of = *dropping_, now = around_.time.now()] {
    const auto together = around_.scanner.together();
    auto page = around_.scanner.inbox(
        [&](InboxReader& inbox) { return inbox.pinned(of.slice, of.seen, now); });
    around_.loop.post([this, page = std::move(page)]() mutable { scanned(std::move(page)); });
  });
}

void SliceDropper::scanned(Result<InboxReader::Page> page) {
  if (!page || closing_) return give_up();
  const auto slice = dropping_->slice;
  if (page->last == dropping_->seen)
    return write([this, slice] { return around_.writer.drop(slice); }, &SliceDropper::end);
  dropping_->seen = page->last;
  if (page->pinned.empty() || !around_.carries_pinned) return scan();
  write([this, slice, pinned = std::move(page->pinned),
         now = around_.time.now()] { return around_.writer.carry(slice, pinned, now); },
        &SliceDropper::scan);
}

void SliceDropper::write(std::function<Outcome()> work, void (SliceDropper::*next)()) {
  around_.writer_executor.post([this, work = std::move(work), next] {
    const auto outcome = work();
    if (const auto* unknown = std::get_if<UnknownOutcome>(&outcome)) {
      around_.on_unknown_outcome(unknown->message);
      return;
    }
    const bool done = std::holds_alternative<Writer::Done>(outcome);
    around_.loop.post([this, done, next] { done ? (this->*next)() : give_up(); });
    around_.writer.checkpoint_if_due();
  });
}

// What failed shows in the commits as well.
void SliceDropper::give_up() {
  not_before_ = around_.time.steady() + limits::expiry_interval;
  end();
}

void SliceDropper::end() {
  dropping_.reset();
  if (ended_ != nullptr) ended_->complete(true);
}

Task<void> SliceDropper::close() {
  closing_ = true;
  if (!dropping_) co_return;
  Completion<bool> ended(around_.loop);
  ended_ = &ended;
  co_await ended;
}

}  // namespace toa::storage::sqlite
