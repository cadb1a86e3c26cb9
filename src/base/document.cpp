#include "base/document.hpp"

#include "base/assert.hpp"
#include "base/limits.hpp"

namespace toa {

const Json& Document::value() const {
  if (!value_) {
    // What is composed of documents, a list of states say, is larger and deeper than each.
    auto parsed =
        json::parse(*text_, {.bytes_max = text_->size(), .depth_max = limits::composed_depth_max});
    require(parsed.has_value(), "a document that was accepted does not parse");
    value_ = std::move(*parsed);
  }
  return *value_;
}

}  // namespace toa
