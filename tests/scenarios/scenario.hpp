#pragma once

#include <expected>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "manifest/problem.hpp"

namespace toa::scenarios {

/// One step: the verb that it starts with, and all its keys as written.
struct Step {
  int line = 0;
  std::string verb;
  JsonObject keys;
};

/// What one file says (docs/formats/scenario.md): checked, and with nothing filled in yet.
struct Scenario {
  std::string file;
  std::string application;
  JsonObject files;
  JsonObject environment;
  JsonObject variables;
  int workers = 1;
  bool starts = true;
  std::vector<Step> steps;
};

/// Every mistake of the file at once, each with its line and key.
std::expected<Scenario, std::vector<manifest::Problem>> read_scenario(const std::string& file);

}  // namespace toa::scenarios
