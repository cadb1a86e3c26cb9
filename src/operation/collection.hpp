#pragma once

#include <expected>
#include <optional>
#include <vector>

#include "async/task.hpp"
#include "base/document.hpp"
#include "manifest/application.hpp"
#include "model/exception.hpp"
#include "model/query.hpp"
#include "operation/steps/page.hpp"

namespace toa::operation {

struct World;

/// Some parts of a stream of objects (spec core 6.7).
struct Page {
  /// `{ entry }` each; the last of the stream is `{ token: null }`, since no storage here keeps a
  /// history to go on from.
  std::vector<Document> parts;
  /// Where the next page begins; nothing after the last.
  std::optional<Place> next = {};
};

/// Reads what the query selects, or all objects, from `place` on. The memory that it takes is
/// bounded by a page, whatever is selected. Each page is read as things are by then: an object is
/// in the stream once, where it is ordered by `id` or CREATED.
Task<std::expected<Page, Exception>> read_page(const World& world,
                                               const manifest::Component& component,
                                               const std::optional<Query>& query,
                                               std::optional<Place> place);

}  // namespace toa::operation
