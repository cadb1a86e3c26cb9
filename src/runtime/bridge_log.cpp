#include "runtime/bridge_log.hpp"

#include <utility>

namespace toa::runtime {
namespace {

telemetry::Severity severity_of(bridge::Severity severity) {
  switch (severity) {
    case bridge::Severity::debug:
      return telemetry::Severity::debug;
    case bridge::Severity::info:
      return telemetry::Severity::info;
    case bridge::Severity::warn:
      return telemetry::Severity::warn;
    case bridge::Severity::error:
      return telemetry::Severity::error;
  }
  return telemetry::Severity::error;
}

}  // namespace

void BridgeLog::write(bridge::LogEntry entry) {
  JsonObject attributes;
  if (entry.component) attributes["component"] = *entry.component;
  // The author's own names come second, so that they cannot pass for another component.
  for (auto& [key, value] : entry.attributes) attributes.emplace(key, std::move(value));
  log_.write(severity_of(entry.severity), entry.message, attributes);
}

}  // namespace toa::runtime
