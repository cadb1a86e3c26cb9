#pragma once

#include <expected>
#include <optional>

#include "manifest/application.hpp"
#include "model/exception.hpp"
#include "model/request.hpp"
#include "model/selection.hpp"
#include "operation/steps/change.hpp"

namespace toa::operation {

/// Whether the request may carry `entity`: only an effect over `entry` is given one.
std::optional<Exception> check_entity(const manifest::Operation& operation, const Request& request);

/// The properties of the request's `entity`, moments in their one form; refused where one is not
/// the entity's to give.
std::expected<JsonObject, Exception> wanted_of(const manifest::Component& component,
                                               const Request& request);

/// Asks for the objects whose texts, numbers and booleans are the wanted ones; what has parts is
/// compared by `is_like`.
Selection selection_like(const JsonObject& wanted);

/// Whether every wanted property is the object's; null is one that it lacks.
bool is_like(const Object& object, const JsonObject& wanted);

/// The object that is made where there is none like it: the blank with the wanted properties. `id`
/// names it where the request does not.
std::expected<Change, Exception> created_like(const manifest::Component& component,
                                              const Request& request, const JsonObject& wanted,
                                              EntityId id, EpochMs now);

}  // namespace toa::operation
