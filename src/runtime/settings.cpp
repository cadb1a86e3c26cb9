#include "runtime/settings.hpp"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <thread>
#include <unistd.h>

#include "runtime/dotenv.hpp"
#include "telemetry/json_log.hpp"

namespace toa::runtime {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::unexpected<Error> refuse(const std::string& name, const std::string& value,
                              const std::string& expected) {
  return fail(ErrorKind::invalid, name + ": '" + value + "' is not " + expected);
}

Result<int> number(const std::string& name, int fallback, int least) {
  const auto text = environment_variable(name);
  if (!text) return fallback;
  int value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc{} || end != text->data() + text->size() || value < least) {
    return refuse(name, *text, "a whole number of at least " + std::to_string(least));
  }
  return value;
}

Result<std::chrono::milliseconds> time_shift() {
  const auto text = environment_variable("TOA_TIME");
  if (!text || text->empty()) return std::chrono::milliseconds{};
  std::string_view rest = *text;
  const bool back = rest.front() == '-';
  if (rest.front() == '+' || back) rest.remove_prefix(1);
  long long amount = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), amount);
  const std::string_view unit(end, static_cast<std::size_t>(rest.data() + rest.size() - end));
  static const std::map<std::string_view, long long> units{
      {"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
  const auto known = units.find(unit);
  if (error != std::errc{} || known == units.end() || amount > 1'000'000'000) {
    return refuse("TOA_TIME", *text, "a shift such as +3601s, -5m or +2d");
  }
  return std::chrono::milliseconds((back ? -amount : amount) * known->second);
}

std::string made_up_instance() {
  std::random_device device;
  return std::to_string(::getpid()) + "-" + std::to_string(device() % 1'000'000);
}

int default_workers() {
  // The loop and the storage take a core between them; a worker for every two cores keeps the rest
  // busy.
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency() / 2));
}

Result<std::uint16_t> port(int option, const std::string& variable, int by_default) {
  if (option >= 0) return static_cast<std::uint16_t>(option);
  const auto stated = number(variable, by_default, 0);
  if (!stated) return std::unexpected(stated.error());
  if (*stated > UINT16_MAX) return refuse(variable, std::to_string(*stated), "a port");
  return static_cast<std::uint16_t>(*stated);
}

Result<HttpSettings> http_settings(const Options& options) {
  HttpSettings http;
  http.host =
      options.host.empty() ? environment_variable("TOA_HOST").value_or("127.0.0.1") : options.host;
  const auto main = port(options.port, "TOA_PORT", 8000);
  if (!main) return std::unexpected(main.error());
  const auto ready = port(options.ready_port, "TOA_READY_PORT", 8004);
  if (!ready) return std::unexpected(ready.error());
  http.port = *main;
  http.ready_port = *ready;
  return http;
}

}  // namespace

Result<Settings> settle(const Options& options) {
  Settings settings;
  std::error_code ec;
  auto context =
      manifest::find_context(options.path.empty() ? fs::current_path(ec).string()
                                                  : fs::absolute(options.path, ec).string());
  if (!context) return std::unexpected(context.error());
  settings.context_file = *context;
  const auto folder = fs::path(*context).parent_path();

  const auto stated =
      options.data.empty() ? environment_variable("TOA_DATA").value_or("") : options.data;
  settings.data = stated.empty() ? (folder / ".toa").string() : fs::absolute(stated, ec).string();
  settings.environment = environment_variable("TOA_ENV").value_or("local");
  settings.instance = environment_variable("TOA_INSTANCE").value_or(made_up_instance());
  settings.node = environment_variable("TOA_NODE").value_or("node");
  settings.fault = environment_variable("TOA_FAULT").value_or("");
  settings.log_file = options.log_file;
  settings.workers = options.workers > 0 ? options.workers : default_workers();

  auto http = http_settings(options);
  if (!http) return std::unexpected(http.error());
  settings.http = std::move(*http);

  const auto level = telemetry::severity_of(options.log_level.empty() ? "info" : options.log_level);
  if (!level) return refuse("--log", options.log_level, "one of debug, info, warn, error");
  settings.log_level = *level;

  const auto shift = time_shift();
  if (!shift) return std::unexpected(shift.error());
  settings.time_shift = *shift;
  const auto repeats = number("TOA_TRAIL_REPEATS", limits::trail_repeats_max, 0);
  if (!repeats) return std::unexpected(repeats.error());
  const auto depth = number("TOA_TRAIL_DEPTH", limits::trail_depth_max, 1);
  if (!depth) return std::unexpected(depth.error());
  settings.chain = {*repeats, *depth};

  const auto plain = number("TOA_PLAIN_COMMITS", 0, 0);
  if (!plain) return std::unexpected(plain.error());
  settings.accepts_early = *plain == 0;

  if (const auto ladder = environment_variable("TOA_LADDER")) {
    auto read = delivery::Ladder::read(*ladder);
    if (!read) return std::unexpected(read.error());
    settings.ladder = *read;
  }
  auto dotenv = read_dotenv((folder / ".env").string());
  if (!dotenv) return std::unexpected(dotenv.error());
  settings.variables = [file = std::move(*dotenv)](const std::string& name) {
    if (auto value = environment_variable(name)) return value;
    const auto found = file.find(name);
    return found == file.end() ? std::nullopt : std::optional(found->second);
  };
  return settings;
}

}  // namespace toa::runtime
