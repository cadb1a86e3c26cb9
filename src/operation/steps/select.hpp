#pragma once

#include <expected>

#include "manifest/application.hpp"
#include "model/exception.hpp"
#include "model/query.hpp"
#include "model/selection.hpp"

namespace toa::operation {

/// What the storage is asked for a query: criteria typed by the entity's schema, every path of
/// criteria, sort and projection defined (spec core 6.4). The query fits its operation
/// (`check_envelope`).
std::expected<Selection, Exception> selection_of(const manifest::Entity& entity,
                                                 const Query& query);

}  // namespace toa::operation
