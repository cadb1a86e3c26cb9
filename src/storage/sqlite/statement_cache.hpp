#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "storage/sqlite/connection.hpp"

namespace toa::storage::sqlite {

/// Statements whose text is made as they are needed, the latest used kept.
class StatementCache {
 public:
  StatementCache(Connection& connection, std::size_t statements_max)
      : connection_(connection), statements_max_(statements_max) {}

  /// Valid until the next call. Throws Failed.
  const Statement& get(const std::string& sql);
  std::size_t size() const { return kept_.size(); }

 private:
  struct Kept {
    std::string sql;
    Statement statement;
  };

  Connection& connection_;
  std::size_t statements_max_;
  std::list<Kept> kept_;
  std::unordered_map<std::string_view, std::list<Kept>::iterator> by_sql_;
};

}  // namespace toa::storage::sqlite
