#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace toa::storage::sqlite {

/// Tells of most calls that a slice does not remember them: a Bloom filter of 12 bits a call, each
/// call within one line of the processor's cache. Of those that are not there about 1 in 150 passes
/// all the same; of those that are, all.
class Filter {
 public:
  explicit Filter(std::size_t calls);
  /// One that was kept; nothing of it is checked but its size.
  static Filter of(std::string bytes);
  /// Whether these can be the bytes of one.
  static bool is_one(std::string_view bytes);

  void add(std::uint64_t hash);
  bool may_have(std::uint64_t hash) const;
  std::string_view bytes() const { return bits_; }

 private:
  explicit Filter(std::string bytes) : bits_(std::move(bytes)) {}
  std::size_t line(std::uint64_t hash) const;

  std::string bits_;
};

}  // namespace toa::storage::sqlite
