#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "manifest/section.hpp"

namespace toa::gateway {

/// A list of names; reports what is none, and is nothing then.
std::optional<std::vector<std::string>> read_names(const manifest::Section& value);
/// The same, where one name may stand without a list.
std::optional<std::vector<std::string>> read_name_or_names(const manifest::Section& value);
/// A map of names to texts, in its order; reports what is none, and is nothing then.
using Pairs = std::vector<std::pair<std::string, std::string>>;
std::optional<Pairs> read_name_pairs(const manifest::Section& value);
/// A whole number of at least 1.
std::optional<std::int64_t> read_count(const manifest::Section& owner, std::string_view name);

std::vector<std::string> lower_case(const std::vector<std::string>& names);

/// Drops all other members.
void keep_only(JsonObject& object, const std::vector<std::string>& names);

}  // namespace toa::gateway
