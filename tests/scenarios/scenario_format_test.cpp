#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "failed.hpp"
#include "match.hpp"
#include "scenario.hpp"
#include "variables.hpp"

namespace toa::scenarios {
namespace {

std::string mistakes_of(const std::string& text) {
  const auto file = std::filesystem::path(testing::TempDir()) /
                    ("scenario-" + std::to_string(::getpid()) + ".yaml");
  std::ofstream(file) << text;
  const auto read = read_scenario(file.string());
  std::filesystem::remove(file);
  if (read) return "";
  auto told = manifest::print(read.error());
  for (auto at = told.find(file.string()); at != std::string::npos; at = told.find(file.string()))
    told.replace(at, file.string().size(), "f");
  return told;
}

TEST(ScenarioFormat, EveryMistakeIsToldWithItsLineAndKey) {
  EXPECT_EQ(mistakes_of("application: bank\n"
                        "workers: many\n"
                        "steps:\n"
                        "  - call: a.b.c\n"
                        "    outptu: 1\n"
                        "  - call: a.b.c\n"
                        "    within: soon\n"
                        "    times: -1\n"
                        "  - together: [{ request: {} }]\n"
                        "  - emit: shop.paid\n"
                        "  - call: a.b.c\n"
                        "    kill:\n"
                        "  - start: [1]\n"),
            "f:2: workers: must be a whole number from 1 to 16\n"
            "f:5: steps.0.outptu: unknown key 'outptu' (did you mean 'output'?)\n"
            "f:7: steps.1.within: must be a time such as 200ms, 5s or 2m\n"
            "f:8: steps.1.times: must be a whole number\n"
            "f:9: steps.2.together.0: must have `call`\n"
            "f:10: steps.3.emit: 'emit' is not available yet\n"
            "f:11: steps.4: a step has one verb, and this has call, kill\n"
            "f:13: steps.5.start: must be object\n");
}

TEST(ScenarioFormat, AFileSaysWhatItIsPlayedOnAndHasSteps) {
  EXPECT_EQ(mistakes_of("scenario: nothing\n"),
            "f:1: must have `steps`, a list\n"
            "f:1: must name an `application`, or bring its `files`\n");
  EXPECT_EQ(mistakes_of("steps: [\n"), "f:2: is not valid YAML: end of sequence flow not found\n");
}

TEST(ScenarioFormat, AVariableIsAValueWhereItStandsAloneAndATextAmongOthers) {
  Variables variables;
  variables.set("n", Json(5));
  EXPECT_EQ(variables.fill(Json("${n}")), Json(5));
  EXPECT_EQ(variables.fill(JsonArray{"n is ${n}", "${'ab' * 3}", "${hex 4142}"}),
            (JsonArray{"n is 5", "ababab", "AB"}));
  EXPECT_THROW(variables.fill(Json("${m}")), Failed);
}

TEST(ScenarioFormat, AMismatchNamesThePlace) {
  const Json found{{"items", {1, 2}}, {"name", "ann"}};
  EXPECT_FALSE(mismatch({{"name", "/^a/"}}, found, Match::partly));
  EXPECT_EQ(mismatch({{"name", "<text>"}}, found, Match::wholly), ".items was not expected");
  EXPECT_EQ(mismatch({{"items", {1, 3}}}, found, Match::partly), ".items[1]: expected 3, found 2");
  EXPECT_EQ(mismatch({{"age", "<any>"}}, found, Match::partly),
            ".age is missing in {\"items\":[1,2],\"name\":\"ann\"}");
  EXPECT_FALSE(mismatch({{"age", "<absent>"}}, found, Match::partly));
  EXPECT_TRUE(text_mismatch(JsonArray{"one"}, "one\ntwo\n"));
  EXPECT_FALSE(text_mismatch(JsonArray{"one", "/w/"}, "one\ntwo\n"));
}

}  // namespace
}  // namespace toa::scenarios
