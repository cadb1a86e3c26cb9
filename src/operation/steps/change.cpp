#include "operation/steps/change.hpp"

#include "operation/steps/state.hpp"

namespace toa::operation {

std::string change_of(const Object& before, const Object& after,
                      const std::optional<Document>& trailers,
                      const std::optional<Document>& input) {
  std::string change = "{\"origin\":";
  change += before.version.value > 0 ? state_of(before).text() : "null";
  change += ",\"state\":" + state_of(after).text();
  change += ",\"trailers\":" + (trailers ? trailers->text() : "{}");
  change += ",\"input\":" + (input ? input->text() : "null");
  change += '}';
  return change;
}

}  // namespace toa::operation
