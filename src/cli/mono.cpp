#include <CLI/CLI.hpp>
#include <memory>
#include <unistd.h>

#include "base/limits.hpp"
#include "cli/commands.hpp"
#include "runtime/foreground.hpp"

namespace toa::cli {
namespace {

struct Arguments {
  runtime::Options options;
  int ready_descriptor = -1;
};

/// Tells whoever started this process in the background how that went: a line, and after `failed`
/// the reason.
void tell(int descriptor, const std::string& line) {
  if (descriptor < 0) return;
  const std::string text = line + "\n";
  // A starter that is gone needs no answer.
  [[maybe_unused]] const auto wrote = ::write(descriptor, text.data(), text.size());
  ::close(descriptor);
}

int run_mono(const Arguments& arguments, const runtime::Plugs& plugs) {
  auto settings = runtime::settle(arguments.options);
  if (!settings) {
    complain(settings.error().message);
    tell(arguments.ready_descriptor, "failed\n" + settings.error().message);
    return Exit::failed;
  }
  // `toa start` found the folder free, or waited for it; a `toa call` may have come in between.
  const bool started = arguments.ready_descriptor >= 0;
  const auto ended = runtime::run_in_foreground(
      std::move(*settings), plugs,
      [&arguments](const std::string& what) { tell(arguments.ready_descriptor, "ready " + what); },
      started ? limits::start_lock_wait : std::chrono::milliseconds(0));
  if (!ended) {
    complain(ended.error().message);
    tell(arguments.ready_descriptor, "failed\n" + ended.error().message);
    return Exit::failed;
  }
  return Exit::ok;
}

}  // namespace

void add_mono(CLI::App& app, Exit& exit, const runtime::Plugs& plugs) {
  auto* command = app.add_subcommand("mono", "Run the application in the foreground until Ctrl-C");
  auto arguments = std::make_shared<Arguments>();
  add_common_options(*command, arguments->options);
  add_http_options(*command, arguments->options);
  command->add_option("paths", arguments->options.path, "The same as --path");
  command->add_option("--log-file", arguments->options.log_file,
                      "Write the log there, rotated, instead of to standard output");
  command->add_option("--ready-fd", arguments->ready_descriptor)->group("");
  command->callback([arguments, &exit, &plugs] { exit.code = run_mono(*arguments, plugs); });
}

}  // namespace toa::cli
