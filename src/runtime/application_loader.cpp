#include "runtime/application_loader.hpp"

#include "gateway/access/identity_components.hpp"
#include "gateway/expose.hpp"
#include "manifest/read.hpp"
#include "runtime/families.hpp"

namespace toa::runtime {
namespace {

void add(bridge::ComponentSource& source, const manifest::CodeFile& file) {
  const bridge::OperationNumber number(file.number);
  switch (file.kind) {
    case manifest::CodeFile::Kind::operation:
      source.operations.push_back({number, file.name, file.file});
      break;
    case manifest::CodeFile::Kind::event:
      if (!source.events) source.events = bridge::EventsSource{number, {}};
      source.events->files.push_back({file.name, file.file});
      break;
    case manifest::CodeFile::Kind::receiver:
      source.receivers.push_back({number, file.name, file.file});
      break;
    case manifest::CodeFile::Kind::guard:
      if (!source.guards) source.guards = bridge::GuardsSource{number, {}};
      source.guards->files.push_back({file.name, file.file});
      break;
    case manifest::CodeFile::Kind::command:
      if (!source.commands) source.commands = bridge::CommandsSource{number, {}};
      source.commands->files.push_back({file.name, file.file});
      break;
  }
}

bridge::Application to_load(const Settings& settings, const manifest::Draft& draft) {
  bridge::Application loading;
  loading.name = draft.application.context.name;
  loading.environment = settings.environment;
  loading.instance = settings.instance;
  for (const auto& [id, component] : draft.application.components) {
    bridge::ComponentSource source{.id = id.value,
                                   .space = component.space,
                                   .name = component.name,
                                   .path = component.path,
                                   .operations = {},
                                   .configuration = {},
                                   .secrets = {}};
    if (const auto files = draft.code.find(id); files != draft.code.end()) {
      for (const auto& file : files->second) add(source, file);
    }
    source.keeps_state = component.keeps_state;
    source.has_stash = component.has_stash;
    if (component.configuration) {
      source.configuration = component.configuration->values;
      source.secrets = component.configuration->secrets;
    }
    for (const auto& [name, operation] : component.operations) {
      loading.endpoints.push_back(id.value + "." + name);
    }
    loading.components.push_back(std::move(source));
  }
  return loading;
}

/// The bridge speaks of a component's events together, the manifest of each; and so of guards and
/// run commands.
std::string type_of(const std::string& found) {
  if (found == "events") return "event";
  if (found == "guards") return "guard";
  if (found == "commands") return "command";
  return found;
}

std::vector<manifest::CodeFact> facts(const bridge::Loaded& loaded) {
  std::vector<manifest::CodeFact> facts;
  for (const auto& found : loaded.found) {
    facts.push_back({found.number.value, type_of(found.type), found.scope, std::nullopt});
  }
  for (const auto& fault : loaded.faults) {
    facts.push_back({fault.number.value, "", std::nullopt,
                     manifest::Problem{fault.file, fault.line, "", fault.message}});
  }
  return facts;
}

}  // namespace

Task<Result<manifest::Application>> load_application(const Settings& settings,
                                                     bridge::Bridge& bridge) {
  auto draft = manifest::read(settings.context_file, settings.environment, settings.variables);
  auto loaded = co_await bridge.load(to_load(settings, draft));
  if (!loaded) {
    const auto others = manifest::print(draft.problems);
    co_return fail(loaded.error().kind, others + loaded.error().message);
  }
  auto application = manifest::complete(std::move(draft), facts(*loaded));
  if (!application) {
    const auto& problems = application.error();
    co_return fail(ErrorKind::invalid,
                   "the application cannot start: " + std::to_string(problems.size()) +
                       (problems.size() == 1 ? " problem\n" : " problems\n") +
                       manifest::print(problems));
  }
  // Routes are read here for their mistakes alone: whoever only looks hears of them too.
  const SystemClock clock;
  std::vector<std::string> warnings;
  if (auto exposed = Families(clock).expose(*application, warnings, settings.variables); !exposed)
    co_return std::unexpected(exposed.error());
  if (gateway::is_exposed(*application)) {
    auto added = gateway::add_identity_components(*application);
    if (!added) co_return std::unexpected(added.error());
  }
  co_return std::move(*application);
}

}  // namespace toa::runtime
