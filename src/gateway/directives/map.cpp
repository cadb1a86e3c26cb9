#include "gateway/directives/map.hpp"

#include "gateway/directives/map_authority.hpp"
#include "gateway/directives/map_buffer.hpp"
#include "gateway/directives/map_headers.hpp"
#include "gateway/directives/map_language.hpp"
#include "gateway/directives/map_segments.hpp"
#include "gateway/tree/resource.hpp"

namespace toa::gateway {

void MapFamily::make(const std::vector<Stated>& stated, MethodSite site) const {
  for (const auto& one : stated) {
    if (one.name == "claims" || one.name == "stream" || one.name == "instance")
      one.value.report("'map:" + one.name + "' is not supported by this release");
  }
  refuse_unknown(stated, {"headers", "segments", "languages", "language", "authority", "buffer",
                          "claims", "stream", "instance"});
  make_buffer(stated, site);
  for (auto make : {make_headers, make_segments, make_language, make_authority}) {
    if (auto directive = make(stated, site)) site.method.directives.push_back(std::move(directive));
  }
}

}  // namespace toa::gateway
