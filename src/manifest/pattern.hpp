#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace toa::manifest {

/// A regular expression as JavaScript writes them, found anywhere in a text, by characters and not
/// bytes. Its work is bounded (limits::pattern_…) and it never recurses per character. Immutable,
/// cheap to copy, thread-safe.
class Pattern {
 public:
  enum class Found { yes, no, too_costly };

  /// Refuses what is no regular expression, or uses what cannot be honoured (`\p{…}`), naming it.
  static Result<Pattern> compile(std::string_view source);

  /// `text` must be valid UTF-8.
  Found search(std::string_view text) const;

  const std::string& source() const;

 private:
  struct Compiled;
  explicit Pattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
  // Shared because contracts that are copies of one another use the same expression.
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace toa::manifest
