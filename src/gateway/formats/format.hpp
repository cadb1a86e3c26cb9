#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/document.hpp"
#include "base/result.hpp"

namespace toa::gateway {

/// What bodies are written in (G81).
enum class Format { json, yaml, msgpack, text };

/// `application/json`, …
std::string_view media_type(Format format);

/// What a request's `accept` asks for, by its quality values; JSON where it asks for nothing in
/// particular. Nothing where it names none of ours (G83, G84).
std::optional<Format> negotiate(std::string_view accept);

/// Writes a value. A text is written raw as `text/plain`, anything else there is JSON.
std::string encode(Format format, const Document& value);

/// A body that was read; `document` keeps the JSON text that came.
struct Decoded {
  enum class Trouble { unsupported, too_large, unreadable };
  std::optional<Document> document;
  std::optional<Trouble> trouble;
  std::string why;
};

/// Reads a body by its `content-type`: one of the formats, or a form (G81, G82, G44).
Decoded decode(std::string_view content_type, std::string_view body);

}  // namespace toa::gateway
