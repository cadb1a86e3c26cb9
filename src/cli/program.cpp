#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/commands.hpp"

namespace toa::cli {

void add_common_options(CLI::App& command, runtime::Options& options) {
  command.add_option("-p,--path", options.path,
                     "Where the application is (default: search upwards for context.toa.yaml)");
  command.add_option("--data", options.data,
                     "The data folder (default: TOA_DATA, then .toa beside the Context)");
  command.add_option("--log", options.log_level, "Least severity to log: debug, info, warn, error");
  command
      .add_option("--workers", options.workers, "Node worker processes (default: half the cores)")
      ->check(CLI::Range(1, 256));
}

void add_http_options(CLI::App& command, runtime::Options& options) {
  constexpr int port_max = 65'535;
  command
      .add_option("--port", options.port, "Port of HTTP, 0 for any (default: TOA_PORT, then 8000)")
      ->check(CLI::Range(0, port_max));
  command
      .add_option("--ready-port", options.ready_port,
                  "Port that tells readiness, 0 for any (default: TOA_READY_PORT, then 8004)")
      ->check(CLI::Range(0, port_max));
  command.add_option("--host", options.host,
                     "Address to listen on (default: TOA_HOST, then 127.0.0.1)");
}

void complain(const std::string& message) {
  std::fprintf(stderr, "toa: %s\n", message.c_str());
}

int run(int argc, char** argv, const runtime::Plugs& plugs) {
  CLI::App app("Toa runs applications in a world where every message may arrive twice.", "toa");
  app.set_version_flag("-v,--version", "toa " TOA_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);

  Exit exit;
  add_create(app, exit);
  add_mono(app, exit, plugs);
  add_start(app, exit);
  add_stop(app, exit);
  add_restart(app, exit);
  add_logs(app, exit);
  add_call(app, exit, plugs);
  add_parked(app, exit, plugs);
  add_types(app, exit);
  add_export(app, exit, plugs);
  add_key(app, exit);
  if (argc <= 1) {
    std::fputs(app.help().c_str(), stdout);
    return Exit::failed;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    complain(e.what());
    std::fprintf(stderr, "`toa --help` lists the commands, `toa <command> --help` its options.\n");
    return Exit::failed;
  }
  return exit.code;
}

}  // namespace toa::cli
