#include "simulation/plan.hpp"

namespace toa::simulation {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

class Dice {
 public:
  explicit Dice(Random& random) : random_(random) {}

  /// In [low, high].
  int between(int low, int high) {
    return low + static_cast<int>(random_.below(static_cast<std::uint64_t>(high - low) + 1));
  }
  bool often() { return random_.below(2) == 0; }
  bool seldom() { return random_.below(4) == 0; }
  Permille maybe(Permille most) { return often() ? 1 + random_.below(most) : 0; }
  Permille rarely(Permille most) { return seldom() ? 1 + random_.below(most) : 0; }

 private:
  Random& random_;
};

delivery::Ladder ladder_of(Dice dice) {
  if (dice.often()) return {};
  return {.pauses = {milliseconds(dice.between(0, 5)), milliseconds(dice.between(0, 50)),
                     milliseconds(dice.between(1, 500)), milliseconds(dice.between(1, 5'000))}};
}

/// Mostly so small that slices close, are indexed and dropped within a story.
storage::sqlite::InboxOptions inbox_of(Dice dice) {
  if (dice.seldom()) return {};
  storage::sqlite::InboxOptions options{
      .slice_rows_max = static_cast<std::uint32_t>(dice.between(2, 20)),
      .index_rows_max = static_cast<std::size_t>(dice.between(1, 5))};
  if (dice.seldom()) options.filter_bytes_max = static_cast<std::size_t>(dice.between(0, 200));
  return options;
}

SimWorker::Pace pace_of(Dice dice) {
  constexpr int us = 1'000, ms = 1'000'000;
  return {.usual_max = nanoseconds(dice.seldom() ? 10 * ms : 300 * us),
          .slow_max = nanoseconds(dice.often() ? 500 * ms : 20 * ms)};
}

}  // namespace

Plan::Plan(Random& random) {
  Dice dice(random);
  order = dice.seldom() ? SimLoop::Order::first_come : SimLoop::Order::any;
  pace = pace_of(dice);
  ladder = ladder_of(dice);

  wallets = dice.between(1, 3);
  credits = dice.between(0, 12);
  payments = dice.between(1, 8);
  tallies = dice.between(0, 4);
  notes = dice.between(0, 4);
  crossings = dice.seldom() ? dice.between(1, 3) : 0;
  accepts_early = !dice.seldom();
  inbox = inbox_of(dice);
  bad = dice.maybe(400);
  poisoned = dice.maybe(200);

  turbulence = milliseconds(dice.often() ? dice.between(100, 2'000) : dice.between(2'000, 200'000));
  // Calls come all at once, or are spread over the whole of it.
  client_pause_max = turbulence / dice.between(5, 300) + milliseconds(1);

  crashes = dice.often() ? dice.between(0, 4) : 0;
  restarts = dice.seldom() ? dice.between(1, 2) : 0;
  downtime_max = dice.seldom() ? milliseconds(200'000) : milliseconds(dice.between(0, 3'000));
  crashes_keep_blocks = dice.often();
  clock_jumps = dice.seldom() ? dice.between(1, 3) : 0;
  clock_jump_max = seconds(dice.between(1, 60));
  bad_weathers = dice.seldom() ? dice.between(1, 3) : 0;

  commit_fails = dice.rarely(50);
  commit_unknown = dice.rarely(5);
  commit_lies = dice.rarely(20);
  read_fails = dice.rarely(30);
  task_unknown = dice.rarely(200);
  storage_lingers = dice.maybe(100);
  duplicates = dice.maybe(200);
  replies_lost = dice.maybe(200);
  called_again = dice.maybe(300);
  looks = dice.maybe(500);
  throws = dice.maybe(200);
  lingers = dice.maybe(100);
  worker_lost = dice.maybe(100);
  returned_early = dice.maybe(300);
  set_right = dice.often();
  set_back = milliseconds(0);
  if (dice.seldom()) set_back = hours(set_right ? dice.between(1, 20) : 24 * dice.between(1, 400));
  outbox_batch = dice.seldom() ? dice.between(1, 3) : 200;
  if (dice.seldom()) rush(random);
}

/// Many calls at once for few objects, whose commits fail while others build on them.
void Plan::rush(Random& random) {
  Dice dice(random);
  wallets = dice.between(1, 2);
  credits = dice.between(10, 30);
  turbulence = milliseconds(dice.between(200, 3'000));
  client_pause_max = milliseconds(dice.between(1, 20));
  commit_fails = 50 + random.below(200);
  lingers = 200 + random.below(300);
}

}  // namespace toa::simulation
