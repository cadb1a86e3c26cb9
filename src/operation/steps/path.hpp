#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "manifest/application.hpp"
#include "model/criteria.hpp"

namespace toa::operation {

/// Where a dotted path of an entity leads (spec core 6.4).
struct Destination {
  enum class Form { plain, iso, epoch_millis };

  std::vector<Step> path;
  /// Bits of `manifest::SchemaNode`, of the items where the last step is a list; 0 for any.
  std::uint8_t types = 0;
  /// Whether it is kept as a date, which a nested value never is.
  Form form = Form::plain;

  bool passes_list() const;
};

/// Through objects, lists of objects, references and alternatives, and to system properties.
/// Nothing where the schema does not speak of such a property. A list of lists has no items to ask
/// for.
std::optional<Destination> destination_of(const manifest::Entity& entity, std::string_view path);

}  // namespace toa::operation
