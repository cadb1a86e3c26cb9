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

/// Whether the input fits what the operation declares; the message names the property.
std::optional<Exception> check_input(const manifest::Operation& operation, const Request& request);

}  // namespace toa::operation
