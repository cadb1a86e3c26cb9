#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "manifest/application.hpp"

namespace toa::manifest {

/// An operation of the generic prototype.
struct InheritedOperation {
  std::string_view name;
  Inherited kind;
  Type type;
  Scope scope;
  /// What to write is the manifest's to say: without it the operation is not there.
  bool once_declared = false;
};

/// All of them.
std::span<const InheritedOperation> inherited_operations();

/// Nothing where the generic prototype has no operation of this name.
const InheritedOperation* inherited_operation(std::string_view name);
const InheritedOperation& inherited_operation(Inherited kind);

}  // namespace toa::manifest
