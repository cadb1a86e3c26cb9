#pragma once

#include <expected>

#include "async/task.hpp"
#include "bridge/bridge.hpp"
#include "manifest/application.hpp"
#include "model/exception.hpp"
#include "model/object.hpp"
#include "model/request.hpp"

namespace toa::operation {

struct World;

/// The object that the request's `entity` describes, made where there is none (R168). Which one
/// that is, its query says; without a query, every property given is the object's. It is made of
/// the blank and what is given, like any other object: validated, guarded, announced.
///
/// Two at once make one where its id, or a unique index, decides: who comes second finds what the
/// first made. Where neither does, there is nothing that could tell them apart, and each makes one.
Task<std::expected<Object, Exception>> ensure(const World& world,
                                              const manifest::Component& component,
                                              const manifest::Operation& operation,
                                              const Call& call, const bridge::Host* caller);

}  // namespace toa::operation
