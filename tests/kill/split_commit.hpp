#pragma once

#include "kill/decorator.hpp"

namespace toa::kill {

enum class Order { state_then_record, record_then_state };

/// A mutant: stores the state and the record of the call that changed it, but not in one commit. A
/// kill in between leaves the one without the other.
class SplitCommit final : public Decorator {
 public:
  SplitCommit(std::unique_ptr<storage::Storage> inner, Order order)
      : Decorator(std::move(inner)), order_(order) {}

  Task<Result<storage::Commit>> commit(storage::Unit unit) override;

 private:
  Order order_;
};

}  // namespace toa::kill
