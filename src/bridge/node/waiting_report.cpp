#include "bridge/node/waiting_report.hpp"

#include <fmt/format.h>

namespace toa::bridge::node {
namespace {

/// Of `shop.wallets.credit` and of `shop.wallets.receivers/shop.topups.paid`.
std::string_view component_of(std::string_view name) {
  return name.substr(0, name.find('.', name.find('.') + 1));
}

std::string reason(const ActiveRun& run) {
  if (run.worker == nullptr) return "it waits for a worker";
  if (run.calls.running() > 0) return fmt::format("it waits for {} calls", run.calls.running());
  return "perhaps a promise in it never settles";
}

}  // namespace

std::optional<LogEntry> report_waiting(ActiveRun& run, std::chrono::nanoseconds now) {
  const auto age = now - run.started;
  if (age < run.report_after) return std::nullopt;
  while (run.report_after <= age) run.report_after *= 2;
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(age).count();
  return LogEntry{.component = std::string(component_of(run.name)),
                  .severity = Severity::warn,
                  .message = fmt::format("{} has not ended for {:.1f} s: {}", run.name,
                                         static_cast<double>(ms) / 1000, reason(run)),
                  .attributes = {{"operation", std::string(run.name)}, {"waiting_ms", ms}}};
}

}  // namespace toa::bridge::node
