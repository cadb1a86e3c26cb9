#pragma once

#include <map>
#include <string>
#include <sys/types.h>

#include "spread.hpp"

namespace toa::bench {

/// Processor time by thread name of one process, and, as `workers`, of all processes that it
/// started.
using ProcessorTime = std::map<std::string, Nanoseconds>;

ProcessorTime processor_time(pid_t process);
ProcessorTime operator-(const ProcessorTime& later, const ProcessorTime& earlier);

/// Resident memory in MB, workers apart.
double resident_mb(pid_t process);

}  // namespace toa::bench
