#include "bridge/stash.hpp"

#include <charconv>
#include <cstdlib>
#include <fmt/format.h>

namespace toa::bridge {
namespace {

constexpr std::int64_t number_max = std::int64_t{1} << 53;

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_safe(std::int64_t number) {
  return number >= -number_max && number <= number_max;
}

}  // namespace

Stash::Entry* Stash::find(const std::string& key) {
  const auto found = places_.find(key);
  if (found == places_.end()) return nullptr;
  const auto place = found->second;
  if (place->expires && *place->expires <= clock_.steady()) {
    drop(place);
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, place);
  return &*place;
}

void Stash::drop(Place place) {
  bytes_ -= place->bytes();
  places_.erase(place->key);
  entries_.erase(place);
}

std::optional<std::string_view> Stash::get(const std::string& key) {
  const auto* entry = find(key);
  return entry == nullptr ? std::nullopt : std::optional<std::string_view>(entry->value);
}

Result<bool> Stash::set(const std::string& key, std::string value, Ttl ttl, If when) {
  const auto* there = find(key);
  if (when == If::absent && there != nullptr) return false;
  if (when == If::present && there == nullptr) return false;
  Entry entry{.key = key, .value = std::move(value)};
  if (key.size() > limits::stash_key_bytes_max) {
    return fail(ErrorKind::invalid, fmt::format("a key of the stash has at most {} bytes",
                                                limits::stash_key_bytes_max));
  }
  if (entry.bytes() > bytes_max_) {
    return fail(ErrorKind::invalid,
                fmt::format("'{}' is larger than the {} bytes of the stash", key, bytes_max_));
  }
  if (ttl) entry.expires = clock_.steady() + *ttl;
  if (there != nullptr) drop(entries_.begin());
  bytes_ += entry.bytes();
  entries_.push_front(std::move(entry));
  places_[key] = entries_.begin();
  while (bytes_ > bytes_max_) drop(std::prev(entries_.end()));
  return true;
}

bool Stash::remove(const std::string& key) {
  if (find(key) == nullptr) return false;
  drop(entries_.begin());
  return true;
}

Result<std::int64_t> Stash::add(const std::string& key, std::int64_t by) {
  auto* entry = find(key);
  const auto before = entry == nullptr ? std::optional<std::int64_t>(0) : whole(entry->value);
  if (!before || !is_safe(*before))
    return fail(ErrorKind::invalid, fmt::format("'{}' of the stash is no whole number", key));
  if (!is_safe(by) || !is_safe(*before + by))
    return fail(ErrorKind::invalid, fmt::format("'{}' of the stash would pass 2^53", key));
  auto text = std::to_string(*before + by);
  if (entry == nullptr) {
    auto set_anew = set(key, std::move(text), {}, If::always);
    if (!set_anew) return std::unexpected(set_anew.error());
    return by;
  }
  bytes_ += text.size();
  bytes_ -= entry->value.size();
  entry->value = std::move(text);
  return *before + by;
}

bool Stash::expire(const std::string& key, std::chrono::milliseconds ttl) {
  auto* entry = find(key);
  if (entry != nullptr) entry->expires = clock_.steady() + ttl;
  return entry != nullptr;
}

std::int64_t Stash::left_ms(const std::string& key) {
  const auto* entry = find(key);
  if (entry == nullptr) return -2;
  if (!entry->expires) return -1;
  return std::chrono::ceil<std::chrono::milliseconds>(*entry->expires - clock_.steady()).count();
}

}  // namespace toa::bridge
