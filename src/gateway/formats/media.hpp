#pragma once

#include <string_view>

namespace toa::gateway {

/// A media type without its parameters.
std::string_view media_name(std::string_view type);
/// Media types match in either case.
bool same_media(std::string_view a, std::string_view b);
/// Without spaces and tabs at either end.
std::string_view trimmed(std::string_view text);

/// Takes what stands before the next `separator` off `rest`; quoted texts hold none.
std::string_view take_part(std::string_view& rest, char separator);

/// One entry of a header such as `accept`: `text/plain;q=0.5`.
struct Weighed {
  std::string_view name;
  /// In thousandths; 1000 where it states none, and where what it states is none.
  int quality = 1000;
};
Weighed weigh(std::string_view entry);

}  // namespace toa::gateway
