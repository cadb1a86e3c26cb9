#include "telemetry/json_log.hpp"

#include <fmt/chrono.h>
#include <spdlog/async.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace toa::telemetry {
namespace {

// 16 records of the largest size would still fit a small machine; ordinary ones are a few hundred
// bytes.
constexpr std::size_t queue_records_max = 8'192;
constexpr std::size_t file_bytes_max = 32u << 20;
constexpr std::size_t files_max = 4;
// A record longer than this is cut: it is for people.
constexpr std::size_t record_bytes_max = 64u << 10;

std::string utc(EpochMs at) {
  const std::chrono::sys_time<std::chrono::milliseconds> moment{std::chrono::milliseconds(at)};
  const auto seconds = std::chrono::floor<std::chrono::seconds>(moment);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     (moment - seconds).count());
}

}  // namespace

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::debug:
      return "debug";
    case Severity::info:
      return "info";
    case Severity::warn:
      return "warn";
    case Severity::error:
      return "error";
  }
  return "error";
}

std::optional<Severity> severity_of(std::string_view text) {
  for (const auto severity : {Severity::debug, Severity::info, Severity::warn, Severity::error}) {
    if (name(severity) == text) return severity;
  }
  return std::nullopt;
}

Result<std::unique_ptr<JsonLog>> JsonLog::open(const Target& target, const Clock& clock) {
  try {
    auto pool = std::make_shared<spdlog::details::thread_pool>(queue_records_max, 1);
    spdlog::sink_ptr sink;
    if (target.file.empty()) {
      sink = std::make_shared<spdlog::sinks::stdout_sink_mt>();
    } else {
      sink = std::make_shared<spdlog::sinks::rotating_file_sink_mt>(target.file, file_bytes_max,
                                                                    files_max);
    }
    sink->set_pattern("%v");
    auto logger = std::make_shared<spdlog::async_logger>(
        "toa", sink, pool, spdlog::async_overflow_policy::overrun_oldest);
    logger->set_level(spdlog::level::trace);
    // By the pool, record by record: who looks at the log, also after a crash, sees all that was
    // said.
    logger->flush_on(spdlog::level::info);
    return std::unique_ptr<JsonLog>(
        new JsonLog(std::move(pool), std::move(logger), clock, target.least));
  } catch (const spdlog::spdlog_ex& e) {
    return fail(ErrorKind::unavailable, "the log cannot be opened: " + std::string(e.what()));
  }
}

JsonLog::JsonLog(std::shared_ptr<Pool> pool, std::shared_ptr<spdlog::logger> logger,
                 const Clock& clock, Severity least)
    : pool_(std::move(pool)), logger_(std::move(logger)), clock_(clock), least_(least) {}

JsonLog::~JsonLog() {
  flush();
}

void JsonLog::write(Severity severity, std::string_view message, const JsonObject& attributes) {
  if (severity < least_) return;
  std::string line = "{\"time\":\"" + utc(clock_.now()) + "\",\"severity\":\"";
  line += name(severity);
  line += "\",\"message\":";
  json::print_string_to(line, message.substr(0, record_bytes_max));
  for (const auto& [key, value] : attributes) {
    if (line.size() > record_bytes_max) break;
    line += ',';
    json::print_string_to(line, key);
    line += ':';
    json::print_to(line, value);
  }
  line += '}';
  logger_->log(spdlog::level::info, line);
}

void JsonLog::flush() {
  logger_->flush();
}

}  // namespace toa::telemetry
