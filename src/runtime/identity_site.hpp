#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/asio_loop.hpp"
#include "async/worker_thread.hpp"
#include "gateway/access/service/identity_service.hpp"
#include "gateway/gateway.hpp"
#include "runtime/settings.hpp"
#include "telemetry/log.hpp"

namespace toa::runtime {

/// Who asks, for the gateway of a running application: with the key that its tokens are sealed
/// with, and threads that passwords are hashed on.
class IdentitySite {
 public:
  IdentitySite(const Settings& settings, AsioLoop& loop, telemetry::Log& log);

  struct World {
    gateway::Calls& calls;
    const Clock& clock;
    Random& random;
  };
  /// Adds the resources below `/identity/`. A local run that lacks a key for tokens makes one and
  /// writes it to `.env` beside the Context, or says that it cannot; another one does not start.
  Result<gateway::Access*> open(const std::string& application, gateway::Exposition& exposition,
                                World world);

  /// The file that a key was written to by this start, or nothing.
  const std::optional<std::string>& key_file() const { return key_file_; }

 private:
  Result<void> make_key(gateway::IdentitySettings& identity);

  std::string environment_;
  std::string dotenv_;
  std::optional<std::string> key_file_;
  AsioLoop& loop_;
  telemetry::Log& log_;
  std::vector<std::unique_ptr<WorkerThread>> threads_;
  std::unique_ptr<gateway::IdentityService> service_;
};

}  // namespace toa::runtime
