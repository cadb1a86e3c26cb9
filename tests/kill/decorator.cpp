#include "kill/decorator.hpp"

namespace toa::kill {

Task<Result<void>> Decorator::prepare(std::vector<ComponentId> components) {
  return inner_->prepare(std::move(components));
}

Task<Result<std::optional<storage::FirstReply>>> Decorator::recall(std::string endpoint,
                                                                   Identity identity) {
  return inner_->recall(std::move(endpoint), identity);
}

Task<Result<std::optional<Object>>> Decorator::load(ComponentId component, EntityId id) {
  return inner_->load(std::move(component), std::move(id));
}

Task<Result<storage::Commit>> Decorator::commit(storage::Unit unit) {
  return inner_->commit(std::move(unit));
}

Task<void> Decorator::close() {
  return inner_->close();
}

}  // namespace toa::kill
