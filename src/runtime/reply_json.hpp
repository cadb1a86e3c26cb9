#pragma once

#include <string>

#include "base/result.hpp"
#include "model/reply.hpp"

namespace toa::runtime {

/// A reply on the control socket: the members of `{"output":…,"replayed":true}` (no `output` where
/// the operation returned nothing), `{"error":{"code","cause"?}}` or
/// `{"exception":{"name","code","message","cause"?,"trail"?}}`, without braces.
void print_reply_to(std::string& out, const Reply& reply);

/// Reads what `print_reply_to` wrote, within its braces.
Result<Reply> read_reply(const Json& message);

}  // namespace toa::runtime
