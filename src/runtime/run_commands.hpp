#pragma once

#include <memory>
#include <string>

#include "bridge/bridge.hpp"
#include "operation/router.hpp"

namespace toa::runtime {

/// Serves the calls that run commands make. Nothing causes them: each gets an identity of its own.
class RunCommands final : public bridge::Commander {
 public:
  /// From now on operations can be called.
  void serve(operation::Router& router) { router_ = &router; }

  std::unique_ptr<bridge::Host> host(const std::string& component, bridge::Stage stage) override;

 private:
  operation::Router* router_ = nullptr;
};

}  // namespace toa::runtime
