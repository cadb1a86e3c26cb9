#pragma once

#include <compare>
#include <functional>
#include <utility>

namespace toa {

/// A value with a meaning: `Named<struct VersionTag, std::int64_t>` does not mix with other
/// integers.
template <class Tag, class T>
struct Named {
  T value{};

  Named() = default;
  explicit Named(T v) : value(std::move(v)) {}

  friend auto operator<=>(const Named&, const Named&) = default;
  friend bool operator==(const Named&, const Named&) = default;
};

}  // namespace toa

template <class Tag, class T>
struct std::hash<toa::Named<Tag, T>> {
  std::size_t operator()(const toa::Named<Tag, T>& named) const noexcept {
    return std::hash<T>{}(named.value);
  }
};
