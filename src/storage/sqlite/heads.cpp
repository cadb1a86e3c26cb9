#include "storage/sqlite/heads.hpp"

namespace toa::storage::sqlite {
namespace {

ObjectKeyView key_of(const Write& write) {
  return {write.component.value, write.next.id.value};
}

}  // namespace

const Head* Heads::find(const ObjectKeyView& key) const {
  const auto found = heads_.find(key);
  return found == heads_.end() ? nullptr : &found->second;
}

std::optional<Lost> Heads::refused(const Unit& unit) const {
  // What builds on no head is held against what is durable, in its turn.
  if (!unit.on_accepted || unit.writes.size() != 1) return std::nullopt;
  const auto& write = unit.writes.front();
  if (write.on && write.on->is_rejected()) return Lost{.taken_back = true};
  const auto* head = find(key_of(write));
  if (head != nullptr && head->made_by != write.on) return Lost{};
  return std::nullopt;
}

Accepted Heads::accept(const Unit& unit) {
  if (!unit.on_accepted || unit.writes.size() != 1) return nullptr;
  const auto& write = unit.writes.front();
  if (left_out_.contains(write.component.value)) return nullptr;
  auto acceptance = std::make_shared<Acceptance>(loop_);
  heads_.insert_or_assign(key_of(write).own(), Head{write.next, acceptance});
  return acceptance;
}

void Heads::settled(const Write& write, const Accepted& acceptance) {
  const auto found = heads_.find(key_of(write));
  if (found != heads_.end() && found->second.made_by == acceptance) heads_.erase(found);
}

}  // namespace toa::storage::sqlite
