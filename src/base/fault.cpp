#include "base/fault.hpp"

#include <atomic>
#include <charconv>
#include <signal.h>
#include <thread>
#include <unistd.h>

namespace toa {

enum class Action { crash, fail, delay };

struct Faults::Armed {
  std::string place;
  std::uint64_t occurrence = 0;
  Action action = Action::crash;
  std::chrono::milliseconds delay{};
  std::atomic<std::uint64_t> reached{0};
};

Faults::Faults() = default;
Faults::Faults(Judge judge) : judge_(std::move(judge)) {}
Faults::~Faults() = default;

namespace {

bool number(std::string_view text, std::uint64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

Result<void> Faults::arm(std::string_view text) {
  while (!text.empty()) {
    const auto comma = text.find(',');
    const auto part = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);

    const auto equals = part.find('=');
    const auto colon = part.substr(0, equals).rfind(':');
    auto refused = [&] {
      return fail(ErrorKind::invalid, "TOA_FAULT: '" + std::string(part) +
                                          "' is not of the form <place>:<n>=crash|fail|delay:<ms>");
    };
    if (equals == std::string_view::npos || colon == std::string_view::npos) return refused();
    auto armed = std::make_unique<Armed>();
    armed->place = part.substr(0, colon);
    const auto action = part.substr(equals + 1);
    std::uint64_t delay = 0;
    if (!number(part.substr(colon + 1, equals - colon - 1), armed->occurrence)) return refused();
    if (armed->place.empty() || armed->occurrence == 0) return refused();
    if (action == "crash") {
      armed->action = Action::crash;
    } else if (action == "fail") {
      armed->action = Action::fail;
    } else if (action.starts_with("delay:") && number(action.substr(6), delay)) {
      armed->action = Action::delay;
      armed->delay = std::chrono::milliseconds(delay);
    } else {
      return refused();
    }
    armed_.push_back(std::move(armed));
  }
  return {};
}

Faults::Verdict Faults::act(std::string_view place) {
  auto verdict = Verdict::go_on;
  for (auto& armed : armed_) {
    if (armed->place != place || ++armed->reached != armed->occurrence) continue;
    switch (armed->action) {
      case Action::crash:
        // Nothing of the process may run after this, as when the machine stops.
        ::kill(::getpid(), SIGKILL);
        ::pause();
        break;
      case Action::fail:
        verdict = Verdict::fail;
        break;
      case Action::delay:
        std::this_thread::sleep_for(armed->delay);
        break;
    }
  }
  return verdict;
}

}  // namespace toa
