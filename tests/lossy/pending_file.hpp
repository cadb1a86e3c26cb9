#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <sqlite3.h>

namespace toa::lossy {

/// One file as its process sees it: what the disk has, overlaid by what was not synced yet.
class PendingFile {
 public:
  static constexpr std::int64_t block_size = 4096;

  explicit PendingFile(std::int64_t size_on_disk) : size_(size_on_disk), kept_(size_on_disk) {}

  std::int64_t size() const { return size_; }
  /// Fills `out`, with zeros beyond the end; `SQLITE_IOERR_SHORT_READ` where it passes it.
  int read(sqlite3_file* disk, std::span<std::byte> out, std::int64_t offset);
  int write(sqlite3_file* disk, std::span<const std::byte> in, std::int64_t offset);
  void truncate(std::int64_t size);
  /// Forgets the content: the file was deleted, and is made anew where it is opened again.
  void erase() { truncate(0); }
  /// Brings everything to the disk.
  int sync(sqlite3_file* disk);
  /// Brings an arbitrary half of the pending blocks to the disk.
  void survive(sqlite3_file* disk, std::mt19937_64& random);

 private:
  using Block = std::array<std::byte, block_size>;

  int load(sqlite3_file* disk, std::int64_t index, Block& block) const;
  int store(sqlite3_file* disk, std::int64_t index, const Block& block) const;

  std::int64_t size_;
  /// Up to here the disk's bytes count; what lies beyond was cut off.
  std::int64_t kept_;
  std::map<std::int64_t, Block> blocks_;
};

}  // namespace toa::lossy
