#include "manifest/inherited.hpp"

#include <algorithm>
#include <array>

#include "base/assert.hpp"

namespace toa::manifest {
namespace {

constexpr std::array<InheritedOperation, 7> operations{{
    {"transit", Inherited::transit, Type::transition, Scope::entry, true},
    {"observe", Inherited::observe, Type::observation, Scope::entry},
    {"enumerate", Inherited::enumerate, Type::observation, Scope::entries},
    {"stream", Inherited::stream, Type::observation, Scope::stream},
    {"assign", Inherited::assign, Type::assignment, Scope::changeset, true},
    {"terminate", Inherited::terminate, Type::assignment, Scope::changeset},
    {"ensure", Inherited::ensure, Type::effect, Scope::entry},
}};

}  // namespace

std::span<const InheritedOperation> inherited_operations() {
  return operations;
}

const InheritedOperation* inherited_operation(std::string_view name) {
  const auto* found = std::ranges::find(operations, name, &InheritedOperation::name);
  return found == operations.end() ? nullptr : found;
}

const InheritedOperation& inherited_operation(Inherited kind) {
  const auto* found = std::ranges::find(operations, kind, &InheritedOperation::kind);
  require(found != operations.end(), "an inherited operation is in no table");
  return *found;
}

}  // namespace toa::manifest
