#include "gateway/expose.hpp"

#include <fmt/format.h>

#include "gateway/tree/builder.hpp"

namespace toa::gateway {

bool is_exposed(const manifest::Application& application) {
  if (application.context.exposition) return true;
  return std::ranges::any_of(application.components,
                             [](const auto& entry) { return entry.second.exposition.has_value(); });
}

std::expected<Exposition, std::vector<manifest::Problem>> expose(
    const manifest::Application& application, std::span<const Family* const> families,
    std::vector<std::string>& warnings, const manifest::Variables& variables) {
  std::vector<manifest::Problem> problems;
  const auto& context = application.context;
  Exposition exposition{
      .settings = read_settings(context, problems, warnings),
      .tree = Builder(application, families, problems).build(),
      .identity = read_identity_settings(context, variables, problems),
      .build = fmt::format("toa/{} {} {}", TOA_VERSION, context.name, context.environment)};
  if (problems.empty()) return exposition;
  manifest::sort(problems);
  return std::unexpected(std::move(problems));
}

}  // namespace toa::gateway
