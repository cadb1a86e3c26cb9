#pragma once

#include <string>

#include "base/json.hpp"

namespace toa::cli {

enum class Colours { no, yes };

struct LiteralStyle {
  Colours colours = Colours::no;
  /// Lines longer than this are broken after commas; 0 for never.
  std::size_t width = 0;
};

/// A value as a JavaScript literal, `{ id: '8d1f…', balance: 5000 }`, which is YAML as well, so
/// that it can be pasted back into a request.
std::string literal(const Json& value, LiteralStyle style);

/// A reply for people: without CREATED, UPDATED, `REGION: 0` and `DELETED: null` of an object.
Json for_people(const Json& reply);

}  // namespace toa::cli
