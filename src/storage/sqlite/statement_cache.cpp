#include "storage/sqlite/statement_cache.hpp"

namespace toa::storage::sqlite {

const Statement& StatementCache::get(const std::string& sql) {
  if (const auto known = by_sql_.find(sql); known != by_sql_.end()) {
    kept_.splice(kept_.begin(), kept_, known->second);
    return kept_.front().statement;
  }
  kept_.push_front({sql, connection_.prepare(sql)});
  by_sql_.emplace(kept_.front().sql, kept_.begin());
  if (kept_.size() > statements_max_) {
    by_sql_.erase(kept_.back().sql);
    kept_.pop_back();
  }
  return kept_.front().statement;
}

}  // namespace toa::storage::sqlite
