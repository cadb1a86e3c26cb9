#include "runtime/families.hpp"

#include <fmt/format.h>

#include "gateway/expose.hpp"

namespace toa::runtime {

Result<gateway::Exposition> Families::expose(const manifest::Application& application,
                                             std::vector<std::string>& warnings,
                                             const manifest::Variables& variables) const {
  auto exposition = gateway::expose(application, all_, warnings, variables);
  if (exposition) return std::move(*exposition);
  const auto& problems = exposition.error();
  return fail(
      ErrorKind::invalid,
      fmt::format("the application cannot start: {} {}\n{}", problems.size(),
                  problems.size() == 1 ? "problem" : "problems", manifest::print(problems)));
}

}  // namespace toa::runtime
