#include "manifest/index_judge.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace toa::manifest {
namespace {

using Kind = Index::Kind;

constexpr std::array<std::string_view, 6> system_properties{"id",      "VERSION", "CREATED",
                                                            "UPDATED", "DELETED", "REGION"};
constexpr std::array<std::string_view, 3> system_moments{"CREATED", "UPDATED", "DELETED"};

bool is_among(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_declared(const Entity& entity, std::string_view path) {
  const auto property = path.substr(0, path.find('.'));
  return is_among(system_properties, property) || entity.properties.as_object().contains(property);
}

bool is_moment(const Entity& entity, std::string_view path) {
  return is_among(system_moments, path) ||
         std::ranges::find(entity.moments, path, &Moment::property) != entity.moments.end();
}

std::string warning(const StatedIndex& stated, std::string_view part, const std::string& why) {
  const auto& place = stated.place;
  return fmt::format("{}:{}: {}.{}: {}", place.file, place.line, place.key, part, why);
}

}  // namespace

void judge_indexes(const Entity& entity, const std::map<std::string, StatedIndex>& indexes,
                   std::vector<Problem>& problems, std::vector<std::string>& warnings) {
  const StatedIndex* searched = nullptr;
  for (const auto& [name, stated] : indexes) {
    for (const auto& key : stated.index.keys) {
      if (is_declared(entity, key.path)) continue;
      warnings.push_back(warning(
          stated, "keys",
          fmt::format("'{}' is no property of the entity: the index finds nothing", key.path)));
    }
    if (stated.index.keys.empty()) continue;
    const auto& first = stated.index.keys.front();
    if (stated.index.ttl && !is_moment(entity, first.path)) {
      warnings.push_back(
          warning(stated, "ttl",
                  fmt::format("'{}' is no moment, so that no object is ever removed: declare it as "
                              "{{ type: string, format: date-time }} or "
                              "{{ type: integer, format: epoch-millis }}",
                              first.path)));
    }
    if (first.kind != Kind::text) continue;
    if (searched == nullptr) {
      searched = &stated;
      continue;
    }
    auto problem = stated.place;
    problem.key += ".keys";
    problem.message = fmt::format(
        "'{}' has text keys as well, and only one index is searched: name all properties in one, "
        "after a dropIndex of the other",
        searched->index.name);
    problems.push_back(std::move(problem));
  }
}

}  // namespace toa::manifest
