#pragma once

#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "async/completion.hpp"
#include "async/loop.hpp"
#include "bridge/bridge.hpp"

namespace toa::bridge {

/// Runs operations, events and receivers that are C++ functions, on the loop of whoever tests. No
/// threads, no time, no chance: the same loop gives the same order. It can lose runs, as a worker
/// that ends does.
class TestBridge final : public Bridge {
 public:
  /// A coroutine that awaits the calls it makes. It is kept as long as the bridge, so it may be a
  /// lambda that captures.
  using Operation = std::function<Task<Ran>(Run run, Host& host)>;
  /// Asked when a run is about to end: whether its worker is lost, so that the outcome is forgotten
  /// and it is run again.
  using Loses = std::function<bool(const Run& run)>;

  /// The events of a component: what `change` makes them announce, by their names.
  using Events = std::function<std::expected<JsonObject, Exception>(const Json& change)>;
  /// The guards of a component: the name of the one that refuses the state, nothing where all pass.
  using Guards = std::function<std::expected<std::optional<std::string>, Exception>(
      const Json& state, const Json& origin)>;
  /// A receiver: the request that a payload makes; nothing where its condition does not hold.
  using Receiver = std::function<std::expected<std::optional<Json>, Exception>(
      const Json& payload, const JsonArray& arguments)>;

  struct Code {
    std::string type;
    std::optional<std::string> scope;
    Operation operation;
  };

  explicit TestBridge(Loop& loop) : loop_(loop), left_(loop) {}

  void add(OperationNumber number, Code code) { codes_.insert_or_assign(number, std::move(code)); }
  void add_events(OperationNumber number, Events events);
  void add_guards(OperationNumber number, Guards guards);
  void add_receiver(OperationNumber number, Receiver receiver);
  void lose_when(Loses loses) { loses_ = std::move(loses); }

  /// Finds what was added; a number that was not is a fault.
  Task<Result<Loaded>> load(Application application) override;
  Task<Ran> run(Run run, Host& host) override;
  Task<void> close() override;

 private:
  void find(Loaded& out, OperationNumber number, const std::string& file) const;

  Loop& loop_;
  std::map<OperationNumber, Code> codes_;
  Loses loses_;
  std::size_t running_ = 0;
  bool closing_ = false;
  Completion<bool> left_;
};

}  // namespace toa::bridge
