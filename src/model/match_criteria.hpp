#pragma once

#include "base/json.hpp"
#include "model/criteria.hpp"
#include "model/object.hpp"
#include "model/query.hpp"

namespace toa {

/// An object as criteria and orders see it: `id`, its properties, VERSION, CREATED, UPDATED,
/// DELETED, REGION.
Json members_of(const Object& object);

/// Whether typed criteria hold for the members of an object. (1) Absent is null. (2) Only values of
/// one type are equal or have an order; what has no value, or one of another type, is unequal to
/// all others. (3) Texts are ordered by their bytes, false comes before true. (4) Through a list a
/// condition holds if some item meets it, and for an empty one never.
bool matches(const Criteria& criteria, const Json& members);

/// Whether `one` comes before `two`. No value comes first, then numbers and booleans (0 and 1),
/// then texts; objects that are equal in all keys are in the order of their ids.
bool comes_before(const std::vector<Sort>& sort, const Json& one, const Json& two);

}  // namespace toa
