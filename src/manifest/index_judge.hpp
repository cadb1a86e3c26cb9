#pragma once

#include <map>
#include <string>
#include <vector>

#include "manifest/application.hpp"
#include "manifest/problem.hpp"
#include "model/migration.hpp"

namespace toa::manifest {

/// An index, and where its migration states it; the place's message is empty.
struct StatedIndex {
  Problem place;
  Index index;
};

/// Judges the indexes that are left when all migrations of a component are applied, by name. What
/// cannot serve is a problem; what serves nothing, a warning: a migration that was applied is not
/// changed any more, so that its mistake must not keep an application from starting.
void judge_indexes(const Entity& entity, const std::map<std::string, StatedIndex>& indexes,
                   std::vector<Problem>& problems, std::vector<std::string>& warnings);

}  // namespace toa::manifest
