#pragma once

#include <functional>
#include <memory>
#include <string>

#include "async/scope.hpp"
#include "base/fault.hpp"
#include "bridge/test/test_bridge.hpp"
#include "delivery/delivery.hpp"
#include "lossy/lossy_vfs.hpp"
#include "operation/router.hpp"
#include "runtime/junction.hpp"
#include "simulation/chaos.hpp"
#include "simulation/mutant.hpp"
#include "simulation/sim_storage.hpp"
#include "simulation/trace.hpp"
#include "storage/memory/null_storage.hpp"
#include "storage/sqlite/sqlite_storage.hpp"

namespace toa::simulation {

/// What outlives a process: its time, its disk, its code.
struct Surroundings {
  SimTime& time;
  SimLoop& loop;
  Random& random;
  Chaos& chaos;
  Trace& trace;
  lossy::Vfs& disk;
  std::string file;
  const manifest::Application& application;
  Mutant mutant;
};

/// The log of the simulated process, as lines of the trace.
class SimLog final : public telemetry::Log {
 public:
  explicit SimLog(Trace& trace) : trace_(trace) {}
  void write(telemetry::Severity, std::string_view message, const JsonObject& attributes) override;

 private:
  Trace& trace_;
};

/// One process from its start to its end: the runtime as `runtime::Process` wires it, on the loop
/// of the simulation.
///
/// Where it crashes, its coroutines are left where they stand: nothing of them ever runs again, and
/// nothing of them is freed, as when a process is killed. Only the files are closed.
class Life {
 public:
  /// What the process does to the world outside.
  struct Events {
    /// A fault place was reached; says whether to go on.
    std::function<Faults::Verdict(std::string_view place)> reached;
    std::function<void(const std::string& why)> outcome_unknown;
    std::function<void()> lied;
  };

  Life(const Surroundings& around, Events events);

  /// A sentence where the file cannot be opened.
  static std::optional<std::string> open(const std::unique_ptr<Life>& life);
  static void crash(std::unique_ptr<Life> life);

  /// Prepares the storage and starts the delivery.
  Task<Result<void>> start();
  /// Ends in order; the storage is closed after it.
  Task<void> close();

  operation::Router& router() { return *router_; }
  delivery::Delivery& delivery() { return *delivery_; }
  storage::Storage& storage() { return *storage_; }
  storage::Queue& queue() { return *storage_; }
  /// The time by which messages fall due.
  const Clock& clock() const {
    if (around_.mutant == Mutant::wall_clock) return around_.time;
    return sqlite_->clock();
  }
  /// What clients and operators have under way.
  Scope& scope() { return scope_; }

 private:
  Surroundings around_;
  Events events_;
  Scope scope_;
  Faults faults_;
  SimWorker writer_, reader_;
  SimLog log_;
  bridge::TestBridge bridge_;
  runtime::Junction junction_;
  storage::NullStorage nowhere_;
  std::unique_ptr<storage::sqlite::SqliteStorage> sqlite_;
  std::unique_ptr<MutantStorage> mutant_;
  std::unique_ptr<SimStorage> storage_;
  std::optional<operation::Router> router_;
  std::optional<delivery::Delivery> delivery_;
};

}  // namespace toa::simulation
