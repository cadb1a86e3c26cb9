#include "operation/steps/moment.hpp"

#include <chrono>
#include <fmt/format.h>

namespace toa::operation {
namespace {

/// Reads fixed-width numbers and separators from the front of a text.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  int digits(std::size_t count) {
    int number = 0;
    if (text_.size() < count) return fail();
    for (std::size_t i = 0; i < count; ++i) {
      if (text_[i] < '0' || text_[i] > '9') return fail();
      number = number * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(count);
    return number;
  }

  bool take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail();
  }

  /// Milliseconds of a fraction of a second; digits beyond the third are dropped.
  int fraction() {
    int ms = 0;
    int scale = 100;
    if (text_.empty() || text_.front() < '0' || text_.front() > '9') return fail();
    while (!text_.empty() && text_.front() >= '0' && text_.front() <= '9') {
      ms += (text_.front() - '0') * scale;
      scale /= 10;
      text_.remove_prefix(1);
    }
    return ms;
  }

  bool done() const { return good_ && text_.empty(); }

  int fail() {
    good_ = false;
    return 0;
  }

 private:
  std::string_view text_;
  bool good_ = true;
};

int zone_minutes(Cursor& cursor) {
  if (cursor.take('Z') || cursor.take('z')) return 0;
  const int sign = cursor.take('-') ? -1 : 1;
  if (sign == 1) cursor.expect('+');
  const int hours = cursor.digits(2);
  cursor.take(':');
  const int minutes = cursor.digits(2);
  if (hours > 23 || minutes > 59) return cursor.fail();
  return sign * (hours * 60 + minutes);
}

}  // namespace

std::optional<EpochMs> parse_moment(std::string_view text) {
  using namespace std::chrono;
  Cursor cursor(text);
  const year y(cursor.digits(4));
  cursor.expect('-');
  const month m(static_cast<unsigned>(cursor.digits(2)));
  cursor.expect('-');
  const day d(static_cast<unsigned>(cursor.digits(2)));
  if (!cursor.take('T') && !cursor.take('t')) cursor.expect(' ');
  const int hour = cursor.digits(2);
  cursor.expect(':');
  const int minute = cursor.digits(2);
  cursor.expect(':');
  const int second = cursor.digits(2);
  const int ms = cursor.take('.') ? cursor.fraction() : 0;
  const int zone = zone_minutes(cursor);

  const year_month_day date(y, m, d);
  if (!cursor.done() || !date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  const auto at =
      sys_days(date) + hours(hour) + minutes(minute - zone) + seconds(second) + milliseconds(ms);
  // Its zone may carry it past the four digits of a year.
  const auto carried = year_month_day(floor<days>(at)).year();
  if (carried < year(0) || carried > year(9999)) return std::nullopt;
  return duration_cast<milliseconds>(at.time_since_epoch()).count();
}

std::string print_moment(EpochMs moment) {
  using namespace std::chrono;
  const sys_time<milliseconds> at{milliseconds(moment)};
  const auto midnight = floor<days>(at);
  const year_month_day date(midnight);
  const hh_mm_ss time(at - midnight);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     time.subseconds().count());
}

std::optional<std::string> normalise_moments(const std::vector<manifest::Moment>& moments,
                                             JsonObject& properties) {
  for (const auto& moment : moments) {
    auto* value = properties.if_contains(moment.property);
    if (value == nullptr || moment.form != manifest::Moment::Form::iso || !value->is_string()) {
      continue;
    }
    const auto at = parse_moment(value->get_string());
    if (!at) return moment.property + " must match format \"date-time\"";
    *value = print_moment(*at);
  }
  return std::nullopt;
}

}  // namespace toa::operation
