#include "gateway/formats/media.hpp"

#include <array>
#include <optional>

#include "gateway/formats/format.hpp"

namespace toa::gateway {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

/// `0.25` as 250.
std::optional<int> thousandths(std::string_view text) {
  if (text.empty() || (text[0] != '0' && text[0] != '1')) return std::nullopt;
  int value = (text[0] - '0') * 1000;
  if (text.size() == 1) return value;
  if (text[1] != '.' || text.size() > 5) return std::nullopt;
  int unit = 100;
  for (const char c : text.substr(2)) {
    if (c < '0' || c > '9') return std::nullopt;
    value += (c - '0') * unit;
    unit /= 10;
  }
  return value > 1000 ? std::nullopt : std::optional(value);
}

constexpr std::array formats{Format::json, Format::yaml, Format::msgpack, Format::text};

/// How narrowly a media range names a format: not at all, by `*/*`, by its first half, by its name.
int narrowness(std::string_view range, Format format) {
  const auto type = media_type(format);
  if (same_media(range, type)) return 3;
  if (range == "*/*" || range == "*") return 1;
  const auto half = type.substr(0, type.find('/') + 1);
  const bool halved = range.ends_with("/*") && same_media(range.substr(0, range.size() - 1), half);
  return halved ? 2 : 0;
}

/// What a whole `accept` says of one format.
struct Wish {
  int narrow = 0;
  int quality = 0;
  int place = 0;
};

Wish wish_for(Format format, std::string_view accept) {
  Wish wish;
  int place = 0;
  while (!accept.empty()) {
    const auto entry = weigh(take_part(accept, ','));
    ++place;
    const auto narrow = narrowness(entry.name, format);
    if (narrow > wish.narrow) wish = {narrow, entry.quality, place};
  }
  return wish;
}

bool preferred(const Wish& a, const Wish& b) {
  if (a.quality != b.quality) return a.quality > b.quality;
  return a.place < b.place;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string_view media_name(std::string_view type) {
  return trimmed(type.substr(0, type.find(';')));
}

bool same_media(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

std::string_view take_part(std::string_view& rest, char separator) {
  bool quoted = false;
  std::size_t at = 0;
  for (; at < rest.size(); ++at) {
    if (rest[at] == '"') quoted = !quoted;
    if (quoted && rest[at] == '\\') ++at;
    if (!quoted && rest[at] == separator) break;
  }
  const auto part = rest.substr(0, at);
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return part;
}

Weighed weigh(std::string_view entry) {
  Weighed weighed{.name = trimmed(take_part(entry, ';'))};
  while (!entry.empty()) {
    const auto parameter = trimmed(take_part(entry, ';'));
    if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) continue;
    weighed.quality = thousandths(parameter.substr(2)).value_or(1000);
  }
  return weighed;
}

std::optional<Format> negotiate(std::string_view accept) {
  if (accept.empty() || accept == "*/*" || accept == "application/json") return Format::json;
  std::optional<Format> best;
  Wish best_wish;
  for (const auto format : formats) {
    const auto wish = wish_for(format, accept);
    if (wish.narrow == 0 || wish.quality == 0) continue;
    if (!best || preferred(wish, best_wish)) {
      best = format;
      best_wish = wish;
    }
  }
  return best;
}

}  // namespace toa::gateway
