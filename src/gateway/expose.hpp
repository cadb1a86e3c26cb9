#pragma once

#include <expected>
#include <span>
#include <string>
#include <vector>

#include "gateway/directive.hpp"
#include "gateway/gateway.hpp"
#include "manifest/application.hpp"
#include "manifest/read.hpp"

namespace toa::gateway {

/// Whether the application says anything of HTTP: without, nothing is opened.
bool is_exposed(const manifest::Application& application);

/// Where secrets are not to be had.
inline std::optional<std::string> no_variables(const std::string&) {
  return std::nullopt;
}

/// Reads everything that an application says of HTTP; fails with all that is wrong. The application
/// and the families outlive what is made.
std::expected<Exposition, std::vector<manifest::Problem>> expose(
    const manifest::Application& application, std::span<const Family* const> families,
    std::vector<std::string>& warnings, const manifest::Variables& variables = no_variables);

}  // namespace toa::gateway
