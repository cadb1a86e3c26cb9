#include "gateway/directives/require.hpp"

#include <fmt/format.h>

#include "gateway/directives/names.hpp"
#include "gateway/exchange.hpp"
#include "gateway/tree/resource.hpp"

namespace toa::gateway {
namespace {

class Headers final : public Directive {
 public:
  explicit Headers(std::vector<std::string> names) : names_(std::move(names)) {}

  Verdict admit(Exchange& exchange) override {
    for (const auto& name : names_) {
      if (!exchange.request.find(name))
        return Refused{400, fmt::format("Header required: {}", name)};
    }
    return {};
  }
  std::vector<std::string> reads() const override { return lower_case(names_); }

 private:
  std::vector<std::string> names_;
};

}  // namespace

void RequireFamily::make(const std::vector<Stated>& stated, MethodSite site) const {
  refuse_unknown(stated, {"header", "headers"});
  for (const auto& one : stated) {
    if (auto names = read_name_or_names(one.value))
      site.method.directives.push_back(std::make_unique<Headers>(std::move(*names)));
  }
}

}  // namespace toa::gateway
