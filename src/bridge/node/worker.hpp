#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "async/asio_loop.hpp"
#include "async/scope.hpp"
#include "base/clock.hpp"
#include "bridge/log_sink.hpp"
#include "bridge/node/active_run.hpp"
#include "bridge/node/alarm.hpp"
#include "bridge/node/application_document.hpp"
#include "bridge/node/channel.hpp"
#include "bridge/node/child.hpp"
#include "bridge/node/commons.hpp"
#include "bridge/node/frame.hpp"
#include "bridge/node/incoming.hpp"
#include "bridge/node/options.hpp"
#include "bridge/node/output.hpp"
#include "bridge/node/preparation.hpp"

namespace toa::bridge::node {

/// Why a worker ended.
struct Ending {
  bool started = false;  // false where the process could not be made
  bool loaded = false;
  /// It took runs.
  bool served = false;
  /// `exit status 3: TypeError: …`, `it answered nothing for 10 s`
  std::string what = {};
  /// The last lines that it printed.
  std::string output = {};
};

/// What all workers of one bridge share; outlives them.
struct WorkerSetting {
  AsioLoop& loop;
  const Clock& clock;
  LogSink& log;
  NodeOptions options;
  Preparation& preparation;
  Commons commons{clock};
  std::string application = {};  // the document
  RunNumber last_run = {};       // given to any worker
  int starts_in_vain = 0;  // workers that ended without having served, since the last that did

  /// Whoever waits for a worker should not wait for the next one too.
  bool cannot_start() const { return starts_in_vain >= options.starts_in_vain_max; }
};

/// Whoever keeps a worker and gives it runs.
class WorkerOwner {
 public:
  virtual ~WorkerOwner() = default;
  /// The application is loaded.
  virtual void loaded(Worker& worker, const WorkerLoaded& loaded) = 0;
  /// The worker takes runs, or those that others wait for.
  virtual void ready(Worker& worker) = 0;
  /// `run` has ended in `worker`, its result is on the way to whoever waits for it.
  virtual void freed(Worker& worker, ActiveRun& run) = 0;
  /// The worker has started all runs of one frame.
  virtual void started(Worker& worker) { static_cast<void>(worker); }
};

/// One Node process and the runs in it. Invariants: (1) it takes runs only after its run commands
/// have prepared it and before the first sign of its end; (2) whatever it sends that the protocol
/// does not allow ends it, and nothing else; (3) its last messages are read before its runs count
/// as lost.
class Worker final : public Asker {
 public:
  Worker(WorkerSetting& setting, WorkerOwner& owner) : setting_(setting), owner_(owner) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// From start to end of the process. Awaited once; the worker must stay until it ends.
  Task<Ending> live();

  bool takes_runs() const { return state_ == State::ready; }
  /// Also while its run commands settle, which may call what others wait for.
  bool takes_runs_beneath() const { return takes_runs() || state_ == State::settling; }
  bool loaded() const { return loaded_ && !ending(); }
  /// It has answered the last ping that was due.
  bool responsive() const { return state_ == State::ready && unanswered_ == 0; }
  bool ending() const { return state_ >= State::stopping; }
  std::size_t runs() const { return runs_.size(); }
  /// It has not finished starting the runs of so many frames that the next has to wait.
  bool has_enough_to_start() const { return unstarted_.size() >= limits::worker_frames_max; }
  std::size_t unwritten_bytes() const { return channel_ ? channel_->bytes() : 0; }

  /// They travel in one frame, which counts until all of them have run up to their first wait.
  void start(std::span<ActiveRun* const> runs);
  void start(ActiveRun& run) { start(std::array{&run}); }
  /// Goes through all stages that are entered; calls back with what went wrong, if anything did.
  using Advanced = std::move_only_function<void(std::optional<std::string> failure)>;
  void advance(Advanced done);
  void answer(RunNumber run, CallNumber call, const Outcome& outcome);
  void settled(RunNumber run, const std::optional<Exception>& why_not);
  /// Of the streamed reply to a call.
  void begin(RunNumber run, CallNumber call);
  void part(RunNumber run, CallNumber call, const Document& part);
  /// Of a run's own streamed reply.
  void taken(RunNumber run, bool more);
  /// Whatever it sends of this run is not heard any more.
  void forget(const ActiveRun& run) { runs_.erase(run.number); }
  /// The runs it did not finish, in the order of their starts. After its end.
  std::vector<ActiveRun*> take_runs();

  /// Lets it finish and exit, and kills it where that takes too long.
  void stop();
  void kill(std::string why);

 private:
  /// `settling` is between the stages preflight and settle.
  enum class State { loading, preparing, settling, ready, stopping, ended };

  Task<Ending> live_and_die();
  Task<void> read_messages();
  Task<void> read_output(Descriptor& from, LineCutter& lines);
  Task<void> watch();
  Task<void> go_through_stages(Advanced done);
  std::optional<Stage> next_stage() const;
  void passed(Stage stage);
  void open_up();
  void end_commands();
  void told(AskNumber ask, const Answer& answer) override;
  ReadEnd read_available();
  bool read_frames();
  void read_last();

  void receive(LoadedMessage message);
  void receive(DoneMessage message);
  void receive(CallMessage message);
  void receive(QueryMessage message);
  void receive(BeginMessage message);
  void receive(PartMessage message);
  void receive(MoreMessage message);
  void receive(CancelMessage message);
  void receive(LeaveMessage message);
  void receive(SettleMessage message);
  void receive(AskMessage message);
  void receive(LogMessage message);
  void receive(PongMessage message);
  bool known(RunNumber run);
  bool in_order(ActiveRun& run, CallNumber call);
  Reading* reading(RunNumber run, CallNumber call);

  void tick(std::chrono::milliseconds loading);
  void print(Severity severity, std::string_view line);
  void tell_dropped(std::size_t lines);
  Ending ending_of(const Exit& exit) const;

  WorkerSetting& setting_;
  WorkerOwner& owner_;
  State state_ = State::loading;
  bool loaded_ = false;
  bool served_ = false;
  std::optional<Child> child_;
  std::optional<Channel> channel_;
  FrameReader reader_;
  Alarm over_{setting_.loop};
  Alarm exited_{setting_.loop};
  std::optional<Loop::TimerId> stop_timer_;
  /// Of `live`, while it lasts.
  Scope* work_ = nullptr;
  std::optional<Stage> stage_;  // the last that it is through
  bool advancing_ = false;

  std::unordered_map<RunNumber, ActiveRun*> runs_;
  RunNumber last_run_;
  std::uint64_t pings_ = 0;
  int unanswered_ = 0;
  /// The ping that asks whether it is there.
  std::optional<std::uint64_t> awaited_;
  /// The pings at the ends of frames of runs: it answers one when it has started all before it.
  std::vector<std::uint64_t> unstarted_;

  OutputGate gate_{setting_.clock};
  /// A worker bounds its own log messages and says how many it dropped; this is for one that does
  /// not, and wide enough to let that word through.
  OutputGate log_gate_{setting_.clock, 2 * limits::worker_lines_per_second_max};
  LastLines last_lines_;
  LineCutter out_{limits::worker_line_bytes_max,
                  [this](auto line) { print(Severity::info, line); }};
  LineCutter err_{limits::worker_line_bytes_max,
                  [this](auto line) { print(Severity::error, line); }};
  std::string killed_because_;
};

}  // namespace toa::bridge::node
