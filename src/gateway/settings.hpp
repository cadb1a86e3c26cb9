#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/application.hpp"

namespace toa::gateway {

/// How often a client may fail to authenticate: `attempts` at once, and as many again within
/// `interval` (G185).
struct Bouncer {
  std::int64_t attempts = 20;
  std::chrono::seconds interval{60};
};

/// What the Context's `exposition` says besides routes.
struct Settings {
  /// Names of hosts, by the value of the header (G151).
  std::vector<std::pair<std::string, std::string>> authorities;
  /// Exceptions are told to clients (G60).
  bool debug = false;
  /// The header that names the client's address (G156).
  std::optional<std::string> ip;
  std::optional<Bouncer> bouncer;
};

/// Reports what is wrong; keys of parts that this release does not have are refused where they are
/// to keep something out, and named in `warnings` otherwise.
Settings read_settings(const manifest::Context& context, std::vector<manifest::Problem>& problems,
                       std::vector<std::string>& warnings);

}  // namespace toa::gateway
