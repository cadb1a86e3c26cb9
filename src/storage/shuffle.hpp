#pragma once

#include <cstdint>
#include <string_view>

namespace toa::storage {

/// Where an object stands in the order that samples are drawn in: those with the lowest places are
/// the sample. Every seed is another order.
inline std::int64_t shuffled_place(std::string_view id, std::uint64_t seed) {
  std::uint64_t mixed = seed ^ 0xcbf29ce484222325u;
  for (const char c : id) mixed = (mixed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  // The end of splitmix64: the bits of ids that differ in one character are all over the place.
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return static_cast<std::int64_t>(mixed ^ (mixed >> 31));
}

}  // namespace toa::storage
