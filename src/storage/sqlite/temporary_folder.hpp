#pragma once

#include <filesystem>
#include <stdlib.h>
#include <string>

namespace toa::storage::sqlite {

/// For tests: a folder of their own, removed with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    path_ = (std::filesystem::temp_directory_path() / "toa-XXXXXX").string();
    if (!::mkdtemp(path_.data())) path_.clear();
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace toa::storage::sqlite
