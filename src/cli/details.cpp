#include "cli/details.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace toa::cli {

constexpr std::size_t label_columns = 11;

std::string age(EpochMs span) {
  const auto seconds = std::max<EpochMs>(span, 0) / 1'000;
  if (seconds < 60) return std::to_string(seconds) + "s";
  if (seconds < 3'600) return std::to_string(seconds / 60) + "m";
  if (seconds < 2 * 86'400) return std::to_string(seconds / 3'600) + "h";
  return std::to_string(seconds / 86'400) + "d";
}

std::string moment(EpochMs at) {
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(at)};
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto day = std::chrono::floor<std::chrono::days>(seconds);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(seconds - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

std::string labelled(std::string_view label, const std::string& text) {
  std::string line(label);
  line.resize(label_columns, ' ');
  return line + text + "\n";
}

}  // namespace toa::cli
