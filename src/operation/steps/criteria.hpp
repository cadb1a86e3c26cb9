#pragma once

#include <expected>

#include "manifest/application.hpp"
#include "model/criteria.hpp"
#include "model/exception.hpp"

namespace toa::operation {

/// Criteria as an entity understands them: paths instead of selectors, values of the types that are
/// at their ends. Refused (QuerySyntax), naming the selector: what the schema does not define, and
/// values that are of no type there (spec core 6.4).
std::expected<Criteria, Exception> typed(const manifest::Entity& entity, Criteria criteria);

}  // namespace toa::operation
