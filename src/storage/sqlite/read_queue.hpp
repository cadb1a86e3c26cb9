#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "async/completion.hpp"
#include "async/loop.hpp"
#include "storage/expiry_clock.hpp"
#include "storage/sqlite/reader.hpp"

namespace toa::storage::sqlite {

/// Carries reads to the reader's thread and their answers back, many at a time: what was asked
/// while one batch was away is the next. Loop thread only.
class ReadQueue {
 public:
  ReadQueue(Loop& loop, Executor& executor, Reader& reader, ExpiryClock& time)
      : loop_(loop), executor_(executor), reader_(reader), time_(time) {}

  Task<Result<std::optional<FirstReply>>> recall(std::string endpoint, Identity identity,
                                                 Candidates candidates);
  Task<Result<std::optional<Object>>> load(ComponentId component, EntityId id);
  /// Anything else; `read` is given the Reader, on its thread.
  template <class Read>
  auto run(Read read) -> Task<decltype(read(std::declval<Reader&>()))> {
    std::optional<decltype(read(std::declval<Reader&>()))> answer;
    Completion<bool> done(loop_);
    queue_.emplace_back(Other{[&answer, &read](Reader& reader) { answer = read(reader); }, &done});
    start_soon();
    co_await done;
    co_return std::move(*answer);
  }
  /// Anything of the outbox or the queue; `read` is given a QueueReader, on the reader's thread.
  template <class Read>
  auto queue(Read read) -> Task<Result<decltype(read(std::declval<QueueReader&>()))>> {
    co_return co_await run([&read](Reader& reader) { return reader.queue(read); });
  }
  /// Waits until nothing is queued or with the reader. Called once.
  Task<void> drain();

 private:
  /// A read with its arguments and, once it was made, its answer. `done` lives in the frame of
  /// whoever waits.
  struct Recall {
    std::string endpoint;
    Identity identity;
    Candidates candidates;
    Completion<Result<std::optional<FirstReply>>>* done;
    Result<std::optional<FirstReply>> answer = std::nullopt;
  };
  struct Load {
    ComponentId component;
    EntityId id;
    Completion<Result<std::optional<Object>>>* done;
    Result<std::optional<Object>> answer = std::nullopt;
  };
  struct Other {
    std::move_only_function<void(Reader&)> read;
    Completion<bool>* done;
    bool answer = true;
  };
  using Read = std::variant<Recall, Load, Other>;

  void start_soon();
  void start();
  void make(std::vector<Read>& reads, EpochMs now);
  void made(std::vector<Read> reads);

  Loop& loop_;
  Executor& executor_;
  Reader& reader_;
  ExpiryClock& time_;
  std::vector<Read> queue_;
  /// A batch is with the reader, or about to be.
  bool busy_ = false;
  Completion<bool>* drained_ = nullptr;
};

}  // namespace toa::storage::sqlite
