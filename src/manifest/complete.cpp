#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <unordered_map>

#include "base/assert.hpp"
#include "manifest/inherited.hpp"
#include "manifest/read.hpp"
#include "manifest/receiver_judge.hpp"

namespace toa::manifest {
namespace {

/// The kinds of state that an operation of each type can be given.
std::vector<Scope> scopes_of(Type type) {
  switch (type) {
    case Type::transition:
      return {Scope::entry, Scope::entries};
    case Type::observation:
      return {Scope::entry, Scope::entries, Scope::stream};
    case Type::assignment:
      return {Scope::changeset};
    case Type::computation:
    case Type::unmanaged:
      return {Scope::none};
    case Type::effect:
      return {Scope::none, Scope::entry, Scope::entries, Scope::stream};
  }
  return {};
}

/// Judges one operation, of which type and scope are to be found first.
class OperationJudge {
 public:
  OperationJudge(const Component& component, Operation& operation, const Declaration& declaration,
                 std::vector<Problem>& problems)
      : component_(component),
        operation_(operation),
        declaration_(declaration),
        problems_(problems) {}

  void judge(const CodeFact* fact) {
    const auto inherited = operation_.implementation.inherited;
    const auto type = inherited ? inherited_operation(*inherited).type : type_in(fact);
    const auto scope = inherited ? inherited_operation(*inherited).scope : scope_in(fact, type);
    const auto final_type = agreed(type, declaration_.type, declaration_.type_at, "type");
    if (final_type) operation_.type = *final_type;
    const auto final_scope = agreed(scope, declaration_.scope, declaration_.scope_at, "scope");
    if (final_scope) operation_.scope = *final_scope;
    if (!final_type || !final_scope || !judge_scope()) return;
    judge_query();
    judge_concurrency();
    judge_once();
  }

 private:
  std::optional<Type> type_in(const CodeFact* fact) {
    const auto type = type_of(fact->type);
    if (!type && !fact->type.empty())
      report_code(fmt::format("exports '{}', which is no type of operation", fact->type));
    return type;
  }

  // Where the type has one scope only, it need not be seen.
  std::optional<Scope> scope_in(const CodeFact* fact, std::optional<Type> type) {
    if (fact->scope) return scope_of(*fact->scope);
    const auto known = type ? type : declaration_.type;
    const auto scopes = known ? scopes_of(*known) : std::vector<Scope>{};
    return scopes.size() == 1 ? std::optional(scopes.front()) : std::nullopt;
  }

  template <class T>
  std::optional<T> agreed(std::optional<T> found, std::optional<T> declared, const Problem& at,
                          const char* what) {
    if (found && declared && *found != *declared) {
      report(at, fmt::format("is '{}', and the code has '{}'", name(*declared), name(*found)));
      return std::nullopt;
    }
    if (found) return found;
    if (declared) return declared;
    // One that is stated and is no word of the manual has been reported itself.
    const bool stated =
        std::string_view(what) == "type" ? declaration_.type_stated : declaration_.scope_stated;
    if (!stated) {
      report(declaration_.at,
             fmt::format("must have required property '{}': the code does not show it", what));
    }
    return std::nullopt;
  }

  bool judge_scope() {
    const auto type = operation_.type;
    const auto scope = operation_.scope;
    const auto scopes = scopes_of(type);
    if (std::ranges::find(scopes, scope) == scopes.end()) {
      const auto wanted = scopes.front() == Scope::none
                              ? "no state: the second parameter is the context"
                              : fmt::format("a second parameter named '{}'", name(scopes.front()));
      report_code(fmt::format("scope '{}' cannot be that of a type '{}', which takes {}",
                              name(scope), name(type), wanted));
      return false;
    }
    const bool needs_entity = scope != Scope::none || type == Type::unmanaged;
    if (needs_entity && !component_.entity) {
      report_code(fmt::format("type '{}' needs state, and component '{}' has no entity", name(type),
                              component_.id.value));
      return false;
    }
    return true;
  }

  // What an operation must not be given, and cannot do without, would leave it uncallable.
  void judge_query() {
    const bool selects = operation_.scope == Scope::entries || operation_.scope == Scope::changeset;
    if (selects && operation_.query == QueryRule::must_not) {
      report(
          declaration_.query_at,
          fmt::format("operation '{}' has scope '{}': without a query there is nothing to select",
                      operation_.label, name(operation_.scope)));
    }
    if (operation_.scope == Scope::none && operation_.query == QueryRule::must) {
      report(
          declaration_.query_at,
          fmt::format("operation '{}' is given no state, and so takes no query", operation_.label));
    }
    if (operation_.scope == Scope::none) operation_.query = QueryRule::must_not;
  }

  void judge_concurrency() {
    const bool creates_only = operation_.query == QueryRule::must_not;
    if (operation_.type != Type::transition || creates_only) return;
    if (operation_.concurrency != Concurrency::unstated || declaration_.concurrency_stated) return;
    report(declaration_.at, "must have required property 'concurrency'");
  }

  // R72, and R75 for the storage that is known here.
  void judge_once() {
    if (!operation_.once_window_s) return;
    const bool over_entry = operation_.type == Type::transition && operation_.scope == Scope::entry;
    if (!over_entry && operation_.type != Type::assignment) {
      report(
          declaration_.once_at,
          fmt::format("operation '{}' is of type '{}' with scope '{}': only a transition over an "
                      "entry and an assignment can be made once",
                      operation_.label, name(operation_.type), name(operation_.scope)));
    } else if (component_.entity->storage.empty()) {
      report(
          declaration_.once_at,
          fmt::format(
              "component '{}' declares once on operation '{}', but its storage '~' keeps nothing, "
              "and so cannot commit a call with its change",
              component_.id.value, operation_.endpoint.operation));
    }
  }

  void report(Problem at, std::string message) {
    at.message = std::move(message);
    problems_.push_back(std::move(at));
  }

  // About the code, unless the manifest speaks of the operation.
  void report_code(std::string message) {
    const bool in_manifest = declaration_.at.line > 0;
    report(in_manifest ? declaration_.at : Problem{operation_.implementation.file, 0, "", ""},
           std::move(message));
  }

  const Component& component_;
  Operation& operation_;
  const Declaration& declaration_;
  std::vector<Problem>& problems_;
};

using Facts = std::unordered_map<std::uint32_t, const CodeFact*>;

/// The usable facts; what is wrong with the code becomes problems.
Facts usable(const std::vector<CodeFact>& code, std::vector<Problem>& problems) {
  Facts facts;
  for (const auto& fact : code) {
    if (fact.problem) {
      problems.push_back(*fact.problem);
    } else {
      facts.emplace(fact.number, &fact);
    }
  }
  return facts;
}

void refuse_unread(const Draft& draft, const std::vector<CodeFact>& code,
                   std::vector<Problem>& problems) {
  std::set<std::uint32_t> read;
  for (const auto& fact : code) read.insert(fact.number);
  for (const auto& [id, files] : draft.code) {
    for (const auto& file : files) {
      if (!read.contains(file.number))
        problems.push_back({file.file, 0, "", "its code was not read"});
    }
  }
}

/// What a fact says of code that is no operation's; nothing for an operation.
std::string_view wanted_type(CodeFile::Kind kind) {
  switch (kind) {
    case CodeFile::Kind::operation:
      return "";
    case CodeFile::Kind::event:
      return "event";
    case CodeFile::Kind::receiver:
      return "receiver";
    case CodeFile::Kind::guard:
      return "guard";
    case CodeFile::Kind::command:
      return "command";
  }
  return "";
}

void refuse_other_code(const Draft& draft, const Facts& facts, std::vector<Problem>& problems) {
  for (const auto& [id, files] : draft.code) {
    for (const auto& file : files) {
      const auto wanted = wanted_type(file.kind);
      const auto fact = facts.find(file.number);
      if (wanted.empty() || fact == facts.end() || fact->second->type == wanted) continue;
      problems.push_back({file.file, 0, "", fmt::format("is not code of type '{}'", wanted)});
    }
  }
}

}  // namespace

std::expected<Application, std::vector<Problem>> complete(Draft draft,
                                                          const std::vector<CodeFact>& code) {
  auto& problems = draft.problems;
  const auto facts = usable(code, problems);
  refuse_unread(draft, code, problems);
  refuse_other_code(draft, facts, problems);
  for (auto& [id, component] : draft.application.components) {
    for (auto& [name, operation] : component.operations) {
      const auto declaration = draft.declarations.find(operation.endpoint);
      require(declaration != draft.declarations.end(),
              "an operation was read without its declaration");
      const auto fact = facts.find(operation.implementation.number);
      const bool inherited = operation.implementation.inherited.has_value();
      if (!inherited && fact == facts.end()) continue;
      OperationJudge(component, operation, declaration->second, problems)
          .judge(inherited ? nullptr : fact->second);
    }
  }
  judge_receivers(draft);
  if (problems.empty()) return std::move(draft.application);
  sort(problems);
  return std::unexpected(std::move(problems));
}

}  // namespace toa::manifest
