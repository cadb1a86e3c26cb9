#include "manifest/problem.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace toa::manifest {

void sort(std::vector<Problem>& problems) {
  const auto place = [](const Problem& p) { return std::tie(p.file, p.line, p.key, p.message); };
  std::ranges::sort(problems, {}, place);
  const auto repeated = std::ranges::unique(problems, {}, place);
  problems.erase(repeated.begin(), repeated.end());
}

std::string print(const std::vector<Problem>& problems) {
  auto sorted = problems;
  sort(sorted);
  std::string out;
  for (const auto& problem : sorted) {
    out += problem.file;
    if (problem.line > 0) out += fmt::format(":{}", problem.line);
    if (!problem.key.empty()) out += ": " + problem.key;
    out += ": " + problem.message + "\n";
  }
  return out;
}

}  // namespace toa::manifest
