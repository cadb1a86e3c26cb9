#include "storage/sqlite/inbox/call_set.hpp"

#include "base/assert.hpp"

namespace toa::storage::sqlite {
namespace {

constexpr int bits_at_first = 6;
// Of sixteen places so many may be taken: fuller, searches grow long.
constexpr std::size_t sixteenths_max = 13;

}  // namespace

CallSet::CallSet() : places_(std::size_t{1} << bits_at_first), bits_(bits_at_first) {}

std::size_t CallSet::home(std::uint64_t hash) const {
  return static_cast<std::size_t>(hash >> (64 - bits_));
}

void CallSet::add(Entry entry) {
  require(entry.number != 0, "a row's number is 0");
  if ((size_ + 1) * 16 > places_.size() * sixteenths_max) grow();
  put(entry);
  ++size_;
}

void CallSet::put(Entry entry) {
  auto place = home(entry.hash);
  while (places_[place].number != 0) place = next(place);
  places_[place] = entry;
}

void CallSet::grow() {
  auto before = std::exchange(places_, std::vector<Entry>(places_.size() * 2));
  ++bits_;
  for (const auto& entry : before)
    if (entry.number != 0) put(entry);
}

void CallSet::remove(Entry entry) {
  auto place = home(entry.hash);
  while (places_[place].number != entry.number || places_[place].hash != entry.hash) {
    require(places_[place].number != 0, "a call is removed that was not added");
    place = next(place);
  }
  places_[place] = {};
  --size_;
  // What follows without a gap may have its home before the one that is free now.
  for (place = next(place); places_[place].number != 0; place = next(place))
    put(std::exchange(places_[place], {}));
}

void CallSet::find(std::uint64_t hash, std::vector<std::uint32_t>& numbers) const {
  for (auto place = home(hash); places_[place].number != 0; place = next(place))
    if (places_[place].hash == hash) numbers.push_back(places_[place].number);
}

std::vector<CallSet::Entry> CallSet::page(std::size_t& place, std::size_t limit) const {
  std::vector<Entry> entries;
  for (; place < places_.size() && entries.size() < limit; ++place)
    if (places_[place].number != 0) entries.push_back(places_[place]);
  return entries;
}

}  // namespace toa::storage::sqlite
