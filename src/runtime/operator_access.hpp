#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "base/result.hpp"
#include "runtime/control_client.hpp"
#include "runtime/parked.hpp"
#include "runtime/plugs.hpp"
#include "runtime/settings.hpp"
#include "runtime/stopped_application.hpp"

namespace toa::runtime {

/// An operator's way to what an application keeps: through the control socket where it runs, over
/// its storage where it does not. Blocks the calling thread.
class OperatorAccess {
 public:
  /// Waits for whichever is to be had first, an application that is starting or the end of the
  /// process that holds the data folder; `tell` hears what is waited for. Makes nothing where the
  /// application never ran.
  static Result<OperatorAccess> reach(Settings settings, const Plugs& plugs,
                                      const std::function<void(const std::string&)>& tell);

  Result<ParkedPage> parked(ParkedRequest request);
  Result<InboxAnswer> inbox(Identity identity);
  /// What is put back is delivered at once.
  bool runs() const { return std::holds_alternative<ControlClient>(way_); }

 private:
  struct NoData {};
  using Way = std::variant<NoData, ControlClient, std::unique_ptr<StoppedApplication>>;

  explicit OperatorAccess(Way way) : way_(std::move(way)) {}

  Way way_;
};

}  // namespace toa::runtime
