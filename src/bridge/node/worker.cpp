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
  auto child = Child::start(setting_.loop, command_of(setting_.options), Joined::by_socket);
  if (!child) {
    state_ = State::ended;
    co_return Ending{
        .started = false, .loaded = false, .what = child.error().message, .output = {}};
  }
  child_.emplace(std::move(*child));
  channel_.emplace(setting_.loop, child_->socket());
  channel_->send().load(setting_.application);
  Scope work(setting_.loop);
  work.spawn(channel_->write());
  work.spawn(read_messages());
  work.spawn(read_output(child_->out(), out_));
  work.spawn(read_output(child_->err(), err_));
  work.spawn(watch());

  const auto exit = co_await child_->exited();
  state_ = State::ended;
  read_last();
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
  Ending ending{
      .started = true, .loaded = loaded_, .what = exit.text(), .output = last_lines_.all()};
  if (exit.signal == SIGKILL && !killed_because_.empty()) {
    ending.what = killed_because_;
    return ending;
  }
  if (ending.output.find("heap out of memory") != std::string::npos)
    ending.what += ", out of memory";
  if (const auto line = last_lines_.telling(); !line.empty()) ending.what += ": " + line;
  return ending;
}

void Worker::start(ActiveRun& run) {
  require(takes_runs(), "a run was given to a worker that takes none");
  run.worker = this;
  run.number = setting_.last_run = last_run_ = RunNumber(setting_.last_run.value + 1);
  runs_.emplace(run.number, &run);
  channel_->send().run(run.number, run.run);
}

void Worker::answer(RunNumber run, CallNumber call, const Outcome& outcome) {
  if (state_ != State::ended) channel_->send().answer(run, call, answer_of(outcome));
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
  if (state_ != State::ready) return;
  if (!awaits_pong_) {
    awaits_pong_ = true;
    return channel_->send().ping(++pings_);
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
  state_ = State::ready;
  loaded_ = true;
  owner_.ready(*this, *loaded);
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
  run.ended.complete(ran_of(std::move(message), run.name));
  owner_.freed(*this, run);
}

void Worker::receive(CallMessage message) {
  if (!known(message.run)) return;
  auto& run = *runs_.at(message.run);
  if (message.call.value < run.calls_made) return;
  if (message.call.value > run.calls_made) return kill("it broke the protocol: it left out a call");
  ++run.calls_made;
  run.calls.spawn(serve(run, std::move(message)));
}

void Worker::receive(LeaveMessage message) {
  if (known(message.run)) runs_.at(message.run)->host.leave();
}

void Worker::receive(PongMessage message) {
  if (message.number != pings_) return;
  awaits_pong_ = false;
  unanswered_ = 0;
}

}  // namespace toa::bridge::node
