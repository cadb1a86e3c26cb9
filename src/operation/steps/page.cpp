#include "operation/steps/page.hpp"

#include <algorithm>

#include "base/limits.hpp"

namespace toa::operation {
namespace {

Criteria holds(std::string_view property, Comparison comparison, Json value) {
  return {Condition{.selector = std::string(property),
                    .comparison = comparison,
                    .operands = {{.value = std::move(value)}},
                    .path = {{.name = std::string(property)}}}};
}

Criteria all(Criteria one, Criteria other) {
  return {Criteria::All{{std::move(one), std::move(other)}}};
}

/// What comes after the object in the order of `sort`, and then of ids.
Criteria beyond(const std::vector<Sort>& sort, const Place& place) {
  const bool descending = !sort.empty() && sort.front().descending;
  const auto on = descending ? Comparison::less : Comparison::greater;
  if (sort.empty() || sort.front().path == "id") return holds("id", on, Json(place.id.value));
  auto same = all(holds("CREATED", Comparison::equal, Json(place.created)),
                  holds("id", Comparison::greater, Json(place.id.value)));
  return {Criteria::Any{{holds("CREATED", on, Json(place.created)), std::move(same)}}};
}

}  // namespace

Json Place::print() const {
  return JsonArray{taken, id.value, created};
}

std::optional<Place> Place::read(const Json& value) {
  const auto* parts = value.if_array();
  const bool whole = parts != nullptr && parts->size() == 3 && (*parts)[0].is_int64() &&
                     (*parts)[1].is_string() && (*parts)[2].is_int64();
  if (!whole || (*parts)[0].get_int64() < 0) return std::nullopt;
  return Place{.taken = (*parts)[0].get_int64(),
               .id = EntityId(std::string((*parts)[1].get_string())),
               .created = (*parts)[2].get_int64()};
}

bool is_steady(const std::vector<Sort>& sort) {
  if (sort.empty()) return true;
  return sort.size() == 1 && (sort.front().path == "id" || sort.front().path == "CREATED");
}

Selection page_after(const Selection& whole, const std::optional<Place>& place) {
  auto page = whole;
  // A selection that states no order is of any objects, and these in the order of their ids.
  if (page.sort.empty()) page.sort = {{"id"}};
  const auto taken = place ? place->taken : 0;
  const auto left = whole.limit ? *whole.limit - taken : limits::stream_page;
  page.limit = std::clamp(left, std::int64_t{0}, limits::stream_page);
  if (!place) return page;
  if (!is_steady(whole.sort)) {
    page.omit = taken;
    return page;
  }
  auto rest = beyond(whole.sort, *place);
  page.criteria = whole.criteria ? all(*whole.criteria, std::move(rest)) : std::move(rest);
  return page;
}

Place place_after(const std::optional<Place>& before, const Object& last, std::int64_t count) {
  return {.taken = (before ? before->taken : 0) + count, .id = last.id, .created = last.created};
}

}  // namespace toa::operation
