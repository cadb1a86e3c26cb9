#pragma once

#include <string>

#include "gateway/exchange.hpp"
#include "gateway/tree/verb.hpp"

namespace toa::gateway {

/// The status of an exception: its own, or 500 (G59, G61).
int status_of(Code code);

/// What a client is told of an exception: what does not fit in his request is his to know; of
/// anything else nothing, unless the Context says otherwise (G60).
std::string told_of(const Exception& exception, bool debug);

/// What a refusal says: `{ code, cause? }` (G58).
Json said_by(const Refusal& refusal);

/// Whether an output says that nothing was found (G56).
bool is_nothing_found(const Document& output);

}  // namespace toa::gateway
