#include "runtime/operator_access.hpp"

#include <chrono>
#include <filesystem>
#include <utility>

#include "base/limits.hpp"
#include "runtime/control_path.hpp"
#include "storage/sqlite/data_folder.hpp"

namespace toa::runtime {

using std::chrono::steady_clock;
using storage::sqlite::DataFolder;

Result<OperatorAccess> OperatorAccess::reach(Settings settings, const Plugs& plugs,
                                             const std::function<void(const std::string&)>& tell) {
  std::error_code ignored;
  if (!std::filesystem::exists(settings.data, ignored)) return OperatorAccess(NoData{});
  const auto path = control_path(settings.data);
  if (!path) return std::unexpected(path.error());
  const auto started = steady_clock::now();
  for (bool told = false;;) {
    if (auto client = ControlClient::connect(*path)) return OperatorAccess(std::move(*client));
    auto folder = DataFolder::take_within(settings.data, limits::call_lock_wait);
    if (folder) {
      if (!std::filesystem::exists(folder->database(), ignored)) return OperatorAccess(NoData{});
      auto stopped = StoppedApplication::open(std::move(settings), plugs, std::move(*folder));
      if (!stopped) return std::unexpected(stopped.error());
      return OperatorAccess(std::move(*stopped));
    }
    const auto waited = steady_clock::now() - started;
    if (folder.error().kind != ErrorKind::conflict || waited > limits::stop_lock_wait)
      return std::unexpected(folder.error());
    if (!told && waited > limits::call_wait_silent) {
      told = true;
      tell("waiting: " + folder.error().message);
    }
  }
}

Result<ParkedPage> OperatorAccess::parked(ParkedRequest request) {
  if (auto* client = std::get_if<ControlClient>(&way_)) return client->parked(request);
  if (auto* stopped = std::get_if<std::unique_ptr<StoppedApplication>>(&way_))
    return (*stopped)->parked(std::move(request));
  return ParkedPage{};
}

Result<InboxAnswer> OperatorAccess::inbox(Identity identity) {
  if (auto* client = std::get_if<ControlClient>(&way_)) return client->inbox(identity);
  if (auto* stopped = std::get_if<std::unique_ptr<StoppedApplication>>(&way_))
    return (*stopped)->inbox(identity);
  return InboxAnswer{};
}

}  // namespace toa::runtime
