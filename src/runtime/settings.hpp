#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "delivery/steps/ladder.hpp"
#include "manifest/read.hpp"
#include "operation/steps/chain.hpp"
#include "telemetry/log.hpp"

namespace toa::runtime {

/// What a command says about how to run; empty means the default.
struct Options {
  std::string path;  // where to look for the Context; default: upwards from the working directory
  std::string data;  // the data folder; default: TOA_DATA, then `.toa` beside the Context
  std::string log_level;
  std::string log_file;
  int workers = 0;
  std::string host;     // to listen on; default: TOA_HOST, then 127.0.0.1
  int port = -1;        // of HTTP, 0 for any; default: TOA_PORT, then 8000
  int ready_port = -1;  // default: TOA_READY_PORT, then 8004
};

/// Where the gateway listens.
struct HttpSettings {
  std::string host;
  std::uint16_t port = 0;
  std::uint16_t ready_port = 0;
};

/// How one process runs, all defaults filled in. Every environment variable is read here and
/// nowhere else.
struct Settings {
  std::string context_file;                // absolute
  std::string data;                        // absolute folder
  std::string environment;                 // TOA_ENV, `local`
  std::string instance;                    // TOA_INSTANCE, or made up
  std::string node;                        // TOA_NODE, or `node` on the PATH
  std::string fault;                       // TOA_FAULT
  std::chrono::milliseconds time_shift{};  // TOA_TIME
  delivery::Ladder ladder;                 // TOA_LADDER
  bool accepts_early = true;               // not TOA_PLAIN_COMMITS
  operation::ChainLimits chain;            // TOA_TRAIL_REPEATS, TOA_TRAIL_DEPTH
  telemetry::Severity log_level = telemetry::Severity::info;
  std::string log_file;
  int workers = 1;
  HttpSettings http;
  /// The environment, then `.env` beside the Context.
  manifest::Variables variables;
};

/// Refuses a Context that is not there and variables that make no sense, naming them.
Result<Settings> settle(const Options& options);

}  // namespace toa::runtime
