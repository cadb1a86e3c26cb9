#include "runtime/holding.hpp"

#include "storage/sqlite/data_folder.hpp"

namespace toa::runtime {

Result<void> check_free(const std::string& data) {
  return wait_until_free(data, {});
}

Result<void> wait_until_free(const std::string& data, std::chrono::milliseconds patience) {
  using storage::sqlite::DataFolder;
  auto folder =
      patience.count() > 0 ? DataFolder::take_within(data, patience) : DataFolder::take(data);
  if (!folder) return std::unexpected(folder.error());
  return {};
}

}  // namespace toa::runtime
