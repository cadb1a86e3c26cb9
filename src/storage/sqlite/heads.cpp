#include "storage/sqlite/heads.hpp"

namespace toa::storage::sqlite {
namespace {

ObjectKeyView key_of(const Write& write) {
  return {write.component.value, write.next.id.value};
}

/// The write of a unit that builds on the head of its object, and that others may build on; the
/// rest is held against what is durable, in its turn.
const Write* chained(const Unit& unit) {
  return unit.on_accepted && unit.writes.size() == 1 ? &unit.writes.front() : nullptr;
}

}  // namespace

const Head* Heads::find(const ObjectKeyView& key) const {
  const auto found = heads_.find(key);
  return found == heads_.end() ? nullptr : &found->second;
}

std::optional<Lost> Heads::refused(const Unit& unit) {
  const auto* write = chained(unit);
  if (write == nullptr) return std::nullopt;
  if (write->on && write->on->is_rejected()) return Lost{.taken_back = true};
  const auto* head = find(key_of(*write));
  if (head != nullptr) return head->made_by == write->on ? std::nullopt : std::optional(Lost{});
  const auto* durable = durable_.find(key_of(*write));
  const bool behind = durable != nullptr && durable->version.value > write->base.value;
  return behind ? std::optional(Lost{}) : std::nullopt;
}

Accepted Heads::accept(const Unit& unit) {
  const auto* write = chained(unit);
  if (write == nullptr || left_out_.contains(write->component.value)) return nullptr;
  auto acceptance = std::make_shared<Acceptance>(loop_);
  heads_.insert_or_assign(key_of(*write).own(), Head{write->next, acceptance});
  return acceptance;
}

void Heads::settled(const Write& write, const Accepted& acceptance) {
  const auto found = heads_.find(key_of(write));
  if (found != heads_.end() && found->second.made_by == acceptance) heads_.erase(found);
}

}  // namespace toa::storage::sqlite
