#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/json.hpp"

namespace toa {

/// A JSON document that keeps whichever form it came in, and makes the other when first asked:
/// documents mostly pass through the runtime as text. Not thread-safe; the text must be valid JSON
/// (it was checked where it entered).
class Document {
 public:
  static Document of(Json value) {
    Document made;
    made.value_ = std::move(value);
    return made;
  }

  static Document of_text(std::string text) {
    Document made;
    made.text_ = std::move(text);
    return made;
  }

  /// Both forms of one document, where it has just been parsed to be checked.
  static Document of_checked(std::string text, Json value) {
    Document made;
    made.text_ = std::move(text);
    made.value_ = std::move(value);
    return made;
  }

  const std::string& text() const {
    if (!text_) text_ = json::print(*value_);
    return *text_;
  }

  const Json& value() const;

 private:
  Document() = default;

  mutable std::optional<std::string> text_;
  mutable std::optional<Json> value_;
};

}  // namespace toa
