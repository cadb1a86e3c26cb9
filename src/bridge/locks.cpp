#include "bridge/locks.hpp"

#include <vector>

namespace toa::bridge {

void Locks::claim(const std::string& key, Owner owner, std::uint64_t number, Granted granted) {
  auto& line = locks_[key];
  line.push_back({owner, number, std::move(granted)});
  if (line.size() == 1) line.front().granted();
}

// Granting comes last: it may end another owner.
template <class Leaves>
void Locks::leave(const std::string& key, Leaves leaves) {
  const auto found = locks_.find(key);
  if (found == locks_.end()) return;
  auto& line = found->second;
  const bool held = leaves(line.front());
  std::erase_if(line, leaves);
  if (line.empty()) {
    locks_.erase(found);
  } else if (held) {
    line.front().granted();
  }
}

void Locks::release(const std::string& key, Owner owner, std::uint64_t number) {
  leave(key, [&](const Claim& claim) { return claim.owner == owner && claim.number == number; });
}

void Locks::gone(Owner owner) {
  std::vector<std::string> keys;
  for (const auto& [key, line] : locks_) keys.push_back(key);
  for (const auto& key : keys) {
    leave(key, [owner](const Claim& claim) { return claim.owner == owner; });
  }
}

}  // namespace toa::bridge
