#pragma once

#include <cstdint>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "bridge/locks.hpp"
#include "bridge/node/outbox.hpp"
#include "bridge/stash.hpp"

namespace toa::bridge::node {

/// Whoever asks: a worker.
class Asker {
 public:
  virtual ~Asker() = default;
  virtual void told(AskNumber ask, const Answer& answer) = 0;
};

/// What the workers of a program share: its stash, and locks on keys. Both are kept apart by
/// component.
class Commons {
 public:
  explicit Commons(const Clock& clock) : stash_(clock) {}

  /// Answers now or, where a lock has to be waited for, later; not after `gone`. Fails where the
  /// question is none.
  Result<void> ask(Asker& asker, AskNumber ask, const Json& question);
  /// The asker has ended: its locks go to those who wait for them.
  void gone(Asker& asker) { locks_.gone(&asker); }

 private:
  Stash stash_;
  Locks locks_;
};

}  // namespace toa::bridge::node
