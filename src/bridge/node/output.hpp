#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.hpp"
#include "base/limits.hpp"

namespace toa::bridge::node {

/// Lets so many lines through in a second, and counts the others.
class OutputGate {
 public:
  explicit OutputGate(const Clock& clock,
                      std::size_t lines_per_second = limits::worker_lines_per_second_max)
      : clock_(clock), lines_per_second_(lines_per_second) {}

  bool admit();
  /// How many were held back in the seconds before this one; counted from zero again.
  std::size_t take_dropped();
  /// The same, with the current second.
  std::size_t take_all_dropped() { return std::exchange(dropped_, 0); }

 private:
  bool next_second();

  const Clock& clock_;
  std::size_t lines_per_second_;
  std::chrono::nanoseconds second_{};
  std::size_t admitted_ = 0;
  std::size_t dropped_ = 0;
};

/// Cuts what a process prints into lines. What is over the limit of a line is left out, and the
/// line says so.
class LineCutter {
 public:
  using Sink = std::function<void(std::string_view line)>;
  LineCutter(std::size_t line_bytes_max, Sink sink)
      : line_bytes_max_(line_bytes_max), sink_(std::move(sink)) {}

  void add(std::string_view bytes);
  /// Passes on what has no line end yet.
  void finish();

 private:
  void append(std::string_view part);

  std::size_t line_bytes_max_;
  Sink sink_;
  std::string line_;
  std::size_t left_out_ = 0;
};

/// The last lines that a process printed, to explain its end.
class LastLines {
 public:
  void add(std::string_view line);
  /// The line that tells most: a named error, else the last one. May be empty.
  std::string telling() const;
  /// All that is kept, one line each.
  std::string all() const;

 private:
  std::deque<std::string> lines_;
};

}  // namespace toa::bridge::node
