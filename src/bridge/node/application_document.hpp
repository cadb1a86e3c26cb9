#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "bridge/bridge.hpp"

namespace toa::bridge::node {

/// The application as a worker is told it. `clock_shift` is what the runtime's clock is ahead of
/// the machine's.
std::string application_document(const Application& application,
                                 std::chrono::milliseconds clock_shift);

/// What a worker says that it loaded, and with which Node.
struct WorkerLoaded {
  Loaded loaded;
  std::string node;  // `v20.1.0`
};
Result<WorkerLoaded> read_loaded(std::string_view document);

/// `v20.1.0` → 20; nothing where it is no version.
std::optional<int> major_version(std::string_view version);

/// The oldest Node that runs a worker.
inline constexpr int node_major_min = 18;

}  // namespace toa::bridge::node
