#include "operation/steps/merge.hpp"

namespace toa::operation {

JsonObject merge(const JsonObject& state, const JsonObject& input) {
  JsonObject merged = state;
  for (const auto& [key, value] : input) merged.insert_or_assign(key, value);
  return merged;
}

}  // namespace toa::operation
