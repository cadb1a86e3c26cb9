#include "lossy/pending_file.hpp"

#include <algorithm>
#include <cstring>

namespace toa::lossy {

int PendingFile::load(sqlite3_file* disk, std::int64_t index, Block& block) const {
  block.fill(std::byte{0});
  const auto start = index * block_size;
  const auto there = std::clamp<std::int64_t>(kept_ - start, 0, block_size);
  if (there == 0) return SQLITE_OK;
  const int code = disk->pMethods->xRead(disk, block.data(), static_cast<int>(there), start);
  return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

int PendingFile::store(sqlite3_file* disk, std::int64_t index, const Block& block) const {
  const auto start = index * block_size;
  const auto bytes = std::clamp<std::int64_t>(size_ - start, 0, block_size);
  if (bytes == 0) return SQLITE_OK;
  return disk->pMethods->xWrite(disk, block.data(), static_cast<int>(bytes), start);
}

int PendingFile::read(sqlite3_file* disk, std::span<std::byte> out, std::int64_t offset) {
  std::ranges::fill(out, std::byte{0});
  const auto end = std::min<std::int64_t>(offset + std::ssize(out), size_);
  for (auto at = offset; at < end;) {
    const auto index = at / block_size;
    const auto bytes = std::min(end, (index + 1) * block_size) - at;
    Block from_disk;
    const auto found = blocks_.find(index);
    if (found == blocks_.end())
      if (const int code = load(disk, index, from_disk); code != SQLITE_OK) return code;
    const auto& block = found == blocks_.end() ? from_disk : found->second;
    std::memcpy(out.data() + (at - offset), block.data() + at % block_size,
                static_cast<std::size_t>(bytes));
    at += bytes;
  }
  return end < offset + std::ssize(out) ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

int PendingFile::write(sqlite3_file* disk, std::span<const std::byte> in, std::int64_t offset) {
  const auto end = offset + std::ssize(in);
  for (auto at = offset; at < end;) {
    const auto index = at / block_size;
    const auto bytes = std::min(end, (index + 1) * block_size) - at;
    const auto [found, fresh] = blocks_.try_emplace(index);
    if (fresh)
      if (const int code = load(disk, index, found->second); code != SQLITE_OK) return code;
    std::memcpy(found->second.data() + at % block_size, in.data() + (at - offset),
                static_cast<std::size_t>(bytes));
    at += bytes;
  }
  size_ = std::max(size_, end);
  return SQLITE_OK;
}

void PendingFile::truncate(std::int64_t size) {
  size_ = size;
  kept_ = std::min(kept_, size);
  blocks_.erase(blocks_.lower_bound((size + block_size - 1) / block_size), blocks_.end());
  // The rest of the last block reads as zeros, should the file grow again.
  const auto last = blocks_.find(size / block_size);
  if (last != blocks_.end())
    std::fill(last->second.begin() + size % block_size, last->second.end(), std::byte{0});
}

int PendingFile::sync(sqlite3_file* disk) {
  // First cut to what counts, so that bytes cut off do not come back as the file grows.
  if (const int code = disk->pMethods->xTruncate(disk, kept_); code != SQLITE_OK) return code;
  for (const auto& [index, block] : blocks_)
    if (const int code = store(disk, index, block); code != SQLITE_OK) return code;
  if (const int code = disk->pMethods->xTruncate(disk, size_); code != SQLITE_OK) return code;
  blocks_.clear();
  kept_ = size_;
  return SQLITE_OK;
}

void PendingFile::survive(sqlite3_file* disk, std::mt19937_64& random) {
  for (const auto& [index, block] : blocks_)
    if (random() % 2 == 0) store(disk, index, block);
}

}  // namespace toa::lossy
