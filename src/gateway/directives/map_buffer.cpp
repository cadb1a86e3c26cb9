#include "gateway/directives/map_buffer.hpp"

#include "gateway/tree/resource.hpp"

namespace toa::gateway {

void make_buffer(const std::vector<Stated>& stated, MethodSite site) {
  const auto* own = nearest(stated, "buffer");
  if (own == nullptr) return;
  const auto* property = own->value.value().if_string();
  if (property == nullptr || property->empty())
    return own->value.report("must be the name of an input property");
  site.method.buffer = std::string(*property);
}

}  // namespace toa::gateway
