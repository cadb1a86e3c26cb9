#pragma once

#include <chrono>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "async/completion.hpp"
#include "async/scope.hpp"
#include "bridge/bridge.hpp"
#include "bridge/node/incoming.hpp"
#include "bridge/node/outbox.hpp"
#include "bridge/node/stream.hpp"

namespace toa::bridge::node {

class Worker;

/// A run that somebody waits for. It lives in the frame of the task that waits, and stays at its
/// place. Invariants: (1) it is in at most one worker, or in one queue; (2) `attempt` counts its
/// losses, so that what an earlier attempt called can be told apart; (3) it ends once.
struct ActiveRun {
  ActiveRun(Loop& on, Run what, Host& whose, std::string_view operation, ActiveRun* beneath)
      : loop(on),
        run(std::move(what)),
        host(whose),
        name(operation),
        caller(beneath),
        caller_attempt(beneath == nullptr ? 0 : beneath->attempt),
        ended(on),
        calls(on) {}

  Loop& loop;
  const Run run;
  Host& host;
  /// `component.operation`
  const std::string_view name;
  /// The run whose call this serves, where it is one of this bridge's; it outlives this one.
  ActiveRun* const caller;
  const int caller_attempt;

  int attempt = 0;
  /// Of the current attempt, unique over all workers.
  RunNumber number;
  Worker* worker = nullptr;
  /// Among those that wait for a worker with it: that of the first of its key, and its own.
  std::pair<std::size_t, std::size_t> place;
  std::uint64_t calls_made = 0;
  /// Workers of its own that it ended.
  int deaths = 0;
  std::chrono::milliseconds trial{0};

  /// It is of this one worker, and ends with it: a run command.
  bool tied = false;

  std::chrono::nanoseconds started{};
  /// The next report that it has not ended is due at this age.
  std::chrono::nanoseconds report_after{};

  /// Its own reply, where that is a stream.
  ReplyStream stream;
  /// The streams that its calls are answered with, while they are read. They live in the tasks of
  /// `calls`.
  std::unordered_map<CallNumber, Reading*> readings;

  Completion<Ran> ended;
  Scope calls;

  bool caller_lost() const { return caller != nullptr && caller->attempt != caller_attempt; }
  bool is_beneath(const ActiveRun& other) const;
  /// Its worker is gone: forgets the attempt.
  void lose();
  /// Nothing reads any more what its calls are answered with.
  void end_readings();
};

/// Answers rows that the current attempt of `run` asked for.
Task<void> serve_query(ActiveRun& run, QueryMessage message);

/// Tells the current attempt of `run` when what it was given is durable, or that it was taken back.
Task<void> serve_settling(ActiveRun& run, RunNumber attempt);

/// Serves a call that the current attempt of `run` made, and answers if that attempt still lasts.
Task<void> serve(ActiveRun& run, CallMessage message);

}  // namespace toa::bridge::node
