#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "async/completion.hpp"
#include "async/loop.hpp"
#include "storage/expiry_clock.hpp"
#include "storage/sqlite/reader.hpp"
#include "storage/sqlite/writer.hpp"

namespace toa::storage::sqlite {

/// Drops slices of remembered calls once all of their records have expired (D6), one at a time,
/// between batches: first it looks for records that a waiting message keeps, off the writer's
/// thread and a page at a time, and has them copied. Loop thread only.
class SliceDropper {
 public:
  struct Surroundings {
    Loop& loop;
    Executor& writer_executor;
    Executor& scan_executor;
    Writer& writer;
    Reader& scanner;
    const ExpiryClock& time;
    bool carries_pinned;
    /// Ends the process. On the writer's thread.
    std::function<void(const std::string&)> on_unknown_outcome;
  };

  explicit SliceDropper(Surroundings around) : around_(std::move(around)) {}

  /// Begins with the next slice that is due, if there is one and nothing is under way.
  void tend();
  /// Nothing is begun any more; waits for what is under way. Called once.
  Task<void> close();

 private:
  using Outcome = std::variant<Writer::Done, Error, UnknownOutcome>;
  struct Dropping {
    SliceId slice;
    /// The last row that was looked at.
    std::uint32_t seen = 0;
  };

  void scan();
  void scanned(Result<InboxReader::Page> page);
  /// Does `work` on the writer's thread; then `next`, if it was done.
  void write(std::function<Outcome()> work, void (SliceDropper::*next)());
  void give_up();
  void end();

  Surroundings around_;
  std::optional<Dropping> dropping_;
  /// After a failure, not before then.
  std::chrono::nanoseconds not_before_{};
  bool closing_ = false;
  Completion<bool>* ended_ = nullptr;
};

}  // namespace toa::storage::sqlite
