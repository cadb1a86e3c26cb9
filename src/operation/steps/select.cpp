#include "operation/steps/select.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "manifest/schema.hpp"
#include "operation/steps/criteria.hpp"
#include "operation/steps/path.hpp"

namespace toa::operation {
namespace {

std::unexpected<Exception> refuse(std::string message) {
  return std::unexpected(Exception{.code = Code::query_syntax, .message = std::move(message)});
}

std::expected<Criteria, Exception> read_criteria(const manifest::Entity& entity,
                                                 std::string_view text) {
  auto parsed = parse_criteria(text);
  if (!parsed) return refuse(std::move(parsed.error().message));
  return typed(entity, *std::move(parsed));
}

std::expected<void, Exception> check_sort(const manifest::Entity& entity,
                                          const std::vector<Sort>& sort) {
  constexpr auto structures = manifest::SchemaNode::object | manifest::SchemaNode::array;
  for (const auto& key : sort) {
    const auto at = destination_of(entity, key.path);
    if (!at) return refuse(fmt::format("Query sort '{}' is not defined", key.path));
    const bool structured = at->types != 0 && (at->types & ~structures) == 0;
    if (structured || at->passes_list()) {
      return refuse(fmt::format("Query sort '{}' leads to no single value", key.path));
    }
  }
  return {};
}

std::expected<void, Exception> check_projection(const manifest::Entity& entity,
                                                const std::vector<std::string>& projection) {
  for (const auto& path : projection) {
    if (destination_of(entity, path)) continue;
    return refuse(fmt::format("Query projection '{}' is not defined", path));
  }
  return {};
}

/// Each once: an object is selected or it is not.
std::optional<std::vector<EntityId>> ids_of(const Query& query) {
  if (query.id) return std::vector<EntityId>{*query.id};
  auto ids = query.ids;
  if (!ids) return std::nullopt;
  std::ranges::sort(*ids);
  ids->erase(std::ranges::unique(*ids).begin(), ids->end());
  return ids;
}

}  // namespace

std::expected<Selection, Exception> selection_of(const manifest::Entity& entity,
                                                 const Query& query) {
  Selection selection{.ids = ids_of(query),
                      .search = query.search,
                      .sort = query.sort.value_or(std::vector<Sort>{}),
                      .omit = query.omit.value_or(0),
                      .limit = query.limit,
                      .sample = query.sample,
                      .deleted = query.deleted};
  if (query.criteria) {
    auto criteria = read_criteria(entity, *query.criteria);
    if (!criteria) return std::unexpected(std::move(criteria.error()));
    selection.criteria = *std::move(criteria);
  }
  if (auto fine = check_sort(entity, selection.sort); !fine) {
    return std::unexpected(std::move(fine.error()));
  }
  if (!query.projection) return selection;
  if (auto fine = check_projection(entity, *query.projection); !fine) {
    return std::unexpected(std::move(fine.error()));
  }
  return selection;
}

}  // namespace toa::operation
