#include "gateway/directives/io.hpp"

#include "gateway/directives/io_input.hpp"
#include "gateway/directives/io_output.hpp"
#include "gateway/directives/io_status.hpp"
#include "gateway/directives/io_throttle.hpp"
#include "gateway/tree/resource.hpp"

namespace toa::gateway {

void IoFamily::make(const std::vector<Stated>& stated, MethodSite site) const {
  refuse_unknown(stated, {"input", "output", "status", "readonly", "throttle"});
  if (const auto* readonly = nearest(stated, "readonly")) {
    const auto* flag = readonly->value.value().if_bool();
    if (flag == nullptr) return readonly->value.report("must be boolean");
    site.method.readonly = *flag;
  }
  auto& made = site.method.directives;
  const auto add = [&made](std::unique_ptr<Directive> directive) {
    if (directive) made.push_back(std::move(directive));
  };
  add(make_throttle(stated, site, clock_));
  add(make_input(stated, site));
  add(make_output(stated));
  add(make_status(stated));
}

}  // namespace toa::gateway
