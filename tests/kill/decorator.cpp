#include "kill/decorator.hpp"

namespace toa::kill {

Task<Result<void>> Decorator::prepare(std::vector<storage::Collection> collections) {
  return inner_->prepare(std::move(collections));
}

Task<Result<std::optional<storage::FirstReply>>> Decorator::recall(std::string endpoint,
                                                                   Identity identity) {
  return inner_->recall(std::move(endpoint), identity);
}

Task<Result<std::optional<Object>>> Decorator::load(ComponentId component, EntityId id) {
  return inner_->load(std::move(component), std::move(id));
}

Task<Result<storage::Head>> Decorator::head(ComponentId component, EntityId id) {
  return inner_->head(std::move(component), std::move(id));
}

Task<Result<std::vector<Object>>> Decorator::find(ComponentId component, Selection selection) {
  return inner_->find(std::move(component), std::move(selection));
}

Task<Result<std::string>> Decorator::query(ComponentId component, std::string text,
                                           JsonArray values) {
  return inner_->query(std::move(component), std::move(text), std::move(values));
}

Task<Result<storage::Commit>> Decorator::commit(storage::Unit unit) {
  return inner_->commit(std::move(unit));
}

Task<void> Decorator::close() {
  return inner_->close();
}

}  // namespace toa::kill
