#pragma once

#include <optional>
#include <string>

#include "async/asio_loop.hpp"
#include "async/task.hpp"

namespace toa::bridge::node {

/// What `node --version` prints, to explain why a worker did not start; nothing where it prints
/// nothing in time.
Task<std::optional<std::string>> node_version(AsioLoop& loop, std::string node);

}  // namespace toa::bridge::node
