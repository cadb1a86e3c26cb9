#include "bridge/node/stream.hpp"

#include <fmt/format.h>
#include <utility>

#include "base/limits.hpp"
#include "bridge/node/active_run.hpp"
#include "bridge/node/ran.hpp"
#include "bridge/node/worker.hpp"

namespace toa::bridge::node {

Task<void> take_parts(ActiveRun& run) {
  auto& stream = run.stream;
  const auto number = run.number;
  while (!stream.parts.empty()) {
    auto part = checked(std::move(stream.parts.front()));
    stream.parts.erase(stream.parts.begin());
    bool wanted = false;
    if (part) {
      wanted = co_await run.host.part(std::move(*part));
    } else {
      stream.spoiled =
          Exception{.message = fmt::format("a part of the reply of {} cannot be used: {}", run.name,
                                           part.error().message)};
    }
    if (!wanted) {
      stream.unwanted = true;
      stream.parts.clear();
    }
    if (run.worker != nullptr && run.number == number) run.worker->taken(number, wanted);
  }
  stream.taking = false;
}

Reading::Reading(ActiveRun& run, CallNumber call) : run_(run), call_(call), number_(run.number) {}

Reading::~Reading() {
  // Another attempt of the run may have made a call of the same number meanwhile.
  const auto own = run_.readings.find(call_);
  if (own != run_.readings.end() && own->second == this) run_.readings.erase(own);
}

bool Reading::lasts() const {
  return !cancelled_ && run_.worker != nullptr && run_.number == number_;
}

void Reading::begin() {
  if (!lasts()) return;
  run_.readings[call_] = this;
  run_.worker->begin(number_, call_);
}

Task<bool> Reading::take(Document part) {
  while (lasts() && under_way_ >= limits::stream_parts_max) {
    Completion<bool> room(run_.loop);
    waiting_ = &room;
    co_await room;
  }
  if (!lasts()) co_return false;
  ++under_way_;
  run_.worker->part(number_, call_, part);
  co_return true;
}

void Reading::more() {
  if (under_way_ > 0) --under_way_;
  wake();
}

void Reading::cancel() {
  cancelled_ = true;
  wake();
}

void Reading::wake() {
  if (auto* waiting = std::exchange(waiting_, nullptr)) waiting->complete(true);
}

}  // namespace toa::bridge::node
