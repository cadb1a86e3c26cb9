#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace toa::gateway {

/// The pairs of a query string or a form, in their order; `+` is a space (G69). A name without `=`
/// has no value.
struct FormPair {
  std::string name;
  std::optional<std::string> value;
};
Result<std::vector<FormPair>> read_pairs(std::string_view text);

/// A form as an object of texts; a repeated name makes a list (G44).
Result<Json> parse_form(std::string_view body);

enum class Plus { is_space, is_plus };
/// Without its percent-encoding; refused where that is damaged, or the text is no UTF-8.
Result<std::string> percent_decoded(std::string_view text, Plus plus);

}  // namespace toa::gateway
