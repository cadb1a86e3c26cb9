#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/named.hpp"

namespace toa {

/// `<namespace>.<name>` of a component; the namespace of one without is `default`.
using ComponentId = Named<struct ComponentIdTag, std::string>;
/// The id of an object: 32 hex digits, or what the entity's own `id` property says.
using EntityId = Named<struct EntityIdTag, std::string>;
/// How often an object was written; 0 for an associated one that never was.
using Version = Named<struct VersionTag, std::int64_t>;

/// A message's place in the queue. Given by whoever makes the message, growing; it is the message's
/// key.
using MessageNumber = Named<struct MessageNumberTag, std::int64_t>;

/// Where an operation is reached: `<namespace>.<name>.<operation>`.
struct Endpoint {
  ComponentId component;
  std::string operation;

  /// Two or three segments; two mean namespace `default` (R272). Nothing where it is neither.
  static std::optional<Endpoint> parse(std::string_view text);
  std::string str() const { return component.value + "." + operation; }

  friend auto operator<=>(const Endpoint&, const Endpoint&) = default;
};

/// A letter, then up to 31 letters or digits: what a name, a namespace may be (spec core 1.2).
bool is_component_name(std::string_view text);

}  // namespace toa
