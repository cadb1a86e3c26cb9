#include "operation/collection.hpp"

#include "base/limits.hpp"
#include "operation/router.hpp"
#include "operation/steps/select.hpp"
#include "operation/steps/state.hpp"
#include "operation/storing.hpp"

namespace toa::operation {
namespace {

Document entry_of(const Object& object, const Query& query) {
  const auto state = state_of(object);
  const auto shown = query.projection ? project(state, *query.projection) : state;
  return Document::of_text("{\"entry\":" + shown.text() + "}");
}

/// Puts objects into the page until it is full; answers how many.
std::int64_t fill(Page& page, const std::vector<Object>& objects, const Query& query) {
  std::size_t bytes = 0;
  for (const auto& object : objects) {
    page.parts.push_back(entry_of(object, query));
    bytes += page.parts.back().text().size();
    if (bytes >= limits::stream_page_bytes) break;
  }
  return static_cast<std::int64_t>(page.parts.size());
}

}  // namespace

Task<std::expected<Page, Exception>> read_page(const World& world,
                                               const manifest::Component& component,
                                               const std::optional<Query>& query,
                                               std::optional<Place> place) {
  const auto asked = query.value_or(Query{});
  const auto whole = selection_of(*component.entity, asked);
  if (!whole) co_return std::unexpected(whole.error());
  const auto selection = page_after(*whole, place);
  std::vector<Object> objects;
  if (*selection.limit > 0) {
    auto found = co_await storage_of(world, component).find(component.id, selection);
    if (!found) co_return std::unexpected(reading_failed(found.error()));
    objects = std::move(*found);
  }
  Page page;
  const auto count = fill(page, objects, asked);
  const bool full = count == *selection.limit || count < static_cast<std::int64_t>(objects.size());
  if (count > 0 && full) {
    page.next = place_after(place, objects[static_cast<std::size_t>(count) - 1], count);
  } else {
    page.parts.push_back(Document::of_text(R"({"token":null})"));
  }
  co_return page;
}

}  // namespace toa::operation
