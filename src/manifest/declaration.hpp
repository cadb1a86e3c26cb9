#pragma once

#include <optional>
#include <string>

#include "manifest/application.hpp"
#include "manifest/problem.hpp"

namespace toa::manifest {

/// What a manifest says of an operation that can be judged only with its code at hand, and where it
/// says it.
struct Declaration {
  std::optional<Type> type;
  std::optional<Scope> scope;
  /// Whether they are stated, also where they are no words of the manual and so not known.
  bool type_stated = false, scope_stated = false, concurrency_stated = false;
  /// `operations.<name>`, or where it would stand; the messages are empty.
  Problem at, type_at, scope_at, once_at, query_at;
};

}  // namespace toa::manifest
