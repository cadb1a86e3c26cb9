#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "base/document.hpp"
#include "manifest/application.hpp"
#include "model/exception.hpp"
#include "model/object.hpp"

namespace toa::operation {

/// The state of an object as code sees it: `id`, its properties, then VERSION, CREATED, UPDATED,
/// DELETED, REGION.
Document state_of(const Object& object);

/// What an object is before it was ever written: the blank, VERSION 0 (spec core 3.1, 3.3).
Object unwritten(const manifest::Entity& entity, EntityId id);

/// Only `id` and what the paths name of a state, in a list of each of its items.
Document project(const Document& state, const std::vector<std::string>& paths);

/// What a transition left, as the object to store over `before`; refused where it does not fit the
/// entity. The runtime's own properties in `left` are ignored, but for DELETED; an `id` can be
/// given only to an object not yet written whose entity declares it.
std::expected<Object, Exception> next_object(const manifest::Component& component,
                                             const Object& before, const Json& left, EpochMs now);

}  // namespace toa::operation
