#include "simulation/simulation.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "simulation/life.hpp"
#include "simulation/shop.hpp"
#include "storage/sqlite/temporary_folder.hpp"

namespace toa::simulation {
namespace {

using std::chrono::seconds;

constexpr std::array places{"delivery.before",  "ack.before",  "ack.after",
                            "outbox.published", "task.queued", "commit.before",
                            "commit.written",   "commit.after"};

// Once the faults have ended: the ladder several times over, and all that the clock was set back.
constexpr seconds settling_max{7'200};
// Far more than any seed takes; what takes more turns in circles.
constexpr std::uint64_t steps_max = 2'000'000;
constexpr milliseconds past_every_window{7'300'000};
constexpr int operator_rounds_max = 20;

/// Made once: to compile its contracts costs as much as many a seed.
const manifest::Application& shop() {
  static const auto made = make_shop();
  return made;
}

/// Trouble that comes at its time, whatever the process does.
struct Moment {
  enum class Kind { crash, restart, jump, set_back, set_right, bad_weather, good_weather };
  nanoseconds at;
  Kind kind;
};

class Simulation {
 public:
  Simulation(std::uint64_t seed, Mutant mutant, Trace::Tell tell)
      : random_(seed), ids_(seed + 1), plan_(random_), trace_(time_, tell), mutant_(mutant) {
    application_.context.outbox_batch = plan_.outbox_batch;
    trace_.hide(folder_.path());
    set_weather(lossy::Fault::none);
  }

  Finding run();

 private:
  void open();
  void crash(const std::string& where);
  void go_on_after_crash();
  void restart();
  void stay_down();

  Faults::Verdict reached(std::string_view place);
  void plan_moments();
  void plan_crash();
  void play(const Moment& moment);
  void jump();
  void add_setting_of_the_clock();
  void set_clock(milliseconds by);
  void set_weather(lossy::Fault fault);

  void step();
  template <class Done>
  bool run_until(Done done, nanoseconds longest);
  template <class T>
  T wait_for(Task<T> task);
  template <class T>
  static Task<void> keep(Task<T> task, std::optional<T>& value);

  Task<void> clients();
  Task<void> ask(std::size_t errand);
  Task<void> look(std::string wallet);
  Task<void> operators();
  Task<bool> put_back(Permille each);
  Task<void> watch();
  Task<void> end_in_order();

  void turbulence();
  void settle();
  void repeat_all();
  void operate();
  void add(Violations more);

  SimTime time_;
  SeededRandom random_, ids_;
  Plan plan_;
  Trace trace_;
  Mutant mutant_;
  SimLoop loop_{time_, random_, plan_.order};
  Chaos chaos_{random_, plan_};
  Ledger ledger_{random_, time_, plan_};
  storage::sqlite::TemporaryFolder folder_;
  lossy::Vfs disk_{"lossy_simulation"};
  manifest::Application application_ = shop();

  std::unique_ptr<Life> life_;
  bool dead_ = false, stopping_ = false, quiet_ = false;
  int putting_back_ = 0;
  /// A commit was answered as failed though it was made: only a start finds what it left.
  bool owes_restart_ = false;
  std::vector<Moment> moments_;
  int crashes_left_ = 0;
  std::string crash_place_;
  std::uint64_t crash_countdown_ = 0;
  Finding finding_;
};

// The life of the process.

void Simulation::open() {
  dead_ = stopping_ = false;
  plan_crash();
  const Surroundings around{.time = time_,
                            .loop = loop_,
                            .random = ids_,
                            .chaos = chaos_,
                            .trace = trace_,
                            .disk = disk_,
                            .file = folder_.path() + "/toa.db",
                            .application = application_,
                            .mutant = mutant_};
  life_ = std::make_unique<Life>(
      around,
      Life::Events{.reached = [this](std::string_view place) { return reached(place); },
                   .outcome_unknown = [this](const std::string&) { crash("an unknown outcome"); },
                   .lied = [this] { owes_restart_ = true; }});
  if (const auto refused = Life::open(life_)) return add({"the file does not open: " + *refused});
  owes_restart_ = false;
  trace_.line("the process starts");
  const auto started = wait_for(life_->start());
  set_weather(lossy::Fault::none);
  if (dead_) return;
  if (!started) return crash("its start");
  life_->scope().spawn(clients());
  life_->scope().spawn(operators());
}

void Simulation::crash(const std::string& where) {
  if (dead_) return;
  dead_ = true;
  ++finding_.ends[where];
  trace_.line("CRASH at " + where);
  disk_.crash(plan_.crashes_keep_blocks ? std::optional(random_.next()) : std::nullopt);
}

void Simulation::go_on_after_crash() {
  Life::crash(std::move(life_));
  ledger_.hung_up();
  putting_back_ = 0;
  stay_down();
  open();
}

void Simulation::stay_down() {
  set_weather(lossy::Fault::none);
  if (chaos_.calm()) return;
  time_.pass(chaos_.up_to(plan_.downtime_max));
  if (plan_.clock_jumps > 0 && ledger_.none_in_doubt() && random_.below(2) == 0)
    set_clock(past_every_window);
}

void Simulation::restart() {
  trace_.line("the process is told to stop");
  ++finding_.ends["restart"];
  stopping_ = true;
  // Not the scope that it waits for.
  auto ending = std::make_unique<Scope>(loop_);
  ending->spawn(end_in_order());
  const bool ended = run_until([&] { return ending->running() == 0; }, settling_max);
  if (!ended) {
    // As all that is of a dead process, it is left as it stands.
    [[maybe_unused]] const auto* left = ending.release();
    if (!dead_) add({"the process does not stop"});
    return;
  }
  life_.reset();
  trace_.line("the process has stopped");
  stay_down();
  open();
}

Task<void> Simulation::end_in_order() {
  co_await life_->scope().close();
  co_await life_->close();
}

// Troubles.

void Simulation::plan_crash() {
  crash_countdown_ = 0;
  if (crashes_left_ == 0 || chaos_.calm() || random_.below(5) == 0) return;
  --crashes_left_;
  crash_place_ = places[random_.below(places.size())];
  crash_countdown_ = 1 + random_.below(random_.below(2) == 0 ? 5 : 60);
}

Faults::Verdict Simulation::reached(std::string_view place) {
  using Verdict = Faults::Verdict;
  if (dead_ || chaos_.calm()) return Verdict::go_on;
  if (crash_countdown_ > 0 && place == crash_place_ && --crash_countdown_ == 0) {
    crash(std::string(place));
    return Verdict::go_on;
  }
  const bool task = place == "task.queued";
  const auto often = place == "commit.after"       ? plan_.commit_unknown
                     : place.starts_with("commit") ? plan_.commit_fails / 2
                     : task                        ? plan_.task_unknown
                                                   : 0;
  if (!chaos_.happens(often)) return Verdict::go_on;
  trace_.line(fmt::format("{} fails", place));
  owes_restart_ |= task;
  return Verdict::fail;
}

void Simulation::plan_moments() {
  const auto add = [this](Moment::Kind kind, int count) {
    for (int i = 0; i < count; ++i) {
      const auto at = chaos_.up_to(plan_.turbulence);
      moments_.push_back({at, kind});
      if (kind == Moment::Kind::bad_weather)
        moments_.push_back({at + chaos_.up_to(milliseconds(2'000)), Moment::Kind::good_weather});
    }
  };
  add(Moment::Kind::crash, plan_.crashes / 2);
  add(Moment::Kind::restart, plan_.restarts);
  add(Moment::Kind::jump, plan_.clock_jumps);
  add(Moment::Kind::bad_weather, plan_.bad_weathers);
  if (plan_.set_back.count() > 0) add_setting_of_the_clock();
  crashes_left_ = plan_.crashes - plan_.crashes / 2;
  std::ranges::sort(moments_, std::greater(), &Moment::at);
}

void Simulation::add_setting_of_the_clock() {
  const nanoseconds at = chaos_.up_to(plan_.turbulence);
  moments_.push_back({at, Moment::Kind::set_back});
  const auto rest = std::chrono::duration_cast<milliseconds>(plan_.turbulence - at);
  if (plan_.set_right) moments_.push_back({at + chaos_.up_to(rest), Moment::Kind::set_right});
}

void Simulation::play(const Moment& moment) {
  switch (moment.kind) {
    case Moment::Kind::crash:
      return crash("some moment");
    case Moment::Kind::restart:
      return restart();
    case Moment::Kind::jump:
      return jump();
    case Moment::Kind::set_back:
      return set_clock(-plan_.set_back);
    case Moment::Kind::set_right:
      return set_clock(plan_.set_back);
    case Moment::Kind::bad_weather: {
      constexpr std::array faults{lossy::Fault::no_space_on_write, lossy::Fault::error_on_read,
                                  lossy::Fault::error_on_sync};
      return set_weather(faults[random_.below(faults.size())]);
    }
    case Moment::Kind::good_weather:
      return set_weather(lossy::Fault::none);
  }
}

void Simulation::jump() {
  auto by = chaos_.up_to(plan_.clock_jump_max);
  // Past every window: only where nobody would repeat a call that is forgotten by then.
  if (ledger_.none_in_doubt() && random_.below(2) == 0) {
    by = past_every_window;
  } else if (random_.below(2) == 0) {
    by = -by;
  }
  set_clock(by);
}

void Simulation::set_clock(milliseconds by) {
  trace_.line(fmt::format("the clock jumps by {} ms", by.count()));
  time_.jump(by);
}

void Simulation::set_weather(lossy::Fault fault) {
  if (fault != lossy::Fault::none) trace_.line("the disk fails");
  const bool lies = fault == lossy::Fault::none && mutant_ == Mutant::unsynced && life_;
  disk_.set_fault(lies ? lossy::Fault::ignore_sync : fault);
}

// Steps.

void Simulation::step() {
  while (!dead_ && !stopping_ && !moments_.empty() && moments_.back().at <= time_.steady()) {
    const auto moment = moments_.back();
    moments_.pop_back();
    if (!chaos_.calm()) play(moment);
  }
  if (!dead_ && !loop_.step()) add({"nothing is left to happen"});
}

template <class Done>
bool Simulation::run_until(Done done, nanoseconds longest) {
  const auto end = time_.steady() + longest;
  while (!done()) {
    if (dead_) return false;
    if (time_.steady() > end || !finding_.violations.empty()) return false;
    if (loop_.steps() > steps_max) return add({"it turns in circles"}), false;
    step();
  }
  return true;
}

template <class T>
Task<void> Simulation::keep(Task<T> task, std::optional<T>& value) {
  value.emplace(co_await std::move(task));
}

template <class T>
T Simulation::wait_for(Task<T> task) {
  std::optional<T> value;
  life_->scope().spawn(keep(std::move(task), value));
  run_until([&] { return value.has_value(); }, settling_max);
  return value ? std::move(*value) : T();
}

// Who is around the process.

Task<void> Simulation::clients() {
  while (!stopping_ && !(chaos_.calm() && ledger_.all_answered())) {
    const auto longest = chaos_.calm() ? milliseconds(200) : plan_.client_pause_max;
    co_await pause(loop_, chaos_.up_to(longest));
    if (stopping_) co_return;
    const auto errand = ledger_.choose(chaos_.calm() ? 0 : plan_.called_again);
    if (errand) life_->scope().spawn(ask(*errand));
    if (chaos_.happens(plan_.looks)) life_->scope().spawn(look(ledger_.any_wallet()));
  }
}

Task<void> Simulation::look(std::string wallet) {
  Request request;
  request.input = Document::of(JsonObject{});
  request.query.emplace().id = EntityId(wallet);
  const auto reply = co_await life_->router().originate("sim.wallets.look", std::move(request));
  if (dead_) co_return;
  if (const auto* output = std::get_if<Output>(&reply.outcome); output && output->value)
    trace_.line(fmt::format("{} shows {}", wallet, output->value->text()));
  ledger_.looked(wallet, reply);
}

Task<void> Simulation::ask(std::size_t errand) {
  ledger_.sent(errand);
  const auto& request = ledger_.at(errand);
  trace_.line(fmt::format("call {} {}", request.endpoint, request.tag));
  const auto reply = co_await life_->router().originate(
      request.endpoint, *Request::read(*json::parse(request.request)));
  if (dead_) co_return;
  const bool heard = !chaos_.happens(plan_.replies_lost);
  const auto* failed = std::get_if<Exception>(&reply.outcome);
  trace_.line(fmt::format("answer {}{}{}", ledger_.at(errand).tag, heard ? "" : ", lost",
                          failed == nullptr ? "" : ": " + failed->message));
  if (auto violation = ledger_.answered(errand, reply, heard)) add({*violation});
}

Task<void> Simulation::operators() {
  while (!stopping_ && !chaos_.calm()) {
    co_await pause(loop_, chaos_.up_to(milliseconds(10'000)));
    if (!stopping_ && !chaos_.calm()) co_await put_back(plan_.returned_early);
  }
}

Task<bool> Simulation::put_back(Permille each) {
  ++putting_back_;
  auto parked = co_await life_->queue().parked({}, MessageNumber(-1'000'000'000), 1'000);
  if (!parked) parked.emplace();
  for (const auto& [message, at, failure] : *parked) {
    if (random_.below(1'000) >= each) continue;
    trace_.line(fmt::format("put back {} for {}", message.id.hex(), message.component.value));
    storage::Unit unit{.fates = {Return{message.number, life_->clock().now()}}};
    const auto committed = co_await life_->storage().commit(std::move(unit));
    if (committed) life_->delivery().returned(message.component);
  }
  --putting_back_;
  co_return true;
}

Task<void> Simulation::watch() {
  milliseconds interval(50);
  while (!quiet_) {
    co_await pause(loop_, interval);
    interval = std::min(interval * 2, milliseconds(30'000));
    const auto waiting = co_await life_->queue().waiting();
    const auto records = co_await life_->queue().records({}, 1);
    quiet_ = putting_back_ == 0 && ledger_.all_answered() && waiting && *waiting == 0 && records &&
             records->empty();
  }
}

// The acts.

void Simulation::turbulence() {
  while ((dead_ || time_.steady() < plan_.turbulence) && finding_.violations.empty()) {
    run_until([this] { return time_.steady() >= plan_.turbulence; }, plan_.turbulence);
    if (dead_) go_on_after_crash();
  }
}

void Simulation::settle() {
  quiet_ = false;
  life_->scope().spawn(watch());
  if (run_until([this] { return quiet_; }, settling_max)) return;
  if (finding_.violations.empty()) add({"it does not come to rest: something is lost on its way"});
}

void Simulation::repeat_all() {
  for (const auto errand : ledger_.repeatable()) life_->scope().spawn(ask(errand));
  run_until([this] { return ledger_.none_in_doubt(); }, settling_max);
}

void Simulation::operate() {
  add(wait_for(audit_parked(life_->queue(), ledger_, false)));
  chaos_.mend();
  if (random_.below(2) == 0) {
    trace_.line("a long time passes");
    time_.pass(past_every_window);
  }
  for (int round = 0; round < operator_rounds_max && finding_.violations.empty(); ++round) {
    const auto parked = wait_for(life_->queue().parked({}, MessageNumber(-1'000'000'000), 1));
    if (!parked || parked->empty()) return;
    wait_for(put_back(1'000));
    settle();
    add(wait_for(audit_parked(life_->queue(), ledger_, true)));
  }
  if (finding_.violations.empty()) add({"what was put back is parked again and again"});
}

void Simulation::add(Violations more) {
  for (auto& violation : more) {
    trace_.line("VIOLATION: " + violation);
    finding_.violations.push_back(std::move(violation));
  }
}

Finding Simulation::run() {
  plan_moments();
  open();
  turbulence();
  chaos_.calm_down();
  trace_.line("the faults end");
  set_weather(lossy::Fault::none);
  const auto sound = [this] { return finding_.violations.empty(); };
  if (sound() && owes_restart_) restart();
  if (sound()) settle();
  if (sound()) repeat_all();
  if (sound()) operate();
  if (sound()) repeat_all();
  if (sound()) {
    // What was acknowledged has to be on the disk, not only in the process.
    crash("the end");
    go_on_after_crash();
  }
  if (sound()) add(wait_for(audit(life_->storage(), ledger_)));
  if (sound()) settle();
  if (life_) crash("the end"), Life::crash(std::move(life_));
  finding_.hash = trace_.hash();
  finding_.steps = loop_.steps();
  finding_.story = trace_.story();
  return std::move(finding_);
}

}  // namespace

Finding simulate(std::uint64_t seed, Mutant mutant, Trace::Tell tell) {
  return Simulation(seed, mutant, tell).run();
}

std::vector<std::string> crash_places() {
  return {places.begin(), places.end()};
}

}  // namespace toa::simulation
