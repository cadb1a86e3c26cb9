#pragma once

#include <string>

#include "runtime/plugs.hpp"
#include "runtime/settings.hpp"

namespace CLI {
class App;
}

namespace toa::cli {

/// What a command leaves for the shell.
struct Exit {
  static constexpr int ok = 0;
  static constexpr int failed = 1;     // the command could not do its work
  static constexpr int refused = 1;    // `toa call`: the operation returned an error
  static constexpr int exception = 2;  // `toa call`: an exception; nothing was stored
  static constexpr int not_made =
      3;  // `toa call`: the call could not be made, or its outcome is not known

  int code = ok;
};

/// The options that every command which opens an application takes.
void add_common_options(CLI::App& command, runtime::Options& options);

/// Where the application is reached over HTTP; of the commands that run one.
void add_http_options(CLI::App& command, runtime::Options& options);

/// Says on standard error what is wrong.
void complain(const std::string& message);

/// Each declares its command; the command, when chosen, runs and leaves its exit code.
void add_mono(CLI::App& app, Exit& exit, const runtime::Plugs& plugs);
void add_start(CLI::App& app, Exit& exit);
void add_stop(CLI::App& app, Exit& exit);
void add_restart(CLI::App& app, Exit& exit);
void add_logs(CLI::App& app, Exit& exit);
void add_call(CLI::App& app, Exit& exit, const runtime::Plugs& plugs);
void add_parked(CLI::App& app, Exit& exit, const runtime::Plugs& plugs);
void add_create(CLI::App& app, Exit& exit);
void add_types(CLI::App& app, Exit& exit);
void add_export(CLI::App& app, Exit& exit, const runtime::Plugs& plugs);
void add_export_manifest(CLI::App& exporting, Exit& exit);
void add_export_inbox(CLI::App& exporting, Exit& exit, const runtime::Plugs& plugs);
void add_key(CLI::App& app, Exit& exit);

/// The whole program.
int run(int argc, char** argv, const runtime::Plugs& plugs);

}  // namespace toa::cli
