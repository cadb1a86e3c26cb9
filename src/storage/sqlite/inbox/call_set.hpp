#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace toa::storage::sqlite {

/// Where in its slice each remembered call is: a row's number by the call's hash. The same hash may
/// be there more than once; whoever finds a number looks at the row. Sixteen bytes a place.
///
/// Places are in the order of the hashes, but for neighbours that share one: read from the first to
/// the last they come nearly sorted.
class CallSet {
 public:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint32_t number = 0;  // of a row; 0 for a place that is free
  };

  CallSet();

  /// Numbers count from 1.
  void add(Entry entry);
  /// One that was added.
  void remove(Entry entry);
  /// Appends the numbers under this hash.
  void find(std::uint64_t hash, std::vector<std::uint32_t>& numbers) const;

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return places_.size() * sizeof(Entry); }

  /// The entries at and after `place`, at most `limit` of them; moves `place` behind the last.
  std::vector<Entry> page(std::size_t& place, std::size_t limit) const;

 private:
  std::size_t home(std::uint64_t hash) const;
  std::size_t next(std::size_t place) const { return (place + 1) & (places_.size() - 1); }
  void put(Entry entry);
  void grow();

  std::vector<Entry> places_;
  int bits_;
  std::size_t size_ = 0;
};

}  // namespace toa::storage::sqlite
