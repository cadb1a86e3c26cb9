#include "simulation/simulation.hpp"

#include <gtest/gtest.h>
#include <set>

#include "kill/fault_places.hpp"
#include "simulation/herd.hpp"

namespace toa::simulation {
namespace {

constexpr std::uint64_t seeds = 1'000;

TEST(Simulation, TheSameSeedTellsTheSameStory) {
  for (const auto seed : std::array<std::uint64_t, 3>{3, 17, 54}) {
    const auto once = simulate(seed);
    const auto again = simulate(seed);
    EXPECT_EQ(once.story, again.story);
    EXPECT_EQ(once.hash, again.hash);
    EXPECT_EQ(once.steps, again.steps);
  }
}

TEST(Simulation, AnotherSeedTellsAnotherStory) {
  EXPECT_NE(simulate(3).hash, simulate(4).hash);
}

TEST(Simulation, CrashesAtEveryFaultPlaceThatThereIs) {
  const auto places = crash_places();
  EXPECT_EQ(std::set(places.begin(), places.end()), kill::fault_places(SIMULATION_SOURCES));
  const auto summary = run({.count = 200});
  for (const auto& place : places) EXPECT_GT(summary.ends.count(place), 0u) << place;
}

TEST(Simulation, AFailureNamesItsSeedAndTellsItsStory) {
  const auto summary = run({.count = seeds, .mutant = Mutant::identity_unserved});
  ASSERT_TRUE(summary.failed);
  const auto finding = simulate(summary.failed->seed, Mutant::identity_unserved);
  ASSERT_FALSE(finding.violations.empty());
  EXPECT_NE(summary.failed->story.find(finding.violations.front()), std::string::npos);
}

class Found : public ::testing::TestWithParam<NamedMutant> {};
INSTANTIATE_TEST_SUITE_P(Each, Found,
                         ::testing::ValuesIn(all_mutants().begin(), all_mutants().end()),
                         [](const auto& info) {
                           std::string name(info.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(Found, WithinTheSeedsOfTheTests) {
  const auto summary = run({.count = seeds, .mutant = GetParam().mutant});
  ASSERT_TRUE(summary.failed) << "the mutant outlived " << summary.done << " seeds";
  // By what it did, not because the simulation itself fell over.
  EXPECT_NE(summary.failed->story.find("VIOLATION"), std::string::npos) << summary.failed->story;
}

}  // namespace
}  // namespace toa::simulation
