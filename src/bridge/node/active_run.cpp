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
  calls_made = 0;
  ++attempt;
}

Task<void> serve(ActiveRun& run, CallMessage message) {
  auto request = checked(std::move(message.request));
  Outcome outcome;
  if (request) {
    outcome = co_await run.host.call(message.where, message.endpoint, std::move(*request));
  } else {
    outcome = Exception{.code = Code::request_syntax,
                        .message = fmt::format("the request to {} cannot be used: {}",
                                               message.endpoint, request.error().message)};
  }
  if (run.worker != nullptr && run.number == message.run) {
    run.worker->answer(message.run, message.call, outcome);
  }
}

}  // namespace toa::bridge::node
