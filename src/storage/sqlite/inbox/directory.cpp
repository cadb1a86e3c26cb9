#include "storage/sqlite/inbox/directory.hpp"

#include <algorithm>
#include <ranges>

#include "base/limits.hpp"

namespace toa::storage::sqlite {

Candidates Directory::candidates(std::string_view endpoint, const Identity& identity) const {
  const auto asked = hash(endpoint, identity);
  const std::lock_guard lock(mutex_);
  return find(asked);
}

Candidates Directory::find(std::uint64_t asked) const {
  Candidates found{.hash = asked, .carried = carries_many_ || carried_.contains(asked)};
  std::vector<std::uint32_t> numbers;
  for (const auto& slice : std::views::reverse(slices_)) {
    if (!slice->set) {
      if (!slice->filter || slice->filter->may_have(asked)) found.slices.push_back({slice->id, 0});
      continue;
    }
    slice->set->find(asked, numbers);
    std::ranges::sort(numbers, std::greater());
    for (const auto number : numbers) found.slices.push_back({slice->id, number});
    numbers.clear();
  }
  return found;
}

std::optional<SliceId> Directory::expired(EpochMs moment) const {
  const std::lock_guard lock(mutex_);
  for (const auto& slice : slices_)
    if (slice->state != Slice::State::open && slice->expires <= moment) return slice->id;
  return std::nullopt;
}

Slice* Directory::slice(SliceId id) {
  const auto found = std::ranges::find(slices_, id, [](const auto& each) { return each->id; });
  return found == slices_.end() ? nullptr : found->get();
}

Slice& Directory::add(Slice slice) {
  const std::lock_guard lock(mutex_);
  calls_ += slice.rows;
  slices_.push_back(std::make_unique<Slice>(std::move(slice)));
  return *slices_.back();
}

void Directory::remove(SliceId slice) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(slices_, slice, [](const auto& each) { return each->id; });
  if (found == slices_.end()) return;
  calls_ -= (*found)->rows;
  slices_.erase(found);
}

void Directory::read_call(Slice& slice, CallSet::Entry entry) {
  const std::lock_guard lock(mutex_);
  slice.set->add(entry);
}

void Directory::add_call(Slice& slice, CallSet::Entry entry) {
  const std::lock_guard lock(mutex_);
  slice.set->add(entry);
  slice.rows = entry.number;
  ++calls_;
}

void Directory::remove_call(Slice& slice, CallSet::Entry entry) {
  const std::lock_guard lock(mutex_);
  slice.set->remove(entry);
  slice.rows = entry.number - 1;
  --calls_;
}

void Directory::change(Slice& slice, Slice::State state) {
  const std::lock_guard lock(mutex_);
  slice.state = state;
}

void Directory::replace_set(Slice& slice, std::unique_ptr<Filter> filter,
                            std::size_t filter_bytes_max) {
  const std::lock_guard lock(mutex_);
  slice.state = Slice::State::indexed;
  slice.set.reset();
  slice.filter = std::move(filter);
  bound_filters(filter_bytes_max);
}

void Directory::bound_filters(std::size_t bytes_max) {
  std::size_t bytes = 0;
  for (const auto& slice : std::views::reverse(slices_)) {
    if (!slice->filter) continue;
    bytes += slice->filter->bytes().size();
    if (bytes > bytes_max) slice->filter.reset();
  }
}

void Directory::carry(std::uint64_t hash) {
  const std::lock_guard lock(mutex_);
  if (carries_many_) return;
  calls_ += carried_.insert(hash).second ? 1 : 0;
  if (carried_.size() <= limits::inbox_carried_known_max) return;
  carries_many_ = true;
  carried_.clear();
}

}  // namespace toa::storage::sqlite
