#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>

#include "simulation/herd.hpp"
#include "simulation/simulation.hpp"

namespace {

using namespace toa::simulation;

int trace_one(std::uint64_t seed, Mutant mutant) {
  const auto finding = simulate(seed, mutant, Trace::Tell::at_once);
  for (const auto& violation : finding.violations) fmt::print("{}\n", violation);
  fmt::print("seed {}: {}, {} steps, trace {:016x}\n", seed,
             finding.violations.empty() ? "sound" : "FAILED", finding.steps, finding.hash);
  return finding.violations.empty() ? 0 : 1;
}

int tell_failure(const Failed& failed, const std::string& mutant) {
  fmt::print(
      "{}\nseed {} failed. The last of what happened is above; to see all of it:\n"
      "  toa_simulation --seed {}{} --trace\n",
      failed.story, failed.seed, failed.seed, mutant.empty() ? "" : " --mutant " + mutant);
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  CLI::App app("Plays the runtime in one thread with virtual time, one story for each seed");
  Herd herd;
  std::string mutant;
  bool trace = false;
  std::vector<std::string> names;
  for (const auto& each : all_mutants()) names.emplace_back(each.name);
  app.add_option("--seed", herd.first, "The first seed");
  app.add_option("--seeds", herd.count, "How many");
  app.add_option("--jobs", herd.jobs, "How many processes at once")->check(CLI::Range(1, 256));
  app.add_option("--mutant", mutant, "A fault planted on purpose")->check(CLI::IsMember(names));
  app.add_flag("--trace", trace, "Tell everything as it happens, of one seed");
  CLI11_PARSE(app, count, arguments);
  if (!mutant.empty()) herd.mutant = *mutant_of(mutant);
  if (trace) return trace_one(herd.first, herd.mutant);

  herd.progress = [&](std::uint64_t done) {
    if (done % 1'000 == 0) std::fprintf(stderr, "%lu of %lu\n", done, herd.count);
  };
  const auto summary = run(herd);
  if (summary.failed) return tell_failure(*summary.failed, mutant);
  fmt::print("{} seeds are sound, {} steps\n", summary.done, summary.steps);
  for (const auto& [where, times] : summary.ends) fmt::print("  ended at {}: {}\n", where, times);
  return 0;
}
