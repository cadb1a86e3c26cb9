#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/inbox_text.hpp"
#include "cli/terminal.hpp"
#include "runtime/operator_access.hpp"

namespace toa::cli {
namespace {

struct Arguments {
  runtime::Options options;
  std::string id;
  bool json = false;
};

Result<Identity> identity_of(const Arguments& arguments) {
  auto digits = arguments.id;
  std::erase(digits, '-');
  const auto identity = Identity::parse(digits);
  if (identity) return *identity;
  return fail(ErrorKind::invalid, "'" + arguments.id + "' is no id: it must be 32 hex digits");
}

void print(const runtime::InboxAnswer& answer, const Arguments& arguments) {
  if (arguments.json) {
    std::puts(json::print(answer.calls).c_str());
    return;
  }
  if (answer.calls.empty()) std::puts("No call with this id is remembered.");
  bool first = true;
  for (const auto& call : answer.calls) {
    if (!std::exchange(first, false)) std::puts("");
    const auto text = remembered_details(call.as_object(), answer.now, style_of(STDOUT_FILENO));
    std::fputs(text.c_str(), stdout);
  }
}

Result<void> export_inbox(const Arguments& arguments, const runtime::Plugs& plugs) {
  const auto identity = identity_of(arguments);
  if (!identity) return std::unexpected(identity.error());
  auto settings = runtime::settle(arguments.options);
  if (!settings) return std::unexpected(settings.error());
  auto access = runtime::OperatorAccess::reach(std::move(*settings), plugs, complain);
  if (!access) return std::unexpected(access.error());
  const auto answer = access->inbox(*identity);
  if (!answer) return std::unexpected(answer.error());
  print(*answer, arguments);
  return {};
}

}  // namespace

void add_export_inbox(CLI::App& exporting, Exit& exit, const runtime::Plugs& plugs) {
  auto* command = exporting.add_subcommand(
      "inbox", "Whether a call is remembered, since when, and with what reply");
  auto arguments = std::make_shared<Arguments>();
  add_common_options(*command, arguments->options);
  command->add_option("id", arguments->id, "The identity of the call, 32 hex digits")->required();
  command->add_flag("--json", arguments->json, "Print a JSON array of objects");
  command->callback([arguments, &exit, &plugs] {
    const auto done = export_inbox(*arguments, plugs);
    if (done) return;
    complain(done.error().message);
    exit.code = Exit::failed;
  });
}

}  // namespace toa::cli
