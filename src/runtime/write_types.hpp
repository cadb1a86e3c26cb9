#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "manifest/application.hpp"

namespace toa::runtime {

/// Writes the TypeScript types of an application beside its manifests; files that are as they
/// should be are left alone, and so are those of components other than `only`, where it names any.
/// Returns those written; fails at the first that cannot be.
Result<std::vector<std::string>> write_types(const manifest::Application& application,
                                             const std::vector<ComponentId>& only = {});

/// Whether its author asked for types to be kept up to date: a `tsconfig.json` stands beside the
/// Context.
bool wants_types(const manifest::Application& application);

}  // namespace toa::runtime
