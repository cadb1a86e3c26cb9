#include "manifest/operation_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

#include "base/limits.hpp"
#include "manifest/code_files.hpp"
#include "manifest/inherited.hpp"

namespace toa::manifest {
namespace {

constexpr CodeFolder folder{
    "operations",
    "the name of an operation is a letter, then letters, digits and underscores; move what is no "
    "operation to a sub-folder"};

Problem place(const Section& section) {
  return {section.file(), section.line(), section.key(), ""};
}

Problem place(const Section& section, std::string_view name) {
  const auto found = section.find(name);
  return place(found ? *found : section);
}

void refuse_unsupported(const Section& declared) {
  declared.refuse_unknown({"description", "type", "scope", "input", "output", "errors", "query",
                           "concurrency", "forward", "once", "unchained", "stream", "stateful",
                           "bindings", "bridge"});
  for (const auto* name : {"stream", "stateful", "bindings", "bridge"}) {
    const auto found = declared.find(name);
    if (!found || found->value() == false || found->value().is_null()) continue;
    if (std::string_view(name) == "bridge" && found->value() == "node") continue;
    found->report(fmt::format("'{}' is not supported by this release", name));
  }
}

template <class Of>
auto word(const Section& declared, std::string_view name, Of of,
          std::initializer_list<std::string_view> words) -> decltype(of("")) {
  const auto text = declared.text(name);
  const auto value = text ? of(*text) : std::nullopt;
  if (text && !value) {
    declared.find(name)->report(
        fmt::format("must be equal to one of the allowed values: {}", fmt::join(words, ", ")));
  }
  return value;
}

std::optional<Concurrency> concurrency_of(std::string_view word) {
  if (word == "retry") return Concurrency::retry;
  if (word == "none") return Concurrency::none;
  return std::nullopt;
}

enum class Top { as_written, closed };

/// A schema of an object may leave its type out. What an inherited operation takes is exactly what
/// is declared.
std::optional<Contract> read_contract(const Section& section, Top top) {
  Json schema = section.value();
  if (auto* object = schema.if_object()) {
    const bool refers = object->contains("$ref");
    if (!refers && !object->contains("type") &&
        (object->contains("properties") || top == Top::closed)) {
      object->emplace("type", "object");
    }
    if (top == Top::closed && !refers) object->emplace("additionalProperties", false);
  }
  auto contract = Contract::check(schema);
  if (contract) return *std::move(contract);
  for (const auto& problem : contract.error()) section.report_at(problem.path, problem.message);
  return Contract::anything();
}

}  // namespace

OperationReader::OperationReader(Draft& draft, Subject subject, std::uint32_t& next_number)
    : draft_(draft), subject_(subject), next_number_(next_number) {}

void OperationReader::read() {
  auto& code = draft_.code[subject_.component.id];
  const auto folders = subject_.component.folders();
  std::set<std::string> names;
  for (const auto& [name, file] : code_files(folders, folder, draft_.problems)) {
    files_[name] = {std::nullopt, file, next_number_++};
    code.push_back({files_[name].number, name, file, CodeFile::Kind::operation});
    names.insert(name);
  }
  for (const auto& operation : inherited_operations()) {
    if (subject_.component.inherits && !operation.once_declared)
      names.insert(std::string(operation.name));
  }
  operations_ = subject_.manifest.find("operations");
  if (operations_ && (operations_->value().is_null() || !operations_->must_be_object()))
    operations_.reset();
  for (const auto& part : operations_ ? operations_->parts() : std::vector<Section>{})
    names.insert(part.name());
  for (const auto& name : names) {
    read_one(name, operations_ ? operations_->find(name) : std::nullopt);
  }
}

void OperationReader::read_one(const std::string& name, const std::optional<Section>& declared) {
  const auto& component = subject_.component;
  Operation operation;
  operation.endpoint = {component.id, name};
  operation.label = operation.endpoint.str();
  auto runs = implementation(name, declared);
  if (!runs) return;
  operation.implementation = *std::move(runs);
  operation.query = component.entity ? QueryRule::may : QueryRule::must_not;

  Declaration declaration;
  declaration.at = {component.manifest, 0, "operations." + name, ""};
  declaration.type_at = declaration.scope_at = declaration.once_at = declaration.query_at =
      declaration.at;
  if (declared && !declared->value().is_null()) {
    if (!declared->must_be_object()) return;
    read_declared(operation, declaration, *declared);
  }
  draft_.declarations.emplace(operation.endpoint, std::move(declaration));
  subject_.component.operations.emplace(name, std::move(operation));
}

std::optional<Implementation> OperationReader::implementation(
    const std::string& name, const std::optional<Section>& declared) {
  const auto file = files_.find(name);
  const auto forward = declared ? declared->find("forward") : std::nullopt;
  if (forward && (file == files_.end() || !file_wins(file->second, *forward)))
    return forwarded(*forward, {name});
  if (file != files_.end()) return file->second;
  if (!declared) return inherited(name);
  if (!is_operation_name(name)) {
    declared->report("the name of an operation is a letter, then letters, digits and underscores");
    return std::nullopt;
  }
  if (auto found = inherited(name)) return found;
  declared->report(fmt::format(
      "operation '{0}' is declared, but there is no file operations/{0}.ts (or .js, .mts, .mjs, "
      ".cts, .cjs), and it forwards to none",
      name));
  return std::nullopt;
}

// Of a file and a `forward`, what stands nearer to the component is meant to replace the other.
bool OperationReader::file_wins(const Implementation& file, const Section& forward) const {
  namespace fs = std::filesystem;
  const auto folders = subject_.component.folders();
  const auto of_file = fs::path(file.file).parent_path().parent_path();
  const auto of_forward = fs::path(forward.file()).parent_path();
  const auto file_at = std::ranges::find(folders, of_file.string());
  const auto forward_at = std::ranges::find(folders, of_forward.string());
  if (file_at == forward_at) {
    forward.report(fmt::format("operation '{}' has a file, and cannot forward as well",
                               fs::path(file.file).stem().string()));
  }
  return file_at <= forward_at;
}

std::optional<Implementation> OperationReader::forwarded(const Section& forward,
                                                         std::vector<std::string> passed) {
  const auto* target = forward.value().if_string();
  if (target == nullptr) {
    forward.report("must be string");
    return std::nullopt;
  }
  const std::string name(*target);
  if (std::ranges::find(passed, name) != passed.end()) {
    forward.report(fmt::format("forwards to itself: {} -> {}", fmt::join(passed, " -> "), name));
    return std::nullopt;
  }
  const auto file = files_.find(name);
  if (file != files_.end()) return file->second;
  const auto declared = operations_ ? operations_->find(name) : std::nullopt;
  if (const auto next = declared ? declared->find("forward") : std::nullopt) {
    passed.push_back(name);
    return forwarded(*next, std::move(passed));
  }
  if (auto found = inherited(name)) return found;
  forward.report(fmt::format(
      "'{}' is neither a file in operations/ nor an operation that this component inherits", name));
  return std::nullopt;
}

std::optional<Implementation> OperationReader::inherited(const std::string& name) const {
  const auto* found = inherited_operation(name);
  if (!subject_.component.inherits || found == nullptr) return std::nullopt;
  return Implementation{found->kind, "", 0};
}

void OperationReader::read_declared(Operation& operation, Declaration& declaration,
                                    const Section& declared) {
  refuse_unsupported(declared);
  declaration.type =
      word(declared, "type", type_of,
           {"transition", "observation", "assignment", "computation", "effect", "unmanaged"});
  declaration.scope =
      word(declared, "scope", scope_of, {"none", "entry", "entries", "changeset", "stream"});
  declaration.type_stated = declared.find("type").has_value();
  declaration.scope_stated = declared.find("scope").has_value();
  declaration.concurrency_stated = declared.find("concurrency").has_value();
  declaration.at = place(declared);
  declaration.type_at = place(declared, "type");
  declaration.scope_at = place(declared, "scope");
  declaration.once_at = place(declared, "once");
  declaration.query_at = place(declared, "query");
  const auto* forward = json::find(declared.value(), "forward");
  if (forward != nullptr && forward->is_string() && is_forward(operation))
    operation.forward = forward->get_string();
  operation.description = declared.text("description").value_or("");
  operation.concurrency = word(declared, "concurrency", concurrency_of, {"retry", "none"})
                              .value_or(Concurrency::unstated);
  operation.errors = declared.texts("errors");
  operation.unchained = declared.flag("unchained").value_or(false);
  operation.once_window_s = read_once(declared);
  read_query(operation, declared);
  read_contracts(operation, declared);
}

// A nearer file may have replaced what an inherited declaration forwards to.
bool OperationReader::is_forward(const Operation& operation) const {
  const auto own = files_.find(operation.endpoint.operation);
  return own == files_.end() || own->second.number != operation.implementation.number ||
         operation.implementation.inherited.has_value();
}

void OperationReader::read_contracts(Operation& operation, const Section& declared) {
  const auto top = operation.implementation.inherited ? Top::closed : Top::as_written;
  if (const auto input = declared.find("input"); input && !input->value().is_null()) {
    operation.input = read_contract(*input, top);
  }
  if (const auto output = declared.find("output"); output && !output->value().is_null()) {
    operation.output = read_contract(*output, Top::as_written);
  }
}

void OperationReader::read_query(Operation& operation, const Section& declared) {
  const auto query = declared.flag("query");
  if (!query) return;
  if (!subject_.component.entity && *query) {
    declared.find("query")->report(
        fmt::format("component '{}' has no entity, and so nothing that a query could select",
                    subject_.component.id.value));
  } else {
    operation.query = *query ? QueryRule::must : QueryRule::must_not;
  }
}

std::optional<std::int64_t> OperationReader::read_once(const Section& declared) {
  const auto once = declared.find("once");
  if (!once) return std::nullopt;
  if (const auto* flag = once->value().if_bool()) {
    return *flag ? std::optional(draft_.application.context.inbox_retention_s) : std::nullopt;
  }
  const auto* seconds = once->value().if_int64();
  if (seconds != nullptr && *seconds >= limits::inbox_window_min_s &&
      *seconds <= limits::inbox_window_max_s) {
    return *seconds;
  }
  once->report(fmt::format("must be true, false, or whole seconds from {} to {}",
                           limits::inbox_window_min_s, limits::inbox_window_max_s));
  return std::nullopt;
}

}  // namespace toa::manifest
