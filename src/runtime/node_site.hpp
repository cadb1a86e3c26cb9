#pragma once

#include <memory>

#include "async/asio_loop.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "bridge/bridge.hpp"
#include "bridge/log_sink.hpp"
#include "runtime/settings.hpp"

namespace toa::runtime {

/// Puts the worker that this program carries into the data folder, where it is not there already,
/// and makes a bridge that runs it.
Result<std::unique_ptr<bridge::Bridge>> make_node_bridge(const Settings& settings, AsioLoop& loop,
                                                         const Clock& clock, bridge::LogSink& log);

}  // namespace toa::runtime
