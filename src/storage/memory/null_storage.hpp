#pragma once

#include "storage/storage.hpp"

namespace toa::storage {

/// Keeps nothing, for components whose manifest says `entity.storage: ~`: writes succeed and are
/// gone, nothing is found. It cannot remember calls, so that `once` over it stops the start (R75).
class NullStorage final : public Storage {
 public:
  const Capabilities& capabilities() const override { return capabilities_; }
  Task<Result<void>> prepare(std::vector<Collection>) override { co_return Result<void>(); }
  Task<Result<std::optional<FirstReply>>> recall(std::string, Identity) override {
    co_return std::nullopt;
  }
  Task<Result<std::optional<Object>>> load(ComponentId, EntityId) override {
    co_return std::nullopt;
  }
  Task<Result<std::vector<Object>>> find(ComponentId, Selection) override {
    co_return std::vector<Object>();
  }
  Task<Result<std::string>> query(ComponentId, std::string, JsonArray) override {
    co_return fail(ErrorKind::invalid, "the storage `~` has nothing to query");
  }
  Task<Result<Commit>> commit(Unit unit) override {
    // To drop a record in silence would make a repeat look new.
    if (unit.remembered)
      co_return fail(ErrorKind::invalid, "the storage `~` cannot remember calls");
    co_return Stored{};
  }
  Task<void> close() override { co_return; }

 private:
  Capabilities capabilities_{.name = "null", .atomic_commit = false};
};

}  // namespace toa::storage
