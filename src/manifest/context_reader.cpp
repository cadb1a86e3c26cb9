#include "manifest/context_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.hpp"
#include "manifest/environment.hpp"

namespace toa::manifest {
namespace {

constexpr std::array<std::string_view, 7> parts_here{
    "name", "description", "inbox", "outbox", "events", "configuration", "exposition"};
// They say nothing of how this release runs an application: a name for a chart, where images go.
constexpr std::array<std::string_view, 22> parts_elsewhere{
    "version",    "registry",    "runtime",     "compositions", "evicted",       "resources",
    "mono",       "ingress",     "annotations", "amqp",         "mongodb",       "http",
    "stash",      "storages",    "realtime",    "telemetry",    "introspection", "cadence",
    "continuity", "convergence", "atomicity",   "addressed"};

/// A whole number that a part of the Context states, or a variable, which wins.
struct Setting {
  std::string_view part;
  std::string_view key;
  std::string_view variable;
  std::string_view what;
  std::int64_t min;
  std::int64_t max;
  std::int64_t by_default;
};

constexpr Setting inbox_retention{"inbox",
                                  "retention",
                                  "TOA_INBOX_RETENTION",
                                  "whole seconds",
                                  limits::inbox_window_min_s,
                                  limits::inbox_window_max_s,
                                  limits::inbox_window_default_s};
constexpr Setting outbox_interval{"outbox",
                                  "interval",
                                  "TOA_OUTBOX_INTERVAL",
                                  "whole milliseconds",
                                  limits::outbox_interval_min_ms,
                                  limits::outbox_interval_max_ms,
                                  limits::outbox_interval_default_ms};
constexpr Setting outbox_batch{"outbox",
                               "batch",
                               "TOA_OUTBOX_BATCH",
                               "a whole number",
                               1,
                               limits::outbox_batch_max,
                               limits::outbox_batch_default};
constexpr Setting outbox_retention{"outbox",
                                   "retention",
                                   "TOA_OUTBOX_RETENTION",
                                   "whole seconds",
                                   0,
                                   limits::outbox_retention_max_s,
                                   0};

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Words of letters, digits and underscores joined by hyphens, the first with a letter in front.
bool is_application_name(std::string_view name) {
  if (name.empty() || !is_word_character(name.front()) || name.front() == '_') return false;
  if (name.front() >= '0' && name.front() <= '9') return false;
  const auto hyphens_join = name.back() != '-' && name.find("--") == std::string_view::npos;
  return hyphens_join &&
         std::ranges::all_of(name, [](char c) { return c == '-' || is_word_character(c); });
}

std::string read_name(const Section& context) {
  auto name = context.text("name");
  if (!context.find("name")) context.report("must have required property 'name'");
  if (name && !is_application_name(*name)) {
    context.find("name")->report(
        "must be words of letters, digits and underscores joined by hyphens, starting with a "
        "letter");
  }
  return name.value_or("");
}

std::string range(const Setting& setting) {
  return fmt::format("must be {} from {} to {}", setting.what, setting.min, setting.max);
}

bool in_range(const Setting& setting, std::int64_t value) {
  return value >= setting.min && value <= setting.max;
}

std::optional<std::int64_t> of_variable(const Section& context, const Setting& setting,
                                        const std::string& text) {
  std::int64_t value = 0;
  const auto* end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && read == end && in_range(setting, value)) return value;
  context.report(
      fmt::format("variable {} is '{}', and {}", setting.variable, text, range(setting)));
  return std::nullopt;
}

std::optional<std::int64_t> of_context(const Section& context, const Setting& setting) {
  const auto part = context.find(setting.part);
  const auto stated = part ? part->find(setting.key) : std::nullopt;
  if (!stated) return std::nullopt;
  const auto* value = stated->value().if_int64();
  if (value != nullptr && in_range(setting, *value)) return *value;
  stated->report(range(setting));
  return std::nullopt;
}

// A wrong value is reported also where the variable overrides it.
std::int64_t read_setting(const Section& context, const Setting& setting,
                          const Variables& variables) {
  const auto own = of_context(context, setting);
  const auto variable = variables(std::string(setting.variable));
  const auto stated = variable ? of_variable(context, setting, *variable) : own;
  return stated.value_or(setting.by_default);
}

void check_parts(const Section& context) {
  const auto inbox = context.find("inbox");
  if (inbox && inbox->must_be_object()) inbox->refuse_unknown({"retention"});
  const auto outbox = context.find("outbox");
  if (outbox && outbox->must_be_object()) {
    outbox->refuse_unknown({"interval", "batch", "retention"});
  }
}

void warn_of_parts_elsewhere(const Section& context, std::vector<std::string>& warnings) {
  std::vector<std::string> names;
  for (const auto& part : context.parts()) {
    if (std::ranges::find(parts_elsewhere, part.name()) != parts_elsewhere.end()) {
      names.push_back(part.name());
    }
  }
  if (names.empty()) return;
  warnings.push_back(
      fmt::format("{}: this release does not use {}", context.file(), fmt::join(names, ", ")));
}

}  // namespace

void refuse_unknown_parts(const Section& context) {
  std::vector<std::string_view> known(parts_here.begin(), parts_here.end());
  known.insert(known.end(), parts_elsewhere.begin(), parts_elsewhere.end());
  for (const auto& part : context.parts()) {
    const auto name = without_environment(part.name());
    if (std::ranges::find(known, name) != known.end()) continue;
    part.report(fmt::format("unknown key '{}'{}", name, suggestion(name, known)));
  }
}

Context read_context(const Section& context, const Variables& variables,
                     std::vector<std::string>& warnings) {
  Context read;
  read.file = context.file();
  read.name = read_name(context);
  read.description = context.text("description").value_or("");
  check_parts(context);
  read.inbox_retention_s = read_setting(context, inbox_retention, variables);
  read.outbox_interval_ms = read_setting(context, outbox_interval, variables);
  read.outbox_batch = read_setting(context, outbox_batch, variables);
  read.outbox_retention_s = read_setting(context, outbox_retention, variables);
  warn_of_parts_elsewhere(context, warnings);
  return read;
}

void read_announced(const Section& context, Application& application) {
  const auto names = context.texts("events");
  for (const auto& name : names) {
    const auto event = Endpoint::parse(name);
    const auto* component = event ? application.find(event->component) : nullptr;
    if (component != nullptr && component->events.contains(event->operation)) {
      application.context.events.push_back(event->str());
    } else {
      context.find("events")->report(fmt::format("the application has no event '{}'", name));
    }
  }
}

}  // namespace toa::manifest
