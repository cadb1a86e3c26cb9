#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "model/names.hpp"
#include "storage/sqlite/connection.hpp"

namespace toa::storage::sqlite {

/// Runs SQL that an author wrote over the objects of one component: the view `objects`, with the
/// system properties by their names and the others as the JSON text `properties`. It can read
/// nothing else and write nothing, and is bounded in rows, bytes and time. A connection for each
/// component that asks. Used by one thread at a time.
class Unmanaged {
 public:
  Unmanaged(std::string file, std::string vfs, const Clock& clock)
      : file_(std::move(file)), vfs_(std::move(vfs)), clock_(clock) {}

  /// The rows, as the JSON text of a list of maps. The component must have been prepared.
  Result<std::string> query(const ComponentId& component, const std::string& sql,
                            const JsonArray& values);

  void close() { connections_.clear(); }

 private:
  Result<Connection*> connection_of(const ComponentId& component);
  Result<std::string> rows(Connection& connection, const ComponentId& component,
                           const std::string& sql, const JsonArray& values);

  std::string file_;
  std::string vfs_;
  const Clock& clock_;
  std::unordered_map<std::string, std::unique_ptr<Connection>> connections_;
};

}  // namespace toa::storage::sqlite
