#pragma once

#include <map>
#include <utility>

#include "async/scope.hpp"
#include "kill/decorator.hpp"

namespace toa::kill {

/// A mutant: says that a unit is stored before it is. As long as the process lives nobody can tell,
/// for it answers from what it accepted; only a kill shows it.
class EarlyReply final : public Decorator {
 public:
  EarlyReply(std::unique_ptr<storage::Storage> inner, Loop& loop)
      : Decorator(std::move(inner)), flushing_(loop) {}

  Task<Result<std::optional<storage::FirstReply>>> recall(std::string endpoint,
                                                          Identity identity) override;
  Task<Result<std::optional<Object>>> load(ComponentId component, EntityId id) override;
  Task<Result<storage::Commit>> commit(storage::Unit unit) override;
  Task<void> close() override;

 private:
  Task<void> flush(storage::Unit unit);

  std::map<std::pair<ComponentId, EntityId>, Object> objects_;
  std::map<std::pair<std::string, Identity>, storage::FirstReply> replies_;
  Scope flushing_;
};

}  // namespace toa::kill
