#include "bridge/node/output.hpp"

#include <fmt/format.h>

namespace toa::bridge::node {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t lines_kept = 12;
constexpr std::size_t line_bytes_kept = 300;

/// `TypeError: …`, `FATAL ERROR: …`, `Error [ERR_X]: …`
bool names_error(std::string_view line) {
  if (line.starts_with("FATAL ERROR")) return true;
  const auto at = line.find("Error");
  return at != std::string_view::npos && line.find_first_of(" \t") >= at &&
         line.find(':', at) != std::string_view::npos;
}

}  // namespace

bool OutputGate::next_second() {
  const auto now = clock_.steady();
  if (now - second_ < 1s) return false;
  second_ = now;
  admitted_ = 0;
  return true;
}

bool OutputGate::admit() {
  if (admitted_ >= lines_per_second_) next_second();
  if (admitted_ == 0) second_ = clock_.steady();
  if (admitted_ < lines_per_second_) {
    ++admitted_;
    return true;
  }
  ++dropped_;
  return false;
}

std::size_t OutputGate::take_dropped() {
  if (dropped_ == 0 || !next_second()) return 0;
  return std::exchange(dropped_, 0);
}

void LineCutter::add(std::string_view bytes) {
  for (;;) {
    const auto end = bytes.find('\n');
    append(bytes.substr(0, end));
    if (end == std::string_view::npos) return;
    if (line_.empty()) sink_("");
    finish();
    bytes.remove_prefix(end + 1);
  }
}

void LineCutter::append(std::string_view part) {
  const auto taken = part.substr(0, line_bytes_max_ - line_.size());
  line_ += taken;
  left_out_ += part.size() - taken.size();
}

void LineCutter::finish() {
  if (line_.empty()) return;
  if (line_.back() == '\r' && left_out_ == 0) line_.pop_back();
  if (left_out_ > 0) line_ += fmt::format("… ({} bytes left out)", left_out_);
  sink_(line_);
  line_.clear();
  left_out_ = 0;
}

void LastLines::add(std::string_view line) {
  if (line.find_first_not_of(" \t") == std::string_view::npos) return;
  lines_.emplace_back(line.substr(0, line_bytes_kept));
  if (lines_.size() <= lines_kept) return;
  // The naming line is worth more than the stack beneath it, which may be long.
  const bool keep = names_error(lines_.front());
  lines_.erase(keep ? lines_.begin() + 1 : lines_.begin());
}

std::string LastLines::telling() const {
  for (auto line = lines_.rbegin(); line != lines_.rend(); ++line) {
    if (names_error(*line)) return *line;
  }
  return lines_.empty() ? std::string() : lines_.back();
}

std::string LastLines::all() const {
  return fmt::format("{}", fmt::join(lines_, "\n"));
}

}  // namespace toa::bridge::node
