#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.hpp"
#include "base/result.hpp"
#include "storage/collection.hpp"
#include "storage/sqlite/connection.hpp"
#include "storage/sqlite/sql.hpp"

namespace toa::storage::sqlite {

/// Applies what of a component's migrations this file has not seen (R183), each in a transaction
/// with the record of it: one that is interrupted has changed nothing, and starts over (R184).
/// Writer's thread; the component's table exists.
class Migrator {
 public:
  Migrator(Connection& connection, Faults& faults) : connection_(connection), faults_(faults) {}

  /// `invalid` for a migration that cannot be applied, and then none after it is. Throws Failed.
  Result<void> apply(const Collection& collection, EpochMs now);

 private:
  bool is_applied(const ComponentId& component, const std::string& id);
  Result<void> apply(const ComponentId& component, const Migration& migration, EpochMs now);
  void record(const ComponentId& component, const std::string& id, EpochMs now);
  Result<void> step(const ComponentId& component, const Index& index);
  Result<void> step(const ComponentId& component, const DropIndex& drop);
  Result<void> step(const ComponentId& component, const UpdateObjects& update);
  Result<void> step(const ComponentId& component, const DeleteObjects& deletion);

  struct Known {
    std::int64_t number;
    std::string shape;
  };
  std::optional<Known> find(const ComponentId& component, const std::string& index);
  void drop(std::int64_t number);
  std::string refused(const ComponentId& component, const std::string& migration,
                      const std::string& why);

  Connection& connection_;
  Faults& faults_;
};

/// An index that removes objects (R189).
struct ExpiryRule {
  std::string table;
  std::string condition;
  std::int64_t seconds;
};

/// Of these components, as the file has them. Throws Failed.
std::vector<ExpiryRule> expiry_rules(Connection& connection, const ComponentId& component);

}  // namespace toa::storage::sqlite
