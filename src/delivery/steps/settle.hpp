#pragma once

#include "base/clock.hpp"
#include "delivery/steps/ladder.hpp"
#include "model/message.hpp"
#include "model/reply.hpp"

namespace toa::delivery {

/// What becomes of a message after one delivery: it is done with where the operation replied or
/// refused (R5); an exception is tried again on the ladder, or, where that cannot help or was the
/// last attempt, set aside with its reason (R9, R10, R19).
Fate settle(const Message& message, const Outcome& outcome, EpochMs now, const Ladder& ladder);

/// An exception as it is kept with a parked message (R32).
Failure failure_of(const Exception& exception);

}  // namespace toa::delivery
