#include "manifest/format.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace toa::manifest {
namespace {

// The furthest moment, either way, that JavaScript's Date can hold.
constexpr double epoch_millis_max = 8.64e15;

/// Reads the parts of a date and time one after the other; after a misfit it stays failed.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  int digits(std::size_t count) {
    int value = 0;
    const auto* end = rest_.data() + count;
    ok_ = ok_ && rest_.size() >= count && rest_.front() != '-' &&
          std::from_chars(rest_.data(), end, value).ptr == end;
    if (ok_) rest_.remove_prefix(count);
    return value;
  }
  bool one_of(std::string_view set) {
    const bool found = !rest_.empty() && set.find(rest_.front()) != std::string_view::npos;
    if (found) rest_.remove_prefix(1);
    return found;
  }
  void must(std::string_view set) { ok_ = one_of(set) && ok_; }
  bool done() const { return ok_ && rest_.empty(); }
  bool ok() const { return ok_; }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

int days_of(int year, int month) {
  constexpr std::array days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : days.at(static_cast<std::size_t>(month - 1));
}

bool read_fraction(Reader& reader) {
  if (!reader.one_of(".")) return true;
  reader.must("0123456789");
  while (reader.one_of("0123456789")) {
  }
  return reader.ok();
}

/// The offset from UTC in minutes.
int read_offset(Reader& reader) {
  if (reader.one_of("Zz")) return 0;
  const int sign = reader.one_of("-") ? -1 : 1;
  if (sign > 0) reader.must("+");
  const int hours = reader.digits(2);
  reader.must(":");
  const int minutes = reader.digits(2);
  if (hours > 23 || minutes > 59) reader.must("");
  return sign * (hours * 60 + minutes);
}

/// RFC 3339, with leap seconds where they can be.
bool is_date_time(std::string_view text) {
  Reader reader(text);
  const int year = reader.digits(4);
  reader.must("-");
  const int month = reader.digits(2);
  reader.must("-");
  const int day = reader.digits(2);
  reader.must("Tt");
  const int hour = reader.digits(2);
  reader.must(":");
  const int minute = reader.digits(2);
  reader.must(":");
  const int second = reader.digits(2);
  if (!read_fraction(reader)) return false;
  const int offset = read_offset(reader);
  if (!reader.done() || month < 1 || month > 12 || day < 1 || day > days_of(year, month))
    return false;
  if (hour > 23 || minute > 59 || second > 60) return false;
  const int utc = ((hour * 60 + minute - offset) % 1440 + 1440) % 1440;
  return second < 60 || utc == 1439;
}

bool is_epoch_millis(double number) {
  return std::trunc(number) == number && std::abs(number) <= epoch_millis_max;
}

}  // namespace

Format format_of(std::string_view name) {
  if (name == "date-time") return Format::date_time;
  if (name == "epoch-millis") return Format::epoch_millis;
  return Format::none;
}

std::string_view name(Format format) {
  switch (format) {
    case Format::none:
      return "";
    case Format::date_time:
      return "date-time";
    case Format::epoch_millis:
      return "epoch-millis";
  }
  return "";
}

bool fits(Format format, const Json& value) {
  if (format == Format::date_time && value.is_string()) return is_date_time(value.get_string());
  if (format == Format::epoch_millis && value.is_number())
    return is_epoch_millis(value.to_number<double>());
  return true;
}

}  // namespace toa::manifest
