#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "children.hpp"
#include "failed.hpp"
#include "player.hpp"

namespace toa::scenarios {
namespace {

namespace fs = std::filesystem;

class ScenarioTest : public testing::Test {
 public:
  ScenarioTest(const Site& site, std::string file) : site_(site), file_(std::move(file)) {}

  void TestBody() override {
    const auto scenario = read_scenario(file_);
    if (!scenario) {
      FAIL() << manifest::print(scenario.error());
    }
    try {
      Player player(site_, *scenario);
      if (const auto why = player.play()) ADD_FAILURE() << *why;
    } catch (const Failed& failed) {
      ADD_FAILURE() << file_ << ": " << failed.what;
    }
  }

 private:
  const Site& site_;
  std::string file_;
};

std::vector<fs::path> scenario_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace
}  // namespace toa::scenarios

/// `scenario_test [gtest's options] [program] [folder of cases]`
int main(int argc, char** argv) {
  using namespace toa::scenarios;
  testing::InitGoogleTest(&argc, argv);
  const std::filesystem::path here(TOA_SCENARIOS);
  const Site site{std::filesystem::absolute(argc > 1 ? argv[1] : TOA_PROGRAM), here / "apps"};
  adopt_orphans();
  for (const auto& file : scenario_files(argc > 2 ? argv[2] : (here / "cases").string())) {
    testing::RegisterTest(
        "Scenario", file.stem().c_str(), nullptr, nullptr, file.c_str(), 1,
        [&site, path = file.string()]() -> testing::Test* { return new ScenarioTest(site, path); });
  }
  return RUN_ALL_TESTS();
}
