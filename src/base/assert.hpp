#pragma once

#include <source_location>
#include <string_view>

namespace toa {

/// Ends the process, saying where an invariant broke and how to report it. Inbox and outbox turn
/// such an end into a repeat, which is why it is safer than going on.
[[noreturn]] void broken_invariant(std::string_view what,
                                   std::source_location where = std::source_location::current());

/// An assertion that stays on in production.
inline void require(bool holds, std::string_view what,
                    std::source_location where = std::source_location::current()) {
  if (!holds) [[unlikely]]
    broken_invariant(what, where);
}

}  // namespace toa
