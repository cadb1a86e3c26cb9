#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "base/result.hpp"

namespace toa::storage::sqlite {

/// The folder that holds everything an application keeps on this machine, and the proof that this
/// process alone uses it. The lock ends with the object or with the process, however that ends.
/// Programs that the process starts do not inherit it.
class DataFolder {
 public:
  /// Makes the folder where it is absent, for its user alone, and locks it. Fails as `conflict`,
  /// naming the folder and the holder's pid, where another process has it; other failures say what
  /// to do.
  static Result<DataFolder> take(std::string path);
  /// The same, but waits for the holder to let go, for at most that long. Blocks the thread.
  static Result<DataFolder> take_within(std::string path, std::chrono::milliseconds patience);

  DataFolder(DataFolder&& other) noexcept
      : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}
  DataFolder& operator=(DataFolder&&) = delete;
  ~DataFolder();

  const std::string& path() const { return path_; }
  std::string database() const { return path_ + "/toa.db"; }

 private:
  DataFolder(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_;
};

}  // namespace toa::storage::sqlite
