#pragma once

#include <string_view>

#include "manifest/yaml.hpp"

namespace toa::manifest {

/// The part of a key before `@<environment>`. A leading `@` belongs to the key: names of packages
/// have one.
std::string_view without_environment(std::string_view key);

/// Keeps of every key, at any depth, the one for `environment`: that with its suffix, else that
/// without any. In a chain `a:b` what is said for `a` wins over what is said for `b`.
Yaml for_environment(const Yaml& yaml, std::string_view environment);

}  // namespace toa::manifest
