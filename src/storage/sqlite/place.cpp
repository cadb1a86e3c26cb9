#include "storage/sqlite/place.hpp"

#include <array>
#include <fmt/format.h>
#include <utility>

#include "base/json.hpp"
#include "storage/sqlite/sql.hpp"

namespace toa::storage::sqlite {
namespace {

std::optional<Place> column(std::string_view name) {
  if (name == "id") return Place{.value = "id", .type = {}, .text_column = true};
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> columns{
      {{"VERSION", "version"},
       {"CREATED", "created"},
       {"UPDATED", "updated"},
       {"DELETED", "deleted"},
       {"REGION", "region"}}};
  for (const auto& [property, column] : columns)
    if (name == property) return Place{.value = std::string(column), .type = {}};
  return std::nullopt;
}

}  // namespace

std::vector<Step> steps_of(std::string_view path) {
  std::vector<Step> steps;
  for (std::size_t dot = 0; dot != std::string_view::npos;) {
    dot = path.find('.');
    steps.push_back({std::string(path.substr(0, dot))});
    if (dot != std::string_view::npos) path.remove_prefix(dot + 1);
  }
  return steps;
}

Result<std::string> json_path(std::span<const Step> path) {
  std::string out = "$";
  for (const auto& step : path) {
    if (step.name.contains('"') || step.name.contains('\0'))
      return fail(ErrorKind::invalid,
                  fmt::format("a property named {} cannot be selected by or indexed",
                              json::print(Json(step.name))));
    out += '.';
    // SQLite compares names as documents have them, escapes and all.
    json::print_string_to(out, step.name);
  }
  return quoted(out);
}

Result<Place> place_in(std::string_view json, std::span<const Step> path) {
  const auto where = json_path(path);
  if (!where) return std::unexpected(where.error());
  return Place{.value = fmt::format("{} ->> {}", json, *where),
               .type = fmt::format("json_type({}, {})", json, *where)};
}

Result<Place> place_in_row(std::span<const Step> path) {
  if (path.size() == 1)
    if (auto found = column(path.front().name)) return *std::move(found);
  return place_in("properties", path);
}

}  // namespace toa::storage::sqlite
