#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

#include "manifest/contract.hpp"

namespace toa::manifest {
namespace {

namespace fs = std::filesystem;

/// The public suite of the field, as its Debian package installs it.
const fs::path suite = "/usr/share/json-schema-test-suite/tests/draft7";

/// What is refused as a schema or judged in another way, with the reason; the same list stands in
/// docs/formats/schemas.md. A key is a file, or `file: group`.
const std::map<std::string, std::string>& unsupported() {
  static const std::string outside = "a manifest is whole in itself: only '#/…' is followed";
  static const std::map<std::string, std::string> reasons{
      {"refRemote", outside},
      {"definitions", outside},
      {"ref: remote ref, containing refs itself", outside},
      {"ref: Recursive references between schemas", outside},
      {"ref: escaped pointer ref", "unknown words are refused, also where definitions could stand"},
      {"ref: ref overrides any sibling keywords", "words beside $ref count, as from 2019-09 on"}};
  return reasons;
}

Json read(const fs::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  auto json = json::parse(text.str());
  EXPECT_TRUE(json) << file << ": " << (json ? "" : json.error().message);
  return json ? *std::move(json) : Json();
}

/// Nothing where the verdicts are those of the suite.
std::optional<std::string> deviation(const Json& group) {
  const auto contract = Contract::compile(group.at("schema"));
  if (!contract) return "refused: " + contract.error().message;
  for (const auto& test : group.at("tests").as_array()) {
    const auto misfit = contract->misfit(test.at("data"));
    if (misfit.has_value() == test.at("valid").as_bool())
      return std::string(test.at("description").as_string()) + ": " + misfit.value_or("fits");
  }
  return std::nullopt;
}

TEST(SchemaSuite, IsJudgedAsTheFieldDoes) {
  std::set<std::string> excused;
  std::size_t judged = 0;
  for (const auto& entry : fs::directory_iterator(suite)) {
    if (entry.path().extension() != ".json") continue;
    const auto file = entry.path().stem().string();
    for (const auto& group : read(entry.path()).as_array()) {
      const auto name = file + ": " + std::string(group.at("description").as_string());
      const auto wrong = deviation(group);
      ++judged;
      for (const auto& key : {file, name}) {
        if (wrong && unsupported().contains(key)) excused.insert(key);
      }
      if (unsupported().contains(file) || unsupported().contains(name)) continue;
      EXPECT_FALSE(wrong) << name << " -- " << *wrong;
    }
  }
  EXPECT_GT(judged, 100U) << suite << " is missing; install json-schema-test-suite (make setup)";
  for (const auto& [key, reason] : unsupported())
    EXPECT_TRUE(excused.contains(key)) << key << " is as the suite wants it: take it off the list";
}

}  // namespace
}  // namespace toa::manifest
