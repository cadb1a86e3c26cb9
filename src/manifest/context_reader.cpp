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

constexpr std::array<std::string_view, 4> parts_here{"name", "description", "inbox",
                                                     "configuration"};
// They say nothing of how this release runs an application: a name for a chart, where images go.
constexpr std::array<std::string_view, 25> parts_elsewhere{
    "version",     "registry",  "runtime",       "compositions", "evicted",
    "resources",   "mono",      "ingress",       "annotations",  "amqp",
    "mongodb",     "http",      "stash",         "storages",     "exposition",
    "realtime",    "telemetry", "introspection", "cadence",      "continuity",
    "convergence", "atomicity", "outbox",        "addressed",    "events"};

constexpr std::string_view retention_variable = "TOA_INBOX_RETENTION";

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

std::string retention_range() {
  return fmt::format("must be whole seconds from {} to {}", limits::inbox_window_min_s,
                     limits::inbox_window_max_s);
}

bool in_retention_range(std::int64_t seconds) {
  return seconds >= limits::inbox_window_min_s && seconds <= limits::inbox_window_max_s;
}

std::optional<std::int64_t> retention_of_variable(const Section& context, const std::string& text) {
  std::int64_t seconds = 0;
  const auto* end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, seconds);
  if (error == std::errc{} && read == end && in_retention_range(seconds)) return seconds;
  context.report(
      fmt::format("variable {} is '{}', and {}", retention_variable, text, retention_range()));
  return std::nullopt;
}

std::optional<std::int64_t> retention_of_context(const Section& context) {
  const auto inbox = context.find("inbox");
  if (!inbox || !inbox->must_be_object()) return std::nullopt;
  inbox->refuse_unknown({"retention"});
  const auto retention = inbox->find("retention");
  if (!retention) return std::nullopt;
  const auto* seconds = retention->value().if_int64();
  if (seconds != nullptr && in_retention_range(*seconds)) return *seconds;
  retention->report(retention_range());
  return std::nullopt;
}

// A wrong value is reported also where the variable overrides it.
std::int64_t read_retention(const Section& context, const Variables& variables) {
  const auto own = retention_of_context(context);
  const auto variable = variables(std::string(retention_variable));
  const auto stated = variable ? retention_of_variable(context, *variable) : own;
  return stated.value_or(limits::inbox_window_default_s);
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
  read.inbox_retention_s = read_retention(context, variables);
  warn_of_parts_elsewhere(context, warnings);
  return read;
}

}  // namespace toa::manifest
