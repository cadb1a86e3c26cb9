#include "runtime/identity_site.hpp"

#include <filesystem>
#include <thread>

#include "runtime/dotenv.hpp"
#include "runtime/token_key.hpp"

namespace toa::runtime {
namespace {

/// Half of the cores: the other half keeps serving.
unsigned password_threads() {
  return std::max(1u, std::thread::hardware_concurrency() / 2);
}

}  // namespace

IdentitySite::IdentitySite(const Settings& settings, AsioLoop& loop, telemetry::Log& log)
    : environment_(settings.environment),
      dotenv_((std::filesystem::path(settings.context_file).parent_path() / ".env").string()),
      loop_(loop),
      log_(log) {}

Result<gateway::Access*> IdentitySite::open(const std::string& application,
                                            gateway::Exposition& exposition, World world) {
  if (auto made = make_key(exposition.identity); !made) return std::unexpected(made.error());
  std::vector<Executor*> executors;
  for (unsigned i = 0; i < password_threads(); ++i) {
    threads_.push_back(std::make_unique<WorkerThread>("toa-passwords"));
    executors.push_back(threads_.back().get());
  }
  auto service = gateway::IdentityService::make({.calls = world.calls,
                                                 .loop = loop_,
                                                 .threads = std::move(executors),
                                                 .clock = world.clock,
                                                 .random = world.random,
                                                 .log = log_},
                                                std::move(exposition.identity),
                                                exposition.settings.bouncer, application);
  if (!service) return std::unexpected(service.error());
  service_ = std::move(*service);
  service_->add_resources(exposition.tree);
  return &service_->access();
}

Result<void> IdentitySite::make_key(gateway::IdentitySettings& identity) {
  if (!identity.missing_key) return {};
  const auto& variable = *identity.missing_key;
  if (environment_ != "local") {
    return fail(
        ErrorKind::invalid,
        "variable " + variable +
            " is not set: it is the key that tokens are sealed with; `toa key` prints a new "
            "one, for the environment or for .env beside the Context");
  }
  auto key = new_token_key();
  if (!key) return std::unexpected(key.error());
  if (auto written = add_to_dotenv(dotenv_, variable, *key)) {
    log_.warn("Made a key for tokens: keep it out of version control",
              {{"variable", variable}, {"file", dotenv_}});
    key_file_ = dotenv_;
  } else {
    log_.warn("Made a key for tokens that cannot be kept: they are good for this run alone",
              {{"variable", variable}, {"reason", written.error().message}});
  }
  identity.keys.front().text = std::move(*key);
  identity.missing_key.reset();
  return {};
}

}  // namespace toa::runtime
