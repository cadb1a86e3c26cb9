#include "storage/sqlite/inbox/filter.hpp"

namespace toa::storage::sqlite {
namespace {

constexpr std::size_t bits_a_call = 12;
constexpr std::size_t line_bytes = 64;
constexpr std::size_t line_bits = 8 * line_bytes;
constexpr int bits_of_place = 9;  // a place within 512
constexpr int places = 6;

/// Each of the bits that stand for the hash, within its line.
template <class Each>
bool all_of_places(std::uint64_t hash, Each each) {
  // The upper half chooses the line; places come from the whole, mixed anew.
  auto rest = hash * 0x9e3779b97f4a7c15;
  for (int i = 0; i < places; ++i, rest >>= bits_of_place)
    if (!each(static_cast<std::size_t>(rest & (line_bits - 1)))) return false;
  return true;
}

}  // namespace

Filter::Filter(std::size_t calls)
    : bits_((calls * bits_a_call / line_bits + 1) * line_bytes, '\0') {}

Filter Filter::of(std::string bytes) {
  return Filter(std::move(bytes));
}

bool Filter::is_one(std::string_view bytes) {
  return !bytes.empty() && bytes.size() % line_bytes == 0;
}

std::size_t Filter::line(std::uint64_t hash) const {
  const auto lines = bits_.size() / line_bytes;
  return static_cast<std::size_t>(((hash >> 32) * lines) >> 32) * line_bytes;
}

void Filter::add(std::uint64_t hash) {
  auto* at = bits_.data() + line(hash);
  all_of_places(hash, [at](std::size_t place) {
    at[place / 8] = static_cast<char>(at[place / 8] | (1 << (place % 8)));
    return true;
  });
}

bool Filter::may_have(std::uint64_t hash) const {
  const auto* at = bits_.data() + line(hash);
  return all_of_places(
      hash, [at](std::size_t place) { return ((at[place / 8] >> (place % 8)) & 1) != 0; });
}

}  // namespace toa::storage::sqlite
