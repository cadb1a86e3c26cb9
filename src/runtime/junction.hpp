#pragma once

#include "bridge/bridge.hpp"
#include "delivery/delivery.hpp"
#include "delivery/surroundings.hpp"
#include "operation/outgoing.hpp"
#include "operation/router.hpp"

namespace toa::runtime {

/// Where operations and delivery meet, which do not know each other: changes and tasks go from one
/// to the other, messages come back as calls. Both are set once, before the first call.
class Junction final : public operation::Outgoing, public delivery::Application {
 public:
  explicit Junction(bridge::Bridge& bridge) : bridge_(bridge) {}
  void join(operation::Router& router, delivery::Delivery& delivery) {
    router_ = &router;
    delivery_ = &delivery;
  }

  void stored(Record record) override { delivery_->stored(std::move(record)); }
  Task<Result<void>> hand_over(Call task) override { return delivery_->hand_over(std::move(task)); }

  Task<std::expected<JsonObject, Exception>> evaluate(const manifest::Component& component,
                                                      const Record& record) override;
  Task<std::expected<std::optional<Request>, Exception>> adapt(const manifest::Component& component,
                                                               const manifest::Receiver& receiver,
                                                               Document payload) override;
  Task<Reply> serve(Call call) override { return router_->route(std::move(call), nullptr); }

 private:
  bridge::Bridge& bridge_;
  operation::Router* router_ = nullptr;
  delivery::Delivery* delivery_ = nullptr;
};

}  // namespace toa::runtime
