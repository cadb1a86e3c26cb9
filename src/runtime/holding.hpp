#pragma once

#include <chrono>
#include <string>

#include "base/result.hpp"

namespace toa::runtime {

/// Makes the data folder where it is absent; fails, naming the holder, where a process has it.
Result<void> check_free(const std::string& data);

/// Waits for the holder of the data folder to let go of it.
Result<void> wait_until_free(const std::string& data, std::chrono::milliseconds patience);

}  // namespace toa::runtime
