#include "delivery/steps/settle.hpp"

namespace toa::delivery {

Failure failure_of(const Exception& exception) {
  Failure failure{
      .code = exception.code, .reason = exception.message, .cause = {}, .stack = exception.stack};
  if (exception.cause) failure.cause = json::print(*exception.cause);
  return failure;
}

Fate settle(const Message& message, const Outcome& outcome, EpochMs now, const Ladder& ladder) {
  const auto* exception = std::get_if<Exception>(&outcome);
  if (exception == nullptr) return Acknowledge{message.number};

  const bool last = message.attempt >= ladder.attempts();
  if (last || is_permanent(*exception)) {
    return Park{message.number, now, message.attempt, failure_of(*exception)};
  }
  const auto pause = ladder.pauses[static_cast<std::size_t>(message.attempt - 1)];
  return Retry{message.number, message.attempt + 1, now + pause.count()};
}

}  // namespace toa::delivery
