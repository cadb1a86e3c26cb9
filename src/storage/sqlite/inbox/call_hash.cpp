#include "storage/sqlite/inbox/call_hash.hpp"

#include <cstring>

namespace toa::storage::sqlite {
namespace {

// Odd numbers without a pattern, as multiplication asks for.
constexpr std::uint64_t first = 0xa0761d6478bd642f;
constexpr std::uint64_t second = 0xe7037ed1a0b428db;
constexpr std::size_t word = sizeof(std::uint64_t);

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const auto product = Wide{a} * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t word_of(std::string_view bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), word));
  return value;
}

}  // namespace

std::uint64_t CallHash::operator()(std::string_view endpoint, const Identity& identity) const {
  auto hash = mixed(seed_ ^ first, endpoint.size() ^ second);
  for (auto rest = endpoint; !rest.empty(); rest.remove_prefix(std::min(rest.size(), word)))
    hash = mixed(hash ^ word_of(rest), second);
  const auto bytes = identity.view();
  hash = mixed(hash ^ word_of(bytes), first ^ word_of(bytes.substr(word)));
  return mixed(hash ^ seed_, second);
}

}  // namespace toa::storage::sqlite
