#pragma once

#include <optional>
#include <string>

#include "async/task.hpp"
#include "bridge/bridge.hpp"

namespace toa::bridge::node {

class Worker;

/// What a worker goes through between loading and serving.
class Preparation {
 public:
  virtual ~Preparation() = default;
  /// Whether there is anything to go through.
  virtual bool needed() const = 0;
  /// The last stage that workers may enter; nothing before the first.
  virtual std::optional<Stage> entered() const = 0;
  /// Runs the commands of one stage in one worker; what went wrong, if anything did. Ends with the
  /// worker at the latest.
  virtual Task<std::optional<std::string>> run_commands(Worker& worker, Stage stage) = 0;
};

}  // namespace toa::bridge::node
