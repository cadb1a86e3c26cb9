#include "kill/drill.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <fmt/format.h>
#include <map>
#include <span>
#include <sys/wait.h>
#include <thread>

#include "base/assert.hpp"
#include "base/json.hpp"
#include "kill/exchange.hpp"
#include "kill/load.hpp"
#include "runtime/control_client.hpp"

namespace toa::kill {
namespace {

// A backlog of a whole drill, on a busy machine.
constexpr std::chrono::seconds chain_patience{60};

std::optional<std::int64_t> ask_number(LineClient& client, const std::string& component,
                                       const std::string& id, const std::string& property) {
  const auto request = fmt::format(
      R"({{"n":0,"do":"call","endpoint":"{}.observe","request":{{"query":{{"id":"{}"}}}}}})",
      component, id);
  if (!client.send(request + "\n")) return std::nullopt;
  const auto line = client.receive();
  const auto answer = line ? json::parse(*line) : fail(ErrorKind::unavailable, "");
  const auto* output = answer ? json::find(*answer, "output") : nullptr;
  const auto* number = output == nullptr ? nullptr : json::find(*output, property);
  return number == nullptr ? std::nullopt : std::optional(number->as_int64());
}

/// How many messages of a component are set aside.
std::optional<std::int64_t> count_parked(const std::string& socket, const std::string& component) {
  auto client = runtime::ControlClient::connect(socket);
  if (!client) return std::nullopt;
  runtime::ParkedRequest request;
  request.selection.component = component;
  for (std::int64_t count = 0;;) {
    const auto page = client->parked(request);
    if (!page) return std::nullopt;
    count += static_cast<std::int64_t>(page->items.size());
    if (!page->next) return count;
    request.after = *page->next;
  }
}

/// One receiver of an event beside others: what it does with every `nth` change of a counter.
struct Failing {
  std::string component;
  std::int64_t nth = 1;
  /// Where it counts what it has applied; empty where it never succeeds.
  std::string counts;
};
const std::array<Failing, 2> all_failing{
    {{"kill.doubters", 3, "changes"}, {"kill.deniers", 8, ""}}};

/// What it applied and what was set aside of it.
std::optional<std::int64_t> count_done(LineClient& client, const std::string& socket,
                                       const Failing& receiver) {
  auto done = count_parked(socket, receiver.component);
  if (!done || receiver.counts.empty()) return done;
  for (const auto& counter : Ledger::counters()) {
    const auto applied = ask_number(client, receiver.component, counter, receiver.counts);
    if (!applied) return std::nullopt;
    *done += *applied;
  }
  return done;
}

// Requests on the way at once when all that is known is asked again.
constexpr std::size_t window = 200;

}  // namespace

Drill::Drill(std::string storage, std::uint64_t seed)
    : storage_(std::move(storage)), random_(seed) {}

VictimProcess::Options Drill::options(std::string fault) const {
  return {.storage = storage_, .data = folder_.path(), .fault = std::move(fault)};
}

bool Drill::live(const Kill& kill) {
  VictimProcess victim(options(kill.fault));
  bool alive = victim.wait_until_ready() && settle(victim.socket(), Asked::last_life);
  if (alive) {
    Load load(victim.socket(), ledger_, random_.next());
    alive = load.wait_for(kill.answers);
    // The moment of death is drawn, not awaited.
    if (alive) std::this_thread::sleep_for(kill.then);
    victim.kill();
    if (load.silent()) troubles_.push_back("a call was not answered: " + victim.log());
  }
  if (alive) ++tally_.killed_under_load;
  return end(victim, !alive);
}

bool Drill::reckon(const std::string& fault) {
  VictimProcess victim(options(fault));
  const bool alive = victim.wait_until_ready() && settle(victim.socket(), Asked::last_life);
  return end(victim, !alive);
}

void Drill::die_starting(std::chrono::microseconds after) {
  VictimProcess victim(options({}));
  std::this_thread::sleep_for(after);
  ++tally_.killed_while_starting;
  end(victim, false);
}

void Drill::finish() {
  VictimProcess victim(options({}));
  if (!victim.wait_until_ready() || !settle(victim.socket(), Asked::ever)) {
    troubles_.push_back("the last life ended early: " + victim.log());
  }
  end(victim, false);
}

bool Drill::end(VictimProcess& victim, bool by_fault) {
  ++tally_.lives;
  if (!by_fault) victim.kill();
  if (by_fault) ++tally_.killed_by_fault;
  const int status = victim.wait();
  expect(status, WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, victim);
  return by_fault;
}

void Drill::expect(int status, bool as_expected, const VictimProcess& victim) {
  if (as_expected) return;
  troubles_.push_back(fmt::format("the process ended with status {:#x}: {}", status, victim.log()));
}

void Drill::stop_under_load(std::size_t answers) {
  VictimProcess victim(options({}));
  if (!victim.wait_until_ready() || !settle(victim.socket(), Asked::last_life)) {
    troubles_.push_back("it ended before it was stopped: " + victim.log());
    return;
  }
  Load load(victim.socket(), ledger_, random_.next());
  load.wait_for(answers);
  victim.stop();
  const int status = victim.wait();
  expect(status, WIFEXITED(status) && WEXITSTATUS(status) == 0, victim);
  ++tally_.lives;
  ++tally_.stopped;
}

bool Drill::settle(const std::string& socket, Asked asked) {
  auto client = LineClient::connect(socket);
  if (!client) return false;
  auto known = asked == Asked::ever ? ledger_.acknowledged() : ledger_.acknowledged_on_page();
  if (!ask_again(*client, ledger_.unanswered())) return false;
  if (!ask_again(*client, std::move(known))) return false;
  if (!check_stored(*client)) return false;
  if (asked == Asked::ever && !check_followed(*client)) return false;
  if (asked == Asked::ever && !check_failing(*client, socket)) return false;
  ledger_.turn_page();
  return true;
}

bool Drill::ask_again(LineClient& client, std::vector<Ledger::Sent> requests) {
  for (std::size_t at = 0; at < requests.size(); at += window) {
    const auto some = std::span(requests).subspan(at, std::min(window, requests.size() - at));
    if (!exchange(client, ledger_, {some.begin(), some.end()})) {
      if (client.silent()) troubles_.emplace_back("a repeated call was not answered");
      return false;
    }
  }
  return true;
}

bool Drill::check_stored(LineClient& client) {
  std::map<std::string, Count> stored;
  for (const auto& counter : Ledger::counters()) {
    if (!client.send(observe_line(0, counter) + "\n")) return false;
    const auto line = client.receive();
    if (!line) return false;
    const auto answer = read_answer(*line);
    const auto counts = answer ? counts_of(answer->reply) : std::vector<Count>{};
    stored[counter] = counts.empty() ? Count{} : counts.front();
  }
  ledger_.check(stored);
  return true;
}

// Every change of a counter reaches the end of its chain: event, receiver, event, effect, task.
// What is still under way is waited for; what is too much has counted twice.
bool Drill::check_followed(LineClient& client) {
  for (const auto& counter : Ledger::counters()) {
    const auto changes = ask_number(client, "kill.counters", counter, "VERSION");
    if (!changes) return false;
    for (const auto& [follower, property] :
         {std::pair("kill.followers", "changes"), std::pair("kill.tallies", "total")}) {
      const auto deadline = std::chrono::steady_clock::now() + chain_patience;
      auto counted = ask_number(client, follower, counter, property);
      while (counted && *counted < *changes && std::chrono::steady_clock::now() < deadline)
        counted = ask_number(client, follower, counter, property);
      if (!counted) return false;
      ledger_.followed(follower, counter, *changes, *counted);
    }
  }
  return true;
}

// Beside them the same events reach receivers that fail: each is applied once or set aside once.
bool Drill::check_failing(LineClient& client, const std::string& socket) {
  std::map<std::int64_t, std::int64_t> expected;
  for (const auto& counter : Ledger::counters()) {
    const auto changes = ask_number(client, "kill.counters", counter, "VERSION");
    if (!changes) return false;
    for (const auto& each : all_failing) expected[each.nth] += *changes / each.nth;
  }
  for (const auto& each : all_failing) {
    const auto deadline = std::chrono::steady_clock::now() + chain_patience;
    auto done = count_done(client, socket, each);
    while (done && *done < expected[each.nth] && std::chrono::steady_clock::now() < deadline)
      done = count_done(client, socket, each);
    if (!done) return false;
    ledger_.followed(each.component, "every counter", expected[each.nth], *done);
  }
  return true;
}

}  // namespace toa::kill
