#include "base/document.hpp"

#include "base/assert.hpp"

namespace toa {

const Json& Document::value() const {
  if (!value_) {
    auto parsed = json::parse(*text_);
    require(parsed.has_value(), "a document that was accepted does not parse");
    value_ = std::move(*parsed);
  }
  return *value_;
}

}  // namespace toa
