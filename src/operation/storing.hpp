#pragma once

#include <string_view>
#include <vector>

#include "async/task.hpp"
#include "base/result.hpp"
#include "manifest/application.hpp"
#include "model/exception.hpp"
#include "model/request.hpp"
#include "operation/steps/change.hpp"
#include "storage/storage.hpp"

namespace toa::operation {

struct World;

/// A storage that cannot answer is like code that throws: nothing was stored, and a later try may
/// succeed.
Exception storage_failed(const Error& error);

/// What the caller did wrong, where the storage refused what was asked of it.
Exception reading_failed(const Error& error);

/// Another object holds what a unique index keeps apart (R188).
Exception duplicate(const manifest::Component& component, const storage::Clash& clash);

/// Why no object can be made under an id that another has; `otherwise` where that one is not
/// deleted. A deleted one keeps its id for good.
Task<Exception> id_taken(const World& world, const manifest::Component& component,
                         const EntityId& id, std::string_view otherwise);

/// Whether a component's objects are kept at all.
bool is_kept(const manifest::Component& component);

/// What is asked about a component's objects.
storage::Storage& storage_of(const World& world, const manifest::Component& component);

/// Puts the changes into the unit: each object at its next version, and each with a record where
/// its component announces anything (R42, R51). Of objects that are kept nowhere, the records
/// alone: what is announced of them survives a crash all the same, which R53 does not ask.
void put(storage::Unit& unit, const World& world, const manifest::Component& component,
         const manifest::Operation& operation, const Call& call, std::vector<Change> changes);

/// Commits the unit; what is to be announced of it is handed on once it is durable.
Task<Result<storage::Commit>> store(const World& world, storage::Unit unit);

}  // namespace toa::operation
