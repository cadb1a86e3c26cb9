#include "simulation/trace.hpp"

#include <cstdio>
#include <fmt/format.h>

namespace toa::simulation {
namespace {

// A screen or two: what led to a violation is mostly near its end.
constexpr std::size_t story_lines_max = 400;

}  // namespace

void Trace::line(std::string_view what) {
  const auto seconds = std::chrono::duration<double>(time_.steady()).count();
  auto text = fmt::format("{:12.6f} {}", seconds, what);
  if (!hidden_.empty())
    for (auto at = text.find(hidden_); at != std::string::npos; at = text.find(hidden_))
      text.replace(at, hidden_.size(), "…");
  for (const char c : text) hash_ = (hash_ ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  if (tell_ == Tell::at_once) std::fprintf(stderr, "%s\n", text.c_str());
  story_.push_back(std::move(text));
  if (story_.size() > story_lines_max) story_.pop_front();
}

}  // namespace toa::simulation
