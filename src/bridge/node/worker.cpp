#include "bridge/node/worker.hpp"

#include <fmt/format.h>
#include <signal.h>

#include "base/assert.hpp"
#include "bridge/node/ran.hpp"

namespace toa::bridge::node {
namespace {

// Chunks read before the loop has a turn for others.
constexpr int chunks_per_turn = 8;

Command command_of(const NodeOptions& options) {
  Command command{options.node, options.arguments};
  command.arguments.push_back(options.worker);
  return command;
}

std::string seconds(std::chrono::milliseconds time) {
  return fmt::format("{} s", static_cast<double>(time.count()) / 1000);
}

}  // namespace

Task<Ending> Worker::live() {
  auto ending = co_await live_and_die();
  if (!ending.served) ++setting_.starts_in_vain;
  co_return ending;
}

Task<Ending> Worker::live_and_die() {
  auto child = Child::start(setting_.loop, command_of(setting_.options), Joined::by_socket);
  if (!child) {
    state_ = State::ended;
    co_return Ending{.what = child.error().message};
  }
  child_.emplace(std::move(*child));
  channel_.emplace(setting_.loop, child_->socket());
  channel_->send().load(setting_.application);
  Scope work(setting_.loop);
  work_ = &work;
  work.spawn(channel_->write());
  work.spawn(read_messages());
  work.spawn(read_output(child_->out(), out_));
  work.spawn(read_output(child_->err(), err_));
  work.spawn(watch());

  const auto exit = co_await child_->exited();
  state_ = State::ended;
  read_last();
  setting_.commons.gone(*this);
  end_commands();
  if (stop_timer_) setting_.loop.cancel(*stop_timer_);
  over_.ring();
  exited_.ring();
  channel_->close();
  child_->socket().close();
  child_->out().close();
  child_->err().close();
  co_await work.close();
  co_return ending_of(exit);
}

Ending Worker::ending_of(const Exit& exit) const {
  Ending ending{.started = true,
                .loaded = loaded_,
                .served = served_,
                .what = exit.text(),
                .output = last_lines_.all()};
  if (exit.signal == SIGKILL && !killed_because_.empty()) {
    ending.what = killed_because_;
    return ending;
  }
  if (ending.output.find("heap out of memory") != std::string::npos)
    ending.what += ", out of memory";
  if (const auto line = last_lines_.telling(); !line.empty()) ending.what += ": " + line;
  return ending;
}

void Worker::start(std::span<ActiveRun* const> runs) {
  auto& outbox = channel_->send();
  for (auto* run : runs) {
    require(takes_runs_beneath() || (run->tied && state_ == State::preparing),
            "a run was given to a worker that takes none");
    run->worker = this;
    run->number = setting_.last_run = last_run_ = RunNumber(setting_.last_run.value + 1);
    runs_.emplace(run->number, run);
    outbox.run(run->number, run->run);
  }
  outbox.ping(++pings_);
  unstarted_.push_back(pings_);
}

void Worker::answer(RunNumber run, CallNumber call, const Outcome& outcome) {
  if (state_ != State::ended) channel_->send().answer(run, call, answer_of(outcome));
}

void Worker::settled(RunNumber run, const std::optional<Exception>& why_not) {
  if (state_ != State::ended) channel_->send().settled(run, why_not);
}

void Worker::begin(RunNumber run, CallNumber call) {
  if (state_ != State::ended) channel_->send().begin(run, call);
}

void Worker::part(RunNumber run, CallNumber call, const Document& part) {
  if (state_ != State::ended) channel_->send().part(run, call, part);
}

void Worker::taken(RunNumber run, bool more) {
  if (state_ == State::ended) return;
  if (more) {
    channel_->send().more(run);
  } else {
    channel_->send().cancel(run);
  }
}

void Worker::told(AskNumber ask, const Answer& answer) {
  if (state_ != State::ended) channel_->send().told(ask, answer);
}

void Worker::advance(Advanced done) {
  work_->spawn(go_through_stages(std::move(done)));
}

Task<void> Worker::go_through_stages(Advanced done) {
  std::optional<std::string> failure;
  // Whoever is at it already goes on to what was entered meanwhile.
  if (!std::exchange(advancing_, true)) {
    for (auto next = next_stage(); next && !failure; next = next_stage()) {
      failure = co_await setting_.preparation.run_commands(*this, *next);
      if (!failure) passed(*next);
    }
    advancing_ = false;
  }
  done(std::move(failure));
}

std::optional<Stage> Worker::next_stage() const {
  const auto next = stage_ ? static_cast<Stage>(static_cast<int>(*stage_) + 1) : Stage::preflight;
  const auto entered = setting_.preparation.entered();
  return ending() || !entered || next > *entered ? std::nullopt : std::optional(next);
}

void Worker::passed(Stage stage) {
  stage_ = stage;
  if (ending()) return;
  // One that takes the place of another is through all of them before it serves.
  const bool serves = stage == Stage::ready ||
                      (stage == Stage::settle && setting_.preparation.entered() != Stage::ready);
  if (state_ == State::ready) return;
  if (serves) return open_up();
  state_ = State::settling;
  owner_.ready(*this);
}

void Worker::open_up() {
  state_ = State::ready;
  served_ = true;
  setting_.starts_in_vain = 0;
  owner_.ready(*this);
}

// They are this worker's alone: another goes through its stages itself.
void Worker::end_commands() {
  std::erase_if(runs_, [](const auto& entry) {
    auto* run = entry.second;
    if (!run->tied) return false;
    run->worker = nullptr;
    run->ended.complete(Exception{.message = "a worker ended while its run commands ran"});
    return true;
  });
}

std::vector<ActiveRun*> Worker::take_runs() {
  std::vector<ActiveRun*> out;
  for (const auto& [number, run] : runs_) out.push_back(run);
  std::ranges::sort(out, {}, &ActiveRun::number);
  runs_.clear();
  return out;
}

void Worker::stop() {
  if (ending()) return;
  if (state_ == State::loading) return kill("it was no longer needed");
  state_ = State::stopping;
  channel_->send().stop();
  stop_timer_ = setting_.loop.after(setting_.options.stop_max, [this] { kill("it did not stop"); });
}

void Worker::kill(std::string why) {
  if (state_ == State::ended || !child_) return;
  state_ = std::max(state_, State::stopping);
  if (killed_because_.empty()) killed_because_ = std::move(why);
  child_->kill();
}

Task<void> Worker::read_messages() {
  while (co_await child_->socket().ready(Readiness::read)) {
    if (read_available() != ReadEnd::ended) continue;
    // The exit that follows says more than the closed socket.
    if (state_ != State::ended) state_ = State::stopping;
    const bool lingers = co_await exited_.wait(limits::worker_exit_max);
    if (lingers) kill("it closed its connection");
    co_return;
  }
}

ReadEnd Worker::read_available() {
  for (int chunk = 0; chunk < chunks_per_turn; ++chunk) {
    const auto read = child_->socket().read(reader_.room());
    if (read.end != ReadEnd::bytes) return read.end;
    reader_.filled(read.bytes);
    if (!read_frames()) return ReadEnd::ended;
  }
  return ReadEnd::bytes;
}

bool Worker::read_frames() {
  for (;;) {
    auto frame = reader_.next();
    if (frame && !*frame) return true;
    auto messages = frame ? node::read_messages(**frame) : std::unexpected(frame.error());
    if (!messages) {
      kill("it broke the protocol: " + messages.error().message);
      return false;
    }
    for (auto& message : *messages) {
      std::visit([this](auto& received) { receive(std::move(received)); }, message);
    }
    if (!killed_because_.empty()) return false;
  }
}

void Worker::read_last() {
  while (killed_because_.empty() && read_available() == ReadEnd::bytes) {
  }
  for (auto [from, lines] : {std::pair(&child_->out(), &out_), std::pair(&child_->err(), &err_)}) {
    std::array<char, 16384> buffer;
    for (std::size_t all = 0; all < limits::worker_last_output_bytes_max;) {
      const auto read = from->read(buffer);
      if (read.end != ReadEnd::bytes) break;
      lines->add({buffer.data(), read.bytes});
      all += read.bytes;
    }
    lines->finish();
  }
  tell_dropped(gate_.take_all_dropped());
}

Task<void> Worker::read_output(Descriptor& from, LineCutter& lines) {
  while (co_await from.ready(Readiness::read)) {
    std::array<char, 16384> buffer;
    const auto read = from.read(buffer);
    if (read.end == ReadEnd::ended) co_return;
    lines.add({buffer.data(), read.bytes});
  }
}

Task<void> Worker::watch() {
  std::chrono::milliseconds loading{0};
  while (co_await over_.wait(setting_.options.ping_interval)) {
    loading += setting_.options.ping_interval;
    tick(loading);
  }
}

// Silence is counted in ticks of the loop: a pause of the whole program (a debugger, a sleeping
// machine) is one tick.
void Worker::tick(std::chrono::milliseconds loading) {
  const auto& options = setting_.options;
  tell_dropped(gate_.take_dropped() + log_gate_.take_dropped());
  if (state_ == State::loading && loading >= options.load_max) {
    return kill(
        fmt::format("it took more than {} to load the application", seconds(options.load_max)));
  }
  if (state_ == State::loading || ending()) return;
  if (!awaited_) {
    awaited_ = ++pings_;
    return channel_->send().ping(pings_);
  }
  if (++unanswered_ * options.ping_interval >= options.silence_max) {
    kill(fmt::format("its event loop was blocked: it answered nothing for {}",
                     seconds(options.silence_max)));
  }
}

void Worker::receive(LoadedMessage message) {
  const auto loaded = read_loaded(message.document);
  if (!loaded) return kill("it broke the protocol: " + loaded.error().message);
  if (state_ != State::loading) {
    // Said while it was being ended: too late, but no fault.
    if (loaded_) kill("it broke the protocol: it loaded twice");
    return;
  }
  loaded_ = true;
  if (!setting_.preparation.needed()) {
    owner_.loaded(*this, *loaded);
    return open_up();
  }
  state_ = State::preparing;
  owner_.loaded(*this, *loaded);
  if (!setting_.preparation.entered()) return;
  advance([this](auto failure) {
    if (failure) kill(*failure);
  });
}

// A message about a run that has ended may have crossed with its end; one about a run that never
// was is a fault.
bool Worker::known(RunNumber run) {
  if (run > last_run_) kill("it broke the protocol: it spoke of a run that it was not given");
  return runs_.contains(run);
}

void Worker::receive(DoneMessage message) {
  if (!known(message.run)) return;
  auto& run = *runs_.extract(message.run).mapped();
  run.worker = nullptr;
  run.end_readings();
  run.ended.complete(ran_of(std::move(message), run.name));
  owner_.freed(*this, run);
}

void Worker::receive(CallMessage message) {
  if (!known(message.run)) return;
  auto& run = *runs_.at(message.run);
  if (in_order(run, message.call)) run.calls.spawn(serve(run, std::move(message)));
}

void Worker::receive(QueryMessage message) {
  if (!known(message.run)) return;
  auto& run = *runs_.at(message.run);
  if (in_order(run, message.call)) run.calls.spawn(serve_query(run, std::move(message)));
}

bool Worker::in_order(ActiveRun& run, CallNumber call) {
  if (call.value == run.calls_made) {
    ++run.calls_made;
    return true;
  }
  if (call.value > run.calls_made) kill("it broke the protocol: it left out a call");
  return false;
}

void Worker::receive(BeginMessage message) {
  if (!known(message.run)) return;
  auto& run = *runs_.at(message.run);
  if (std::exchange(run.stream.begun, true)) return kill("it broke the protocol: it began twice");
  run.host.begin();
}

void Worker::receive(PartMessage message) {
  if (!known(message.run)) return;
  auto& run = *runs_.at(message.run);
  if (!run.stream.begun || run.stream.parts.size() >= limits::stream_parts_max)
    return kill("it broke the protocol: it sent a part that nobody had room for");
  if (run.stream.unwanted) return;
  run.stream.parts.push_back(std::move(message.part));
  if (!std::exchange(run.stream.taking, true)) run.calls.spawn(take_parts(run));
}

Reading* Worker::reading(RunNumber run, CallNumber call) {
  if (!known(run)) return nullptr;
  const auto& readings = runs_.at(run)->readings;
  const auto found = readings.find(call);
  return found == readings.end() ? nullptr : found->second;
}

void Worker::receive(MoreMessage message) {
  if (auto* stream = reading(message.run, message.call)) stream->more();
}

void Worker::receive(CancelMessage message) {
  if (auto* stream = reading(message.run, message.call)) stream->cancel();
}

void Worker::receive(LeaveMessage message) {
  if (known(message.run)) runs_.at(message.run)->host.leave();
}

void Worker::receive(SettleMessage message) {
  if (!known(message.run)) return;
  auto& run = *runs_.at(message.run);
  run.calls.spawn(serve_settling(run, message.run));
}

void Worker::receive(AskMessage message) {
  const auto question = json::parse(message.question);
  const auto asked = question ? setting_.commons.ask(*this, message.ask, *question)
                              : std::unexpected(question.error());
  if (!asked) kill("it broke the protocol: " + asked.error().message);
}

void Worker::receive(PongMessage message) {
  if (message.number > pings_) return;
  if (awaited_ && message.number >= *awaited_) {
    awaited_.reset();
    unanswered_ = 0;
  }
  if (std::erase_if(unstarted_, [&](auto ping) { return ping <= message.number; }) > 0)
    owner_.started(*this);
}

}  // namespace toa::bridge::node
