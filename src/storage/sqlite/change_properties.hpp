#pragma once

#include "base/json.hpp"
#include "model/migration.hpp"

namespace toa::storage::sqlite {

/// Changes the properties of one object as a migration says; returns whether anything is different.
/// A path into what is no map sets nothing.
bool change_properties(JsonObject& properties, const UpdateObjects& update);

}  // namespace toa::storage::sqlite
