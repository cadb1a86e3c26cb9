#pragma once

#include <cstdint>
#include <memory>
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

/// The guards of a component, run together before each write. The run's input is the list of what
/// is about to be stored, each `{ state, origin }`; its reply is null where all pass, or else the
/// first refusal, `{ guard, change }`: the guard's name, and the place of the refused change in the
/// list.
struct GuardsSource {
  struct File {
    std::string guard;
    std::string file;  // absolute
  };
  OperationNumber number;
  std::vector<File> files;
};

/// The run commands of a component. A run's input is the stage's name; its reply is nothing.
struct CommandsSource {
  struct File {
    std::string command;
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
  std::optional<GuardsSource> guards = {};
  std::vector<ReceiverSource> receivers = {};
  std::optional<CommandsSource> commands = {};
  /// Whether its contexts have `state` and `stash`.
  bool keeps_state = false;
  bool has_stash = false;
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
  /// The exported name; `events`, `guards`, `commands` or `receiver` for these.
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

/// Takes a reply that is a stream, part by part, while the operation that makes it runs.
class Consumer {
 public:
  virtual ~Consumer() = default;
  /// The reply is a stream. Once, before its first part.
  virtual void begin() = 0;
  /// Answers when there is room for another; false where no more are wanted.
  virtual Task<bool> take(Document part) = 0;
};

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
  /// As `call`. A reply that is a stream goes to `consumer` before the outcome, which then has no
  /// value; `consumer` outlives the task.
  virtual Task<Outcome> call_into(Consumer& consumer, Where where, std::string endpoint,
                                  Document request) {
    static_cast<void>(consumer);
    co_return co_await call(where, std::move(endpoint), std::move(request));
  }
  /// The run's own reply is a stream. Who calls nobody waits for makes its parts all the same.
  virtual void begin() {}
  virtual Task<bool> part(Document part) {
    static_cast<void>(part);
    co_return true;
  }
  /// `unmanaged` code asks for rows of its component's data: `{ "sql", "values" }`. Answers the
  /// list of rows, each a map.
  virtual Task<Outcome> query(Document question) {
    static_cast<void>(question);
    co_return Exception{.code = Code::misuse,
                        .message = "only unmanaged operations query their component's data"};
  }
  /// The code is about to wait for something outside: the run's turn on its object ends.
  virtual void leave() = 0;
  /// As `leave`, where the code is about to tell the outside something: returns when the state that
  /// the run was given is durable, or why nothing may be told of it (D5).
  virtual Task<std::optional<Exception>> settle() {
    leave();
    co_return std::nullopt;
  }
};

struct Run {
  OperationNumber operation;
  std::optional<Document> input;
  std::optional<Document> state;
  Readonly readonly = Readonly::no;
  /// The state is not durable yet: the code tells nothing to the outside before `Host::settle`
  /// allows it.
  bool early = false;
  /// What it works on, the same for runs over one object; nothing where it does not matter. Runs
  /// that wait for a worker together reach it next to those of the same key, in their order.
  std::optional<std::string> key = {};
  /// The host of the run whose call this serves; nothing for one that no run of this process waits
  /// for.
  const Host* caller = nullptr;
};

/// The function returned a value. One of `reply` and `reply_is_state` says what; neither means
/// `undefined`. Both, where of a list some is left out: then `reply` is the whole list.
struct Returned {
  std::optional<Document> reply;
  bool reply_is_state = false;
  bool discard = false;
  /// The reply was a stream: its parts went to the host, and there is no other.
  bool streamed = false;
  /// The state after a transition, without DISCARD and TRAILERS.
  std::optional<Document> state;
  std::optional<Document> trailers;
};

/// What one run came to. An exception is one that the code threw, or that this run's worker twice
/// ended with it.
using Ran = std::variant<Returned, Refusal, Exception>;

/// The way of a process from loaded code to serving, each with its run commands: before it serves,
/// once its operations can be called, once it serves everybody.
enum class Stage { preflight, settle, ready };

/// Makes the hosts of run commands.
class Commander {
 public:
  virtual ~Commander() = default;
  /// For the run commands of one component at one stage.
  virtual std::unique_ptr<Host> host(const std::string& component, Stage stage) = 0;
};

/// Runs an author's code. Used on the loop's thread.
class Bridge {
 public:
  virtual ~Bridge() = default;

  /// Loads the application's code and says what it found. Fails where no code can be run at all (no
  /// Node, say).
  virtual Task<Result<Loaded>> load(Application application) = 0;

  /// Has every process of the author's code go through a stage; stages are entered in order, once.
  /// A process that is made later goes through those entered before it runs anything. Fails with
  /// the file of the run command that failed. `commander` outlives the bridge's `close`.
  virtual Task<Result<void>> enter(Stage stage, Commander& commander) {
    static_cast<void>(stage), static_cast<void>(commander);
    co_return Result<void>{};
  }

  /// Runs an operation once, from its start. A run lost with its worker is run again, unless the
  /// run that called it (through `host`) was lost as well: then it ends as an exception, and nobody
  /// hears of it.
  virtual Task<Ran> run(Run run, Host& host) = 0;

  /// Lets running code finish, then ends the workers.
  virtual Task<void> close() = 0;
};

}  // namespace toa::bridge
