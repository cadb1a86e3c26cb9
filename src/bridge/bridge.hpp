#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "async/task.hpp"
#include "base/document.hpp"
#include "base/result.hpp"
#include "model/reply.hpp"
#include "model/request.hpp"

namespace toa::bridge {

/// The number of an operation within one loaded application.
using OperationNumber = Named<struct OperationNumberTag, std::uint32_t>;

/// An operation's file, to be loaded.
struct OperationSource {
  OperationNumber number;
  std::string name;
  std::string file;  // absolute
};

/// The events of a component that have code, run together for one change. The run's input is the
/// change, `{ origin, state, trailers, input }`; its reply an object from an event's name to its
/// payload, of those events whose condition holds.
struct EventsSource {
  struct File {
    std::string event;
    std::string file;  // absolute
  };
  OperationNumber number;
  std::vector<File> files;
};

/// The adapter of a received event. The run's input is the payload, its state the list of
/// arguments; its reply the request, or `discard` where the condition does not hold.
struct ReceiverSource {
  OperationNumber number;
  std::string event;  // the label
  std::string file;   // absolute
};

struct ComponentSource {
  std::string id;                    // `default.<name>` without a namespace
  std::optional<std::string> space;  // the namespace
  std::string name;
  std::string path;  // absolute
  std::vector<OperationSource> operations;
  std::optional<EventsSource> events = {};
  std::vector<ReceiverSource> receivers = {};
  /// The effective configuration; nothing where the component declares none.
  std::optional<Json> configuration;
  /// Paths inside `configuration` whose values are secrets.
  std::vector<std::vector<std::string>> secrets;
};

struct Application {
  std::string name;
  std::string environment;
  int region = 0;
  std::string instance;
  std::vector<ComponentSource> components;
  /// Every endpoint of the application, in full form.
  std::vector<std::string> endpoints;
};

/// What was read from an operation's code.
struct Found {
  OperationNumber number;
  /// The exported name; `events` or `receiver` for these.
  std::string type;
  /// Nothing where the code hides it.
  std::optional<std::string> scope;
};

/// What is wrong with an operation's code, for its author.
struct Fault {
  OperationNumber number;
  std::string message;
  std::string file;
  int line = 0;  // 0 where it is not known
};

struct Loaded {
  std::vector<Found> found;
  std::vector<Fault> faults;
};

/// How a call leaves an operation: to any component, or to its own.
enum class Where { remote, local };

/// What a run may ask of the runtime while it lasts. Called on the loop's thread; it outlives the
/// run's task, which ends only when the calls it made have ended.
class Host {
 public:
  virtual ~Host() = default;
  /// The run was lost with its worker and is made again from its start: its calls are counted from
  /// zero again.
  virtual void restarted() = 0;
  /// The code calls another operation. `request` is as the author wrote it.
  virtual Task<Outcome> call(Where where, std::string endpoint, Document request) = 0;
  /// The code is about to wait for something outside: the run's turn on its object ends.
  virtual void leave() = 0;
};

struct Run {
  OperationNumber operation;
  std::optional<Document> input;
  std::optional<Document> state;
  Readonly readonly = Readonly::no;
  /// The host of the run whose call this serves; nothing for one that no run of this process waits
  /// for.
  const Host* caller = nullptr;
};

/// The function returned a value. Exactly one of `reply` and `reply_is_state` says what; neither
/// means `undefined`.
struct Returned {
  std::optional<Document> reply;
  bool reply_is_state = false;
  bool discard = false;
  /// The state after a transition, without DISCARD and TRAILERS.
  std::optional<Document> state;
  std::optional<Document> trailers;
};

/// What one run came to. An exception is one that the code threw, or that this run's worker twice
/// ended with it.
using Ran = std::variant<Returned, Refusal, Exception>;

/// Runs an author's code. Used on the loop's thread.
class Bridge {
 public:
  virtual ~Bridge() = default;

  /// Loads the application's code and says what it found. Fails where no code can be run at all (no
  /// Node, say).
  virtual Task<Result<Loaded>> load(Application application) = 0;

  /// Runs an operation once, from its start. A run lost with its worker is run again, unless the
  /// run that called it (through `host`) was lost as well: then it ends as an exception, and nobody
  /// hears of it.
  virtual Task<Ran> run(Run run, Host& host) = 0;

  /// Lets running code finish, then ends the workers.
  virtual Task<void> close() = 0;
};

}  // namespace toa::bridge
