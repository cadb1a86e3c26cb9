#pragma once

#include <memory>

#include "storage/storage.hpp"

namespace toa::kill {

/// Passes everything on; a mutant overrides what it gets wrong.
class Decorator : public storage::Storage {
 public:
  explicit Decorator(std::unique_ptr<storage::Storage> inner) : inner_(std::move(inner)) {}

  const storage::Capabilities& capabilities() const override { return inner_->capabilities(); }
  Task<Result<void>> prepare(std::vector<storage::Collection> collections) override;
  Task<Result<std::optional<storage::FirstReply>>> recall(std::string endpoint,
                                                          Identity identity) override;
  Task<Result<std::optional<Object>>> load(ComponentId component, EntityId id) override;
  Task<Result<storage::Head>> head(ComponentId component, EntityId id) override;
  Task<Result<std::vector<Object>>> find(ComponentId component, Selection selection) override;
  Task<Result<std::string>> query(ComponentId component, std::string text,
                                  JsonArray values) override;
  Task<Result<storage::Commit>> commit(storage::Unit unit) override;
  Task<void> close() override;

 protected:
  storage::Storage& inner() { return *inner_; }

 private:
  std::unique_ptr<storage::Storage> inner_;
};

}  // namespace toa::kill
