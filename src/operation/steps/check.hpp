#pragma once

#include <optional>

#include "manifest/application.hpp"
#include "model/exception.hpp"
#include "model/request.hpp"

namespace toa::operation {

/// Whether the envelope fits the operation: an identity where `once` is declared (R76), what a
/// query may say (spec core 6.5).
std::optional<Exception> check_envelope(const manifest::Operation& operation,
                                        const Request& request);

/// Whether an id may name an object: one that need not be there is made under it, so that it has to
/// be an id that can be stored. `entity` is held against it too.
std::optional<Exception> check_id(const manifest::Entity& entity, const Request& request);

/// Whether the input fits what the operation declares; the message names the property.
std::optional<Exception> check_input(const manifest::Operation& operation, const Request& request);

}  // namespace toa::operation
