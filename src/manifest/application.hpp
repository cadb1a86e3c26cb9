#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json.hpp"
#include "manifest/contract.hpp"
#include "manifest/written.hpp"
#include "model/migration.hpp"
#include "model/names.hpp"

namespace toa::manifest {

enum class Type { transition, observation, assignment, computation, effect, unmanaged };
enum class Scope { none, entry, entries, changeset, stream };
enum class QueryRule { may, must, must_not };
enum class Concurrency { unstated, none, retry };

std::string_view name(Type type);
std::string_view name(Scope scope);

/// A word of the manual to its value, or nothing.
std::optional<Type> type_of(std::string_view name);
std::optional<Scope> scope_of(std::string_view name);

/// What may only read: observations and computations (R109).
inline bool only_reads(Type type) {
  return type == Type::observation || type == Type::computation;
}

/// What runs an operation: a file of the author's, or an implementation that every component with
/// an entity inherits.
enum class Inherited { transit, observe, enumerate, stream, assign, terminate, ensure };
struct Implementation {
  std::optional<Inherited> inherited;
  std::string file;          // absolute; empty where inherited
  std::uint32_t number = 0;  // the bridge's, where it is a file
};

/// An operation, all defaults filled in.
struct Operation {
  Endpoint endpoint;
  std::string label;  // `endpoint` as text
  Implementation implementation;
  /// The operation whose implementation this runs under another name; empty for its own.
  std::string forward;
  std::string description;
  Type type = Type::computation;
  Scope scope = Scope::none;
  QueryRule query = QueryRule::may;
  Concurrency concurrency = Concurrency::unstated;
  std::optional<Contract> input;
  std::optional<Contract> output;
  std::vector<std::string> errors;
  /// How long a call is remembered, in seconds; nothing where `once` is not declared (R72–R74).
  std::optional<std::int64_t> once_window_s;
  bool unchained = false;
};

/// Which moments an entity declares: top-level properties that are kept as dates.
struct Moment {
  std::string property;
  enum class Form { iso, epoch_millis } form;
};

struct Entity {
  Json properties;  // name → schema, as declared (with `id` if declared)
  std::vector<std::string> required;
  JsonObject blank;
  bool associated = false;
  /// `sqlite` for the default and for every name that means the application's storage; empty for
  /// `~`.
  std::string storage;
  std::vector<Moment> moments;
  /// What every stored object must fit: the declared properties, closed, with `required`. System
  /// properties other than `id` are not among them; `id` is.
  Contract contract;
};

/// What every component with an entity announces without being told to.
enum class InheritedEvent { created, updated, deleted, sync };

/// An event of a component. Without code it is published on every change of its kind, and its
/// payload is the new state.
struct Event {
  std::string name;
  std::string label;                        // `<namespace>.<name>.<event>`, in full form
  std::optional<InheritedEvent> inherited;  // empty where it has code
  std::string file;                         // absolute; empty where inherited
};

/// How a component handles an event.
struct Receiver {
  std::string label;      // of the event, in full form
  std::string operation;  // the component's own
  JsonArray arguments;
  /// Its adapter, where it has one; without, the payload is the input, and nothing is selected.
  std::string file;
  std::uint32_t number = 0;  // the bridge's, where there is a file
};

struct Configuration {
  JsonObject values;  // effective: defaults, then the Context's, secrets resolved
  /// Paths inside `values` that the schema calls `format: secret`.
  std::vector<std::vector<std::string>> secrets;
  /// `schema` and `defaults` as the manifest has them; no secret is among them.
  Json declared;
};

struct Component {
  ComponentId id;
  std::optional<std::string> space;  // its namespace
  std::string name;
  std::string path;  // absolute folder
  /// Absolute folders of the prototypes of its author's, nearest first.
  std::vector<std::string> prototypes;
  /// Whether the generic prototype is beneath them.
  bool inherits = false;
  std::string manifest;  // absolute file
  std::optional<Entity> entity;
  /// Its prototypes' and its own, as they are applied.
  std::vector<Migration> migrations;
  std::map<std::string, Operation> operations;
  std::map<std::string, Event> events;          // by name; those of its code and the inherited ones
  std::uint32_t events_number = 0;              // the bridge's, for those with code
  std::map<std::string, std::string> guards;    // name to absolute file
  std::uint32_t guards_number = 0;              // the bridge's, for all of them
  std::map<std::string, std::string> commands;  // its run commands: name to absolute file
  std::uint32_t commands_number = 0;            // the bridge's, for all of them
  std::map<std::string, Receiver> receivers;    // by label
  /// Whether any of its events has a receiver; filled in by `complete`.
  bool announced = false;
  std::optional<Configuration> configuration;
  bool keeps_state = false;  // `context.state`
  bool has_stash = false;    // `context.stash`

  /// Its own folder, then those of its prototypes.
  std::vector<std::string> folders() const;

  /// Its routes, as they are written; the gateway reads them.
  std::optional<Written> exposition;

  /// Whether it is the runtime's own, not an author's.
  bool is_own() const { return manifest.empty(); }
};

/// The Context: what is said once for the whole application.
struct Context {
  std::string name;
  std::string file;  // absolute
  std::string environment;
  std::string description;
  std::int64_t inbox_retention_s = 0;
  /// How often what could not be published is tried again.
  std::int64_t outbox_interval_ms = 5'000;
  /// How many records are read at once.
  std::int64_t outbox_batch = 200;
  /// How long published records are kept as history, in seconds; 0 for not at all.
  std::int64_t outbox_retention_s = 0;
  /// Labels, in full form, of events that other applications read.
  std::vector<std::string> events;
  std::optional<Written> exposition;
  /// What `configuration` says of the gateway's own components, by the name of each.
  std::map<std::string, Written> identity;
};

/// An application that may start: read, completed and checked.
struct Application {
  Context context;
  std::map<ComponentId, Component> components;
  /// Label of an event to the components that receive it; filled in by `complete`.
  std::unordered_map<std::string, std::vector<ComponentId>> receivers;
  /// What a person should hear at start, though it stops nothing.
  std::vector<std::string> warnings;

  const Component* find(const ComponentId& id) const;
  const Operation* find(const Endpoint& endpoint) const;
  /// How many components authors gave it.
  std::size_t authored() const;
};

/// Who receives an event: components with a receiver of this label.
std::vector<const Component*> receivers_of(const Application& application,
                                           const std::string& label);

/// Whether a change of the component is of interest to anyone, so that it has to be recorded (R51).
bool announces(const Application& application, const Component& component);

}  // namespace toa::manifest
