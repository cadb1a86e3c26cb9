#include "manifest/shape.hpp"

#include <charconv>
#include <limits>

namespace toa::manifest {
namespace {

constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Characters that mean themselves, inside a class and outside.
bool is_plain(char c) {
  return is_alphanumeric(c) || c == '_';
}

bool take(std::string_view& rest, char c) {
  if (!rest.starts_with(c)) return false;
  rest.remove_prefix(1);
  return true;
}

bool take_number(std::string_view& rest, std::size_t& number) {
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return error == std::errc{};
}

}  // namespace

std::optional<Shape> Shape::parse(std::string_view pattern) {
  if (!pattern.starts_with('^') || !pattern.ends_with('$')) return std::nullopt;
  auto rest = pattern.substr(1, pattern.size() - 2);
  Shape shape;
  while (!rest.empty()) {
    // What came before must have a fixed length, or there would be a choice to make.
    if (!shape.runs_.empty() && shape.runs_.back().min != shape.runs_.back().max)
      return std::nullopt;
    const auto set = take_set(rest);
    Run run{set.value_or(Set())};
    if (!set || !take_count(rest, run)) return std::nullopt;
    shape.runs_.push_back(run);
  }
  return shape;
}

std::optional<Shape::Set> Shape::take_set(std::string_view& rest) {
  Set set;
  const auto index = [](char c) { return static_cast<std::size_t>(c); };
  if (is_plain(rest.front())) {
    set.set(index(rest.front()));
    rest.remove_prefix(1);
    return set;
  }
  if (!take(rest, '[')) return std::nullopt;
  while (!rest.empty() && is_plain(rest.front())) {
    const char first = rest.front();
    rest.remove_prefix(1);
    char last = first;
    if (rest.size() > 1 && rest[0] == '-' && is_plain(rest[1])) {
      last = rest[1];
      rest.remove_prefix(2);
    }
    if (last < first) return std::nullopt;
    for (auto c = index(first); c <= index(last); ++c) set.set(c);
  }
  if (!take(rest, ']') || set.none()) return std::nullopt;
  return set;
}

bool Shape::take_count(std::string_view& rest, Run& run) {
  if (take(rest, '*')) {
    run.min = 0;
    run.max = unbounded;
  } else if (take(rest, '+')) {
    run.max = unbounded;
  } else if (take(rest, '?')) {
    run.min = 0;
  } else if (take(rest, '{')) {
    if (!take_number(rest, run.min)) return false;
    run.max = run.min;
    if (take(rest, ',')) {
      run.max = unbounded;
      if (!rest.starts_with('}') && !take_number(rest, run.max)) return false;
    }
    if (!take(rest, '}') || run.max < run.min) return false;
  }
  return true;
}

bool Shape::matches(std::string_view text) const {
  for (const auto& [set, min, max] : runs_) {
    std::size_t count = 0;
    while (count < text.size() && count < max) {
      const auto c = static_cast<unsigned char>(text[count]);
      if (c >= set.size() || !set.test(c)) break;
      ++count;
    }
    if (count < min) return false;
    text.remove_prefix(count);
  }
  return text.empty();
}

}  // namespace toa::manifest
