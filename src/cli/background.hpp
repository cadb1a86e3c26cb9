#pragma once

#include <string>

#include "base/result.hpp"
#include "runtime/settings.hpp"

namespace toa::cli {

/// Starts the application in the background and returns when it is ready, saying so; or says why it
/// is not. One that runs already is left alone.
int start_in_background(const runtime::Options& options);

/// Asks a running application to stop and returns when it has ended.
int stop_in_background(const runtime::Options& options);

/// The file that the background application logs to.
std::string background_log(const runtime::Settings& settings);

}  // namespace toa::cli
