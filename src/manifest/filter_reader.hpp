#pragma once

#include <optional>
#include <vector>

#include "manifest/application.hpp"
#include "manifest/section.hpp"
#include "model/criteria.hpp"

namespace toa::manifest {

/// A filter of a migration, in MongoDB's words (R191): `{ stage: out, fine: { $gt: 0 } }`. Nothing
/// for `{}`, which all objects meet. What is no such filter, or says more than criteria can, is
/// reported.
std::optional<Criteria> read_filter(const Section& filter, const Entity& entity);

/// A dotted path, step by step, with the lists that the entity declares on its way.
std::vector<Step> steps_to(const Entity& entity, std::string_view path);

}  // namespace toa::manifest
