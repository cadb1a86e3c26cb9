#include "bridge/node/active_run.hpp"

#include <fmt/format.h>

#include "bridge/node/ran.hpp"
#include "bridge/node/worker.hpp"

namespace toa::bridge::node {

bool ActiveRun::is_beneath(const ActiveRun& other) const {
  for (const auto* above = caller; above != nullptr; above = above->caller) {
    if (above == &other) return true;
  }
  return false;
}

void ActiveRun::lose() {
  worker = nullptr;
  end_readings();
  calls_made = 0;
  ++attempt;
}

void ActiveRun::end_readings() {
  for (const auto& [call, reading] : readings) reading->cancel();
}

Task<void> serve(ActiveRun& run, CallMessage message) {
  Reading reading(run, message.call);
  auto request = checked(std::move(message.request));
  Outcome outcome;
  if (request) {
    outcome =
        co_await run.host.call_into(reading, message.where, message.endpoint, std::move(*request));
  } else {
    outcome = Exception{.code = Code::request_syntax,
                        .message = fmt::format("the request to {} cannot be used: {}",
                                               message.endpoint, request.error().message)};
  }
  if (run.worker != nullptr && run.number == message.run) {
    run.worker->answer(message.run, message.call, outcome);
  }
}

Task<void> serve_settling(ActiveRun& run, RunNumber attempt) {
  const auto why_not = co_await run.host.settle();
  if (run.worker != nullptr && run.number == attempt) run.worker->settled(attempt, why_not);
}

Task<void> serve_query(ActiveRun& run, QueryMessage message) {
  auto question = checked(std::move(message.question));
  Outcome outcome;
  if (question) {
    outcome = co_await run.host.query(std::move(*question));
  } else {
    outcome = Exception{.code = Code::request_syntax,
                        .message = "the query cannot be used: " + question.error().message};
  }
  if (run.worker != nullptr && run.number == message.run) {
    run.worker->answer(message.run, message.call, outcome);
  }
}

}  // namespace toa::bridge::node
