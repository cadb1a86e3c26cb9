#include "scenario.hpp"

#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "grammar.hpp"
#include "manifest/section.hpp"

namespace toa::scenarios {
namespace {

using manifest::Problem;
using manifest::Section;

JsonObject object_of(const Section& top, std::string_view name) {
  const auto found = top.find(name);
  if (!found || !found->must_be_object()) return {};
  return found->value().get_object();
}

/// A map of names to texts; a number stands for its text.
JsonObject texts_of(const Section& top, std::string_view name) {
  auto object = object_of(top, name);
  for (auto& [key, value] : object) {
    if (value.is_int64()) value = std::to_string(value.get_int64());
    if (!value.is_string()) top.report_at({std::string(name), std::string(key)}, "must be string");
  }
  return object;
}

int workers_of(const Section& top) {
  const auto found = top.find("workers");
  if (!found) return 1;
  const auto* number = found->value().if_int64();
  if (number != nullptr && *number >= 1 && *number <= 16) return static_cast<int>(*number);
  found->report("must be a whole number from 1 to 16");
  return 1;
}

std::vector<Step> steps_of(const Section& top) {
  std::vector<Step> steps;
  const auto found = top.find("steps");
  if (!found || !found->value().is_array()) {
    (found ? *found : top).report("must have `steps`, a list");
    return steps;
  }
  for (const auto& part : found->parts()) {
    if (auto step = read_step(part)) steps.push_back(std::move(*step));
  }
  return steps;
}

Scenario read_top(const Section& top) {
  top.refuse_unknown({"scenario", "rules", "application", "files", "environment", "variables",
                      "workers", "start", "steps"});
  top.text("scenario");
  top.texts("rules");
  Scenario scenario;
  scenario.file = top.file();
  scenario.application = top.text("application").value_or("");
  scenario.files = texts_of(top, "files");
  scenario.environment = texts_of(top, "environment");
  scenario.variables = object_of(top, "variables");
  scenario.workers = workers_of(top);
  scenario.starts = top.flag("start").value_or(true);
  scenario.steps = steps_of(top);
  if (scenario.application.empty() && scenario.files.empty()) {
    top.report("must name an `application`, or bring its `files`");
  }
  return scenario;
}

}  // namespace

std::expected<Scenario, std::vector<Problem>> read_scenario(const std::string& file) {
  std::vector<Problem> problems;
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  if (!in) return std::unexpected(std::vector{Problem{file, 0, "", "cannot be read"}});
  const auto yaml = manifest::read_yaml(text.str());
  if (!yaml) {
    return std::unexpected(std::vector{Problem{file, yaml.error().line, "", yaml.error().message}});
  }
  const Section top(file, *yaml, problems);
  if (!top.must_be_object()) return std::unexpected(problems);
  auto scenario = read_top(top);
  if (problems.empty()) return scenario;
  return std::unexpected(std::move(problems));
}

}  // namespace toa::scenarios
