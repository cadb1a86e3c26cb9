#include "gateway/directives/io_status.hpp"

#include "gateway/exchange.hpp"

namespace toa::gateway {
namespace {

class Status final : public Directive {
 public:
  explicit Status(std::string property) : property_(std::move(property)) {}

  Verdict conclude(Exchange& exchange) override {
    if (exchange.withheld || !exchange.output.has_value()) return {};
    if (json::find(exchange.output.value(), property_) == nullptr) return {};
    auto& members = exchange.output.edit().get_object();
    const auto stated = members.at(property_);
    members.erase(property_);
    const auto* status = stated.if_int64();
    if (status == nullptr || *status < 200 || *status > 599) return Refused{500};
    exchange.response.status = static_cast<int>(*status);
    return {};
  }

 private:
  std::string property_;
};

}  // namespace

std::unique_ptr<Directive> make_status(const std::vector<Stated>& stated) {
  const auto* own = nearest(stated, "status");
  if (own == nullptr) return nullptr;
  const auto* property = own->value.value().if_string();
  if (property == nullptr || property->empty()) {
    own->value.report("must be the name of an output property");
    return nullptr;
  }
  return std::make_unique<Status>(std::string(*property));
}

}  // namespace toa::gateway
