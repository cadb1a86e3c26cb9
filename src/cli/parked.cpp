#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <memory>
#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/parked_choice.hpp"
#include "cli/parked_text.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "runtime/operator_access.hpp"

namespace toa::cli {
namespace {

using runtime::OperatorAccess;
using runtime::ParkedAction;
using runtime::ParkedPage;
using runtime::ParkedSelection;

struct Arguments {
  runtime::Options options;
  ParkedSelection selection;
  std::vector<std::string> ids;
  bool all = false;
  bool dry_run = false;
  bool yes = false;
  bool json = false;
};

/// An array, printed as its items come.
class JsonList {
 public:
  void add(const Json& item) {
    std::printf("%s%s", begun_ ? ",\n " : "[", json::print(item).c_str());
    begun_ = true;
  }
  void end() { std::puts(begun_ ? "]" : "[]"); }

 private:
  bool begun_ = false;
};

Result<OperatorAccess> reach(const Arguments& arguments, const runtime::Plugs& plugs) {
  auto settings = runtime::settle(arguments.options);
  if (!settings) return std::unexpected(settings.error());
  return OperatorAccess::reach(std::move(*settings), plugs, complain);
}

/// Page by page to the end.
Result<void> walk(OperatorAccess& access, ParkedAction action, const ParkedSelection& selection,
                  const std::function<void(ParkedPage&)>& meet) {
  runtime::ParkedRequest request{action, selection, {}};
  for (;;) {
    auto page = access.parked(request);
    if (!page) return std::unexpected(page.error());
    meet(*page);
    if (!page->next) return {};
    request.after = *page->next;
  }
}

/// The messages that the ids mean, or all that the filters leave.
struct Chosen {
  ParkedSelection selection;
  std::size_t count = 0;
};

Result<Chosen> choose(OperatorAccess& access, const Arguments& arguments) {
  auto choice = ParkedChoice::of(arguments.ids);
  if (!choice) return std::unexpected(choice.error());
  Chosen chosen{arguments.selection};
  chosen.selection.ids = choice->starts();
  EpochMs last = 0;
  const auto looked =
      walk(access, ParkedAction::list, chosen.selection, [&](const ParkedPage& page) {
        choice->meet(page.items);
        chosen.count += page.items.size();
        for (const auto& item : page.items) last = std::max(last, item.at("at").as_int64());
      });
  if (!looked) return std::unexpected(looked.error());
  auto ids = choice->decide();
  if (!ids) return std::unexpected(ids.error());
  chosen.selection.ids = std::move(*ids);
  chosen.selection.until = last;
  return chosen;
}

bool is_narrowed(const ParkedSelection& selection) {
  return !selection.endpoint.empty() || !selection.component.empty() || !selection.reason.empty();
}

std::string nothing(const Arguments& arguments) {
  return is_narrowed(arguments.selection) ? "No parked message fits." : "Nothing is parked.";
}

Result<void> list(const Arguments& arguments, const runtime::Plugs& plugs) {
  auto access = reach(arguments, plugs);
  if (!access) return std::unexpected(access.error());
  JsonList items;
  Table table(parked_headers());
  std::size_t count = 0;
  const auto print = [&](const ParkedPage& page) {
    count += page.items.size();
    std::vector<Table::Row> rows;
    for (const auto& item : page.items) {
      if (arguments.json) {
        items.add(item);
      } else {
        rows.push_back(parked_row(item.as_object(), page.now));
      }
    }
    std::fputs(table.print(rows).c_str(), stdout);
  };
  auto walked = walk(*access, ParkedAction::list, arguments.selection, print);
  if (!walked) return walked;
  if (arguments.json) items.end();
  if (!arguments.json && count == 0) std::puts(nothing(arguments).c_str());
  return {};
}

Result<void> show(const Arguments& arguments, const runtime::Plugs& plugs) {
  auto access = reach(arguments, plugs);
  if (!access) return std::unexpected(access.error());
  const auto chosen = choose(*access, arguments);
  if (!chosen) return std::unexpected(chosen.error());
  JsonList items;
  bool first = true;
  const auto print = [&](const ParkedPage& page) {
    for (const auto& item : page.items) {
      if (arguments.json) {
        items.add(item);
        continue;
      }
      if (!std::exchange(first, false)) std::puts("");
      const auto text = parked_details(item.as_object(), page.now, style_of(STDOUT_FILENO));
      std::fputs(text.c_str(), stdout);
    }
  };
  auto walked = walk(*access, ParkedAction::show, chosen->selection, print);
  if (walked && arguments.json) items.end();
  return walked;
}

Result<void> plan(OperatorAccess& access, const Arguments& arguments, const Chosen& chosen) {
  JsonList items;
  Table table(plan_headers());
  std::map<std::string, std::size_t> counts;
  const auto print = [&](const ParkedPage& page) {
    std::vector<Table::Row> rows;
    for (const auto& item : page.items) {
      ++counts[std::string(item.at("would").as_string())];
      if (arguments.json) {
        items.add(item);
      } else {
        rows.push_back(plan_row(item.as_object()));
      }
    }
    std::fputs(table.print(rows).c_str(), stdout);
  };
  auto walked = walk(access, ParkedAction::plan, chosen.selection, print);
  if (!walked) return walked;
  if (arguments.json) {
    items.end();
  } else {
    std::printf("%s would run, %zu would be recognised as repeats. Nothing was changed.\n",
                messages(counts["run"]).c_str(), counts["repeat"]);
  }
  return {};
}

/// What became of those that were chosen.
Result<void> settle(OperatorAccess& access, ParkedAction action, const Arguments& arguments,
                    const Chosen& chosen) {
  JsonList items;
  std::size_t done = 0;
  std::size_t stay = 0;
  const auto print = [&](const ParkedPage& page) {
    for (const auto& item : page.items) {
      if (const auto* why = json::find(item, "stays")) {
        ++stay;
        complain(std::string(item.at("id").as_string()) +
                 " stays parked: " + std::string(why->as_string()));
        continue;
      }
      ++done;
      if (arguments.json) items.add(item);
    }
  };
  auto walked = walk(access, action, chosen.selection, print);
  if (arguments.json) items.end();
  if (!walked) return walked;
  if (!arguments.json) {
    const bool returned = action == ParkedAction::put_back;
    const auto* then = !returned       ? "."
                       : access.runs() ? "; delivered at once."
                                       : "; delivered when the application starts.";
    std::printf("%s %s%s\n", returned ? "Returned" : "Discarded", messages(done).c_str(), then);
  }
  if (stay == 0) return {};
  return fail(ErrorKind::invalid, messages(stay) + " not returned");
}

Result<void> change(ParkedAction action, const Arguments& arguments, const runtime::Plugs& plugs) {
  const bool returns = action == ParkedAction::put_back;
  const std::string word = returns ? "return" : "discard";
  if (arguments.all != arguments.ids.empty())
    return fail(ErrorKind::invalid, "say which messages: ids, or --all with or without filters");
  const bool sure = arguments.yes || arguments.dry_run;
  if (!sure && !can_ask()) {
    return fail(ErrorKind::invalid,
                "`toa parked " + word + "` needs --yes where there is no terminal to ask on");
  }
  auto access = reach(arguments, plugs);
  if (!access) return std::unexpected(access.error());
  const auto chosen = choose(*access, arguments);
  if (!chosen) return std::unexpected(chosen.error());
  if (chosen->count == 0) {
    std::puts(arguments.json ? "[]" : nothing(arguments).c_str());
    return {};
  }
  if (arguments.dry_run) return plan(*access, arguments, *chosen);
  if (returns || sure) return settle(*access, action, arguments, *chosen);

  // Whoever thinks about the answer must not keep the application from starting.
  {
    const OperatorAccess let_go(std::move(*access));
  }
  if (!ask("Discard " + messages(chosen->count) + " for good?"))
    return fail(ErrorKind::invalid, "nothing was discarded");
  auto again = reach(arguments, plugs);
  if (!again) return std::unexpected(again.error());
  return settle(*again, action, arguments, *chosen);
}

int code_of(const Result<void>& done) {
  if (done) return Exit::ok;
  complain(done.error().message);
  return Exit::failed;
}

void add_shared(CLI::App& command, Arguments& arguments) {
  add_common_options(command, arguments.options);
  command.add_option("--endpoint", arguments.selection.endpoint,
                     "Only messages for this operation, or of this event");
  command.add_option("--component", arguments.selection.component,
                     "Only messages for this component");
  command.add_option("--reason", arguments.selection.reason,
                     "Only messages whose reason has this text in it");
  command.add_flag("--json", arguments.json, "Print a JSON array of objects");
}

void add_ids(CLI::App& command, Arguments& arguments) {
  command.add_option("ids", arguments.ids, "Ids, or how they begin");
}

}  // namespace

void add_parked(CLI::App& app, Exit& exit, const runtime::Plugs& plugs) {
  auto* command = app.add_subcommand(
      "parked", "Messages set aside: list them, look at one, put them back, drop them");
  auto arguments = std::make_shared<Arguments>();
  add_shared(*command, *arguments);
  command->require_subcommand(0, 1);
  command->callback([command, arguments, &exit, &plugs] {
    if (command->get_subcommands().empty()) exit.code = code_of(list(*arguments, plugs));
  });

  auto* shown = command->add_subcommand("show", "Print all that is known of a message");
  add_shared(*shown, *arguments);
  add_ids(*shown, *arguments);
  shown->get_option("ids")->required();
  shown->callback([arguments, &exit, &plugs] { exit.code = code_of(show(*arguments, plugs)); });

  for (const auto action : {ParkedAction::put_back, ParkedAction::discard}) {
    const bool returns = action == ParkedAction::put_back;
    auto* changed = command->add_subcommand(
        returns ? "return" : "discard",
        returns ? "Put messages back, to be delivered again" : "Drop messages for good");
    add_shared(*changed, *arguments);
    add_ids(*changed, *arguments);
    changed->add_flag("--all", arguments->all, "All that are parked, or all that fit the filters");
    changed->add_flag("-y,--yes", arguments->yes, "Do not ask; needed without a terminal");
    if (returns)
      changed->add_flag("--dry-run", arguments->dry_run,
                        "Say what would come of it; change nothing");
    changed->callback([action, arguments, &exit, &plugs] {
      exit.code = code_of(change(action, *arguments, plugs));
    });
  }
}

}  // namespace toa::cli
