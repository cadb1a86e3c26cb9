#pragma once

#include <string>

#include "gateway/directive.hpp"
#include "gateway/exchange.hpp"

namespace toa::gateway {

/// Puts a value into an input property, over what the client sent, and past `io:input` (G139). A
/// body that is no object is refused.
Verdict fill_input(Exchange& exchange, const std::string& property, Json value);

/// Takes a property that a client does not send out of a description's input (G139).
void hide_input(JsonObject& entry, std::string_view property);

}  // namespace toa::gateway
