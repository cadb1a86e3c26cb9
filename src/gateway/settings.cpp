#include "gateway/settings.hpp"

#include <array>
#include <fmt/format.h>

namespace toa::gateway {
namespace {

using manifest::Section;

// Without these more would be let in than the Context says.
constexpr std::array<std::string_view, 1> refused{"censor"};
constexpr std::array<std::string_view, 8> not_used{
    "rpc", "mcp", "oauth", "protocol", "class", "annotations", "service.annotations", "resources"};

void read_authorities(const Section& exposition, Settings& settings) {
  const auto authorities = exposition.find("authorities");
  if (!authorities) return exposition.report("must have required property 'authorities'");
  if (!authorities->must_be_object()) return;
  for (const auto& part : authorities->parts()) {
    const auto* host = part.value().if_string();
    if (host == nullptr || host->empty()) {
      part.report("must be the host, with its port where it has one");
    } else {
      settings.authorities.emplace_back(part.name(), *host);
    }
  }
}

std::int64_t read_least_one(const Section& owner, std::string_view name, std::int64_t usual) {
  constexpr std::int64_t most = 1'000'000'000;
  const auto found = owner.find(name);
  if (!found) return usual;
  const auto* value = found->value().if_int64();
  if (value != nullptr && *value >= 1 && *value <= most) return *value;
  found->report("must be integer of at least 1");
  return usual;
}

void read_bouncer(const Section& exposition, Settings& settings) {
  const auto stated = exposition.find("bouncer");
  if (!stated || !stated->must_be_object()) return;
  stated->refuse_unknown({"attempts", "interval"});
  if (!settings.ip) stated->report("needs 'ip': the header that names a client's address");
  const Bouncer usual;
  settings.bouncer =
      Bouncer{read_least_one(*stated, "attempts", usual.attempts),
              std::chrono::seconds(read_least_one(*stated, "interval", usual.interval.count()))};
}

}  // namespace

Settings read_settings(const manifest::Context& context, std::vector<manifest::Problem>& problems,
                       std::vector<std::string>& warnings) {
  Settings settings;
  if (!context.exposition) return settings;
  const auto exposition = context.exposition->section(problems);
  exposition.refuse_unknown({"authorities", "/", "debug", "ip", "bouncer", "censor", "rpc", "mcp",
                             "oauth", "protocol", "class", "annotations", "service.annotations",
                             "resources"});
  read_authorities(exposition, settings);
  settings.debug = exposition.flag("debug").value_or(false);
  settings.ip = exposition.text("ip");
  read_bouncer(exposition, settings);
  for (const auto name : refused) {
    if (const auto part = exposition.find(name)) part->report("is not supported by this release");
  }
  for (const auto name : not_used) {
    if (const auto part = exposition.find(name)) {
      warnings.push_back(fmt::format("{}:{}: exposition.{} is not used by this release",
                                     part->file(), part->line(), name));
    }
  }
  return settings;
}

}  // namespace toa::gateway
