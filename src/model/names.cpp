#include "model/names.hpp"

#include <algorithm>
#include <cctype>

namespace toa {

std::optional<Endpoint> Endpoint::parse(std::string_view text) {
  const auto first = text.find('.');
  if (first == std::string_view::npos || first == 0) return std::nullopt;
  const auto second = text.find('.', first + 1);
  const bool short_form = second == std::string_view::npos;
  const auto operation = text.substr((short_form ? first : second) + 1);
  if (operation.empty() || operation.find('.') != std::string_view::npos) return std::nullopt;
  if (!short_form && second == first + 1) return std::nullopt;
  const auto component = short_form ? "default." + std::string(text.substr(0, first))
                                    : std::string(text.substr(0, second));
  return Endpoint{ComponentId(component), std::string(operation)};
}

bool is_component_name(std::string_view text) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto letter_or_digit = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
  };
  return !text.empty() && text.size() <= 32 && letter(text.front()) &&
         std::ranges::all_of(text, letter_or_digit);
}

}  // namespace toa
