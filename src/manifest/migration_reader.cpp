#include "manifest/migration_reader.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>

#include "base/limits.hpp"
#include "manifest/file.hpp"
#include "manifest/filter_reader.hpp"
#include "manifest/index_judge.hpp"
#include "manifest/prototype.hpp"
#include "manifest/section.hpp"

namespace toa::manifest {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, Index::Kind>, 4> kinds{
    {{"asc", Index::Kind::ascending},
     {"desc", Index::Kind::descending},
     {"hash", Index::Kind::hash},
     {"text", Index::Kind::text}}};

std::optional<std::string> read_name(const Section& step) {
  const auto name = step.text("name");
  if (!step.find("name")) step.report("must have required property 'name'");
  if (name && name->empty()) step.report_at({"name"}, "must not be empty");
  return name && !name->empty() ? name : std::nullopt;
}

// Indexes --------------------------------------------------------------------

void read_keys(const Section& step, Index& index) {
  const auto keys = step.find("keys");
  if (!keys) return step.report("must have required property 'keys'");
  if (!keys->must_be_object()) return;
  for (const auto& key : keys->parts()) {
    const auto* word = key.value().if_string();
    const auto kind = std::ranges::find_if(kinds, [&](const auto& known) {
      return word != nullptr && known.first == std::string_view(*word);
    });
    if (kind == kinds.end()) {
      key.report("must be asc, desc, hash or text");
    } else {
      index.keys.push_back({key.name(), kind->second});
    }
  }
  if (keys->value().get_object().empty()) keys->report("must name a property");
}

void read_ttl(const Section& step, Index& index) {
  const auto ttl = step.find("ttl");
  if (!ttl) return;
  const auto* seconds = ttl->value().if_int64();
  if (seconds == nullptr || *seconds < 0 || *seconds > limits::ttl_max_s) {
    return ttl->report(fmt::format("must be seconds, from 0 to {}", limits::ttl_max_s));
  }
  index.ttl = *seconds;
}

bool leads_through_list(const Entity& entity, const Index::Key& key) {
  return std::ranges::any_of(steps_to(entity, key.path), &Step::list);
}

/// What no index can be together.
void judge(const Section& step, const Index& index, const Entity& entity) {
  const auto is = [](Index::Kind kind) {
    return [kind](const Index::Key& key) { return key.kind == kind; };
  };
  const bool text = std::ranges::any_of(index.keys, is(Index::Kind::text));
  const bool hash = std::ranges::any_of(index.keys, is(Index::Kind::hash));
  if (text && !std::ranges::all_of(index.keys, is(Index::Kind::text)))
    step.report_at({"keys"}, "an index with a text key has text keys alone");
  if (text && (index.unique || index.sparse || index.partial || index.ttl))
    step.report("a text index is neither unique, sparse nor partial, and has no ttl");
  if (hash && (index.unique || index.ttl))
    step.report("an index with a hash key is not unique and has no ttl");
  if (index.ttl && index.keys.size() != 1)
    step.report_at({"ttl"}, "an index with a ttl has one key");
  if (!index.unique) return;
  for (const auto& key : index.keys)
    if (leads_through_list(entity, key))
      step.report_at(
          {"keys", key.path},
          fmt::format("'{}' leads through a list, which a unique index cannot do", key.path));
}

Index read_index(const Section& step, const Entity& entity) {
  step.refuse_unknown({"name", "keys", "unique", "sparse", "partial", "ttl"});
  Index index{.name = read_name(step).value_or(""),
              .keys = {},
              .unique = step.flag("unique").value_or(false),
              .sparse = step.flag("sparse").value_or(false)};
  read_keys(step, index);
  read_ttl(step, index);
  if (const auto partial = step.find("partial")) index.partial = read_filter(*partial, entity);
  judge(step, index, entity);
  return index;
}

// Changes to objects ---------------------------------------------------------

std::optional<Criteria> filter_of(const Section& step, const Entity& entity) {
  const auto filter = step.find("filter");
  if (!filter) step.report("must have required property 'filter'; {} means all objects");
  return filter ? read_filter(*filter, entity) : std::nullopt;
}

bool is_system(std::string_view path) {
  constexpr std::array<std::string_view, 6> names{"id",      "VERSION", "CREATED",
                                                  "UPDATED", "DELETED", "REGION"};
  return std::ranges::find(names, path.substr(0, path.find('.'))) != names.end();
}

/// A path that a migration may change, or a problem.
bool may_change(const Section& part, std::string_view path) {
  const bool odd = path.empty() || path.starts_with('.') || path.ends_with('.') ||
                   path.contains("..") || path.contains('$');
  if (odd) part.report(fmt::format("'{}' is no path of a property", path));
  if (is_system(path)) part.report(fmt::format("System property '{}' cannot be changed", path));
  return !odd && !is_system(path);
}

void read_set(const Section& values, UpdateObjects& update) {
  if (!values.must_be_object()) return;
  for (const auto& part : values.parts())
    if (may_change(part, part.name())) update.set.emplace_back(part.name(), part.value());
}

void read_unset(const Section& paths, UpdateObjects& update) {
  if (!paths.must_be_object()) return;
  for (const auto& part : paths.parts())
    if (may_change(part, part.name())) update.unset.push_back(part.name());
}

void read_rename(const Section& paths, UpdateObjects& update) {
  if (!paths.must_be_object()) return;
  for (const auto& part : paths.parts()) {
    const auto* to = part.value().if_string();
    if (to == nullptr) {
      part.report("must be the new name");
    } else if (may_change(part, part.name()) && may_change(part, *to)) {
      update.rename.emplace_back(part.name(), std::string(*to));
    }
  }
}

UpdateObjects read_update(const Section& step, const Entity& entity) {
  step.refuse_unknown({"filter", "update"});
  UpdateObjects update{.filter = filter_of(step, entity)};
  const auto changes = step.find("update");
  if (!changes) {
    step.report("must have required property 'update'");
    return update;
  }
  if (changes->value().is_array()) {
    changes->report("a pipeline is not supported: state what is $set, $unset or $rename");
    return update;
  }
  if (!changes->must_be_object()) return update;
  for (const auto& part : changes->parts()) {
    if (part.name() == "$set") {
      read_set(part, update);
    } else if (part.name() == "$unset") {
      read_unset(part, update);
    } else if (part.name() == "$rename") {
      read_rename(part, update);
    } else if (part.name().starts_with('$')) {
      part.report(fmt::format("'{}' is not supported: an update knows $set, $unset and $rename",
                              part.name()));
    } else if (may_change(part, part.name())) {
      update.set.emplace_back(part.name(), part.value());
    }
  }
  return update;
}

// Files ----------------------------------------------------------------------

/// What the steps of a file add to, in their order.
struct Into {
  Migration& migration;
  /// The indexes that are there after the step at hand.
  std::map<std::string, StatedIndex>& left;
};

void read_step(const Section& step, const Entity& entity, const Into& into) {
  auto& migration = into.migration;
  if (!step.must_be_object()) return;
  step.refuse_unknown({"index", "dropIndex", "update", "delete", "images"});
  const auto parts = step.parts();
  if (parts.size() != 1) return step.report("a step is one of index, dropIndex, update, delete");
  const auto& part = parts.front();
  if (part.name() == "images") return part.report("'images' is not supported by this release");
  if (!part.must_be_object()) return;
  if (part.name() == "index") {
    auto index = read_index(part, entity);
    into.left.insert_or_assign(index.name,
                               StatedIndex{{part.file(), part.line(), part.key(), ""}, index});
    migration.steps.emplace_back(std::move(index));
  } else if (part.name() == "dropIndex") {
    part.refuse_unknown({"name"});
    DropIndex drop{read_name(part).value_or("")};
    into.left.erase(drop.name);
    migration.steps.emplace_back(std::move(drop));
  } else if (part.name() == "update") {
    migration.steps.emplace_back(read_update(part, entity));
  } else if (part.name() == "delete") {
    part.refuse_unknown({"filter"});
    migration.steps.emplace_back(DeleteObjects{filter_of(part, entity)});
  }
}

void read_file(const std::string& file, const Entity& entity, const Into& into,
               std::vector<Problem>& problems) {
  const auto yaml = load_yaml(file, problems);
  if (!yaml) return;
  const Section steps(file, *yaml, problems);
  if (!steps.value().is_array()) return steps.report("must be a list of steps");
  for (const auto& step : steps.parts()) read_step(step, entity, into);
}

/// Id to file, in the order of the ids.
std::map<std::string, std::string> files_of(const fs::path& folder,
                                            std::vector<Problem>& problems) {
  std::map<std::string, std::string> files;
  std::error_code error;
  std::set<fs::path> found;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (!at->path().filename().string().starts_with('.')) found.insert(at->path());
  if (error && error != std::errc::no_such_file_or_directory)
    problems.push_back({folder.string(), 0, "", "cannot be read: " + error.message()});
  for (const auto& path : found) {
    const auto extension = path.extension().string();
    if (extension != ".yaml" && extension != ".yml" && extension != ".json") {
      problems.push_back({path.string(), 0, "", "is no migration: these are .yaml or .json"});
    } else if (!files.emplace(path.stem().string(), path.string()).second) {
      problems.push_back(
          {path.string(), 0, "",
           fmt::format("there is more than one migration '{}'", path.stem().string())});
    }
  }
  return files;
}

/// What the migrations of a prototype are recorded under: its folder may move, its name stays.
std::string name_of(const std::string& prototype, std::vector<Problem>& problems) {
  std::vector<Problem> told_already;
  const auto file = manifest_file(prototype);
  const auto manifest = load_yaml(file, told_already);
  const auto* name = manifest ? json::find(manifest->value, "name") : nullptr;
  if (name != nullptr && name->is_string()) return std::string(name->get_string());
  problems.push_back(
      {file, 1, "", "must have required property 'name', which its migrations are recorded under"});
  return {};
}

}  // namespace

std::vector<Migration> read_migrations(const Component& component, std::vector<Problem>& problems,
                                       std::vector<std::string>& warnings) {
  std::vector<Migration> migrations;
  std::map<std::string, StatedIndex> left;
  auto folders = component.folders();
  std::ranges::reverse(folders);
  std::set<std::string> names;
  for (const auto& folder : folders) {
    const auto directory = fs::path(folder) / "migrations";
    const auto files = files_of(directory, problems);
    if (!files.empty() && !component.entity) {
      problems.push_back(
          {directory.string(), 0, "", "the component has no entity that migrations could change"});
      continue;
    }
    if (files.empty()) continue;
    const bool own = folder == component.path;
    const auto name = own ? std::string() : name_of(folder, problems);
    const auto prefix = own ? std::string() : name + ":";
    if (!own && !name.empty() && !names.insert(name).second)
      problems.push_back({manifest_file(folder), 1, "name",
                          fmt::format("'{}' is the name of another prototype with migrations that "
                                      "'{}' inherits",
                                      name, component.id.value)});
    for (const auto& [id, file] : files) {
      Migration migration{.id = prefix + id, .steps = {}};
      read_file(file, *component.entity, {migration, left}, problems);
      migrations.push_back(std::move(migration));
    }
  }
  if (component.entity) judge_indexes(*component.entity, left, problems, warnings);
  return migrations;
}

}  // namespace toa::manifest
