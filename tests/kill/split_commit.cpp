#include "kill/split_commit.hpp"

namespace toa::kill {

Task<Result<storage::Commit>> SplitCommit::commit(storage::Unit unit) {
  if (!unit.remembered) co_return co_await inner().commit(std::move(unit));
  storage::Unit record{.remembered = std::move(unit.remembered)};
  unit.remembered.reset();
  auto& first = order_ == Order::state_then_record ? unit : record;
  auto& second = order_ == Order::state_then_record ? record : unit;

  auto committed = co_await inner().commit(std::move(first));
  if (!committed || !std::holds_alternative<storage::Stored>(*committed)) co_return committed;
  co_return co_await inner().commit(std::move(second));
}

}  // namespace toa::kill
