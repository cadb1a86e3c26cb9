#pragma once

#include <string>

#include "base/json.hpp"
#include "base/result.hpp"
#include "model/reply.hpp"
#include "runtime/plugs.hpp"
#include "runtime/settings.hpp"

namespace toa::runtime {

/// Makes one call: through the control socket of the running application; where none runs, by
/// opening the application for this call alone, with no port and no socket. Waits for whichever is
/// to be had first.
Result<Reply> call_once(Settings settings, const Plugs& plugs, const std::string& endpoint,
                        const Json& request);

}  // namespace toa::runtime
