#include "gateway/directives/map_authority.hpp"

#include "gateway/directives/fill.hpp"

namespace toa::gateway {
namespace {

class Authority final : public Directive {
 public:
  explicit Authority(std::string property) : property_(std::move(property)) {}

  Verdict prepare(Exchange& exchange) override {
    return fill_input(exchange, property_, Json(exchange.authority));
  }
  void describe(JsonObject& entry) const override { hide_input(entry, property_); }

 private:
  std::string property_;
};

}  // namespace

std::unique_ptr<Directive> make_authority(const std::vector<Stated>& stated, MethodSite) {
  const auto* own = nearest(stated, "authority");
  if (own == nullptr) return nullptr;
  if (const auto* property = own->value.value().if_string())
    return std::make_unique<Authority>(std::string(*property));
  own->value.report("must be the name of an input property");
  return nullptr;
}

}  // namespace toa::gateway
