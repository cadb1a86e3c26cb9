#include "kill/ledger.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/assert.hpp"

namespace toa::kill {
namespace {

// Few, so that most calls meet others on their counter.
constexpr std::size_t counters_in_all = 5;
// Calls that are likely to be in flight, or to have been when the process was killed.
constexpr std::size_t recent_calls = 60;
// A broken promise shows in many places; the first ones tell.
constexpr std::size_t violations_max = 12;

std::string counter(std::size_t number) {
  return fmt::format("{:032x}", 0xc0 + number);
}

Call random_call(Random& random) {
  Call call{.id = fmt::format("{:016x}{:016x}", random.next(), random.next()),
            .counters = {counter(random.below(counters_in_all))},
            .by = 1 + static_cast<int>(random.below(9))};
  if (random.below(5) == 0) call.counters.push_back(counter(random.below(counters_in_all)));
  return call;
}

}  // namespace

std::vector<std::string> Ledger::counters() {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < counters_in_all; ++i) all.push_back(counter(i));
  return all;
}

Ledger::Sent Ledger::make(Random& random) {
  return make(random_call(random));
}

Ledger::Sent Ledger::make(Call call) {
  const std::lock_guard lock(mutex_);
  entries_.push_back({.call = std::move(call)});
  return {entries_.size() - 1, false};
}

std::optional<Ledger::Sent> Ledger::repeat(Random& random) const {
  const std::lock_guard lock(mutex_);
  if (entries_.empty()) return std::nullopt;
  const auto back = random.below(std::min(entries_.size(), recent_calls));
  const auto call = entries_.size() - 1 - back;
  return Sent{call, entries_[call].reply.has_value()};
}

std::string Ledger::line(std::uint64_t n, const Sent& sent) const {
  const std::lock_guard lock(mutex_);
  return call_line(n, entries_[sent.call].call);
}

void Ledger::answered(const Sent& sent, const Answer& answer) {
  const std::lock_guard lock(mutex_);
  auto& entry = entries_[sent.call];
  const auto& id = entry.call.id;
  if (counts_of(answer.reply).size() != entry.call.counters.size()) {
    return violated(fmt::format("{} was answered {}", id, answer.reply));
  }
  if (entry.reply && *entry.reply != answer.reply) {
    violated(fmt::format("{} was answered {} and then {}", id, *entry.reply, answer.reply));
  }
  if (entry.call.direct() && !answer.replayed) {
    if (sent.acknowledged) violated(fmt::format("{} was acknowledged and ran again", id));
    if (++entry.fresh_answers > 1) violated(fmt::format("{} ran twice", id));
  }
  if (!entry.reply) {
    entry.reply = answer.reply;
    entry.page = page_;
  }
}

template <class Matches>
std::vector<Ledger::Sent> Ledger::select(Matches matches) const {
  const std::lock_guard lock(mutex_);
  std::vector<Sent> found;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (matches(entries_[i])) found.push_back({i, entries_[i].reply.has_value()});
  }
  return found;
}

std::vector<Ledger::Sent> Ledger::unanswered() const {
  return select([](const Entry& entry) { return !entry.reply; });
}

std::vector<Ledger::Sent> Ledger::acknowledged_on_page() const {
  return select([this](const Entry& entry) { return entry.reply && entry.page == page_; });
}

std::vector<Ledger::Sent> Ledger::acknowledged() const {
  return select([](const Entry& entry) { return entry.reply.has_value(); });
}

void Ledger::turn_page() {
  const std::lock_guard lock(mutex_);
  ++page_;
}

void Ledger::check(const std::map<std::string, Count>& stored) {
  const std::lock_guard lock(mutex_);
  for (const auto& [counter, count] : stored) check_chain(counter, steps_of(counter), count);
}

void Ledger::followed(const std::string& follower, const std::string& counter, std::int64_t changes,
                      std::int64_t counted) {
  if (counted == changes) return;
  const std::lock_guard lock(mutex_);
  violated(
      fmt::format("{} counted {} of the {} changes of {}", follower, counted, changes, counter));
}

std::vector<Ledger::Step> Ledger::steps_of(const std::string& counter) {
  std::vector<Step> steps;
  for (const auto& entry : entries_) {
    require(entry.reply.has_value(), "an unanswered call cannot be judged");
    const auto counts = counts_of(*entry.reply);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (entry.call.counters[i] == counter)
        steps.push_back({counts[i], entry.call.by, entry.call.id});
    }
  }
  std::ranges::sort(steps, {}, [](const Step& step) { return step.after.version; });
  return steps;
}

void Ledger::check_chain(const std::string& counter, const std::vector<Step>& steps, Count stored) {
  Count reached;
  for (const auto& step : steps) {
    const Count expected{reached.version + 1, reached.total + step.by};
    if (step.after != expected) {
      violated(fmt::format(
          "{}: {} was told version {} total {}, where the calls before it make {} and {}", counter,
          step.id, step.after.version, step.after.total, expected.version, expected.total));
      return;
    }
    reached = expected;
  }
  if (reached != stored) {
    violated(fmt::format("{}: version {} total {} is stored, where the calls make {} and {}",
                         counter, stored.version, stored.total, reached.version, reached.total));
  }
}

std::size_t Ledger::calls() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

void Ledger::violated(std::string what) {
  if (violations_.size() < violations_max) violations_.push_back(std::move(what));
}

std::vector<std::string> Ledger::violations() const {
  const std::lock_guard lock(mutex_);
  return violations_;
}

}  // namespace toa::kill
