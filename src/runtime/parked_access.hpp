#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "base/result.hpp"
#include "runtime/control_client.hpp"
#include "runtime/parked.hpp"
#include "runtime/parked_alone.hpp"
#include "runtime/plugs.hpp"
#include "runtime/settings.hpp"

namespace toa::runtime {

/// The way to an application's parked messages: through the control socket where it runs, over its
/// storage where it does not. Blocks the calling thread.
class ParkedAccess {
 public:
  /// Waits for whichever is to be had first, an application that is starting or the end of the
  /// process that holds the data folder; `tell` hears what is waited for. Makes nothing where the
  /// application never ran.
  static Result<ParkedAccess> reach(Settings settings, const Plugs& plugs,
                                    const std::function<void(const std::string&)>& tell);

  Result<ParkedPage> ask(ParkedRequest request);
  /// What is put back is delivered at once.
  bool runs() const { return std::holds_alternative<ControlClient>(way_); }

 private:
  struct NoData {};
  using Way = std::variant<NoData, ControlClient, std::unique_ptr<ParkedAlone>>;

  explicit ParkedAccess(Way way) : way_(std::move(way)) {}

  Way way_;
};

}  // namespace toa::runtime
