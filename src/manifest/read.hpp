#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "manifest/application.hpp"
#include "manifest/declaration.hpp"
#include "manifest/problem.hpp"

namespace toa::manifest {

/// What was read from the code under a number, or what is wrong with it. `type` is that of an
/// operation, `event`, `receiver`, `guard` or `command`; a number that several files share may have
/// several facts.
struct CodeFact {
  std::uint32_t number = 0;
  std::string type;
  std::optional<std::string> scope;
  /// Set where the code cannot be used.
  std::optional<Problem> problem;
};

/// A file for the bridge to load.
struct CodeFile {
  enum class Kind { operation, event, receiver, guard, command };
  /// Its own; all events of a component share one, and so do its guards and its run commands.
  std::uint32_t number = 0;
  /// That of the file, or the label of the received event.
  std::string name;
  std::string file;
  Kind kind = Kind::operation;
};

/// Where `$NAME` secrets and TOA_… variables come from: a name to its value, or nothing.
using Variables = std::function<std::optional<std::string>(const std::string&)>;

/// An application read but not yet judged: types and scopes are known only from the code.
struct Draft {
  Application application;
  std::vector<Problem> problems;
  /// Per component, the files whose code has to be looked at.
  std::map<ComponentId, std::vector<CodeFile>> code;
  /// What the manifests say of each operation, until the code is known.
  std::map<Endpoint, Declaration> declarations;
  /// Where each receiver is declared, by component and label; the messages are empty.
  std::map<std::pair<ComponentId, std::string>, Problem> receivers;
};

/// Looks for `context.toa.yaml` in `from`, then upwards. Fails naming where it looked.
Result<std::string> find_context(const std::string& from);

/// Reads the Context and every component under `components/` beside it, for one environment
/// (`local`, or a chain `a:b`). Never throws for what it reads: all problems of all files are in
/// the draft.
Draft read(const std::string& context_file, const std::string& environment,
           const Variables& variables);

/// Fills in what the code says and judges everything that depends on it. Every problem of the draft
/// and of the code is among those returned.
std::expected<Application, std::vector<Problem>> complete(Draft draft,
                                                          const std::vector<CodeFact>& code);

/// The normalised manifest, as `toa export manifest` shows it.
Json normalised(const Component& component);

}  // namespace toa::manifest
