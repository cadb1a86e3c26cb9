#include "http.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>

#include "base/random.hpp"
#include "expect.hpp"
#include "http_load.hpp"
#include "program.hpp"
#include "yardstick.hpp"

namespace toa::bench {
namespace {

constexpr auto app = TOA_SOURCE_DIR "/bench/web";
constexpr int turns = 3;
constexpr std::chrono::milliseconds warm_up{300};
constexpr std::size_t repeated_calls = 4'096;
// Short, so that what the machine does meanwhile falls on all contenders alike.
constexpr std::chrono::milliseconds slice_of_contest{250};
constexpr std::chrono::milliseconds warm_up_of_contest{60};
constexpr std::array<Cell, 6> cells{
    {{1, 1'000}, {1, 1}, {64, 1'000}, {64, 1}, {256, 1'000}, {256, 1}}};

struct Key {
  std::uint64_t first, second;
};

void append_credit(std::string& out, const std::string& token, std::size_t wallet, Key key,
                   std::string_view tail) {
  fmt::format_to(std::back_inserter(out),
                 "PUT /bench/wallets/{:032x}/{} HTTP/1.1\r\nhost: localhost:8000\r\n"
                 "authorization: {}\r\nidempotency-key: {:016x}{:016x}\r\n"
                 "content-type: application/json\r\naccept: application/json\r\n"
                 "content-length: 11\r\n\r\n{{\"cents\":5}}",
                 wallet + 1, tail, token, key.first, key.second);
}

/// Credits that nobody made before.
MakeHttp fresh_credits(std::string token, std::size_t wallets, std::string_view tail = {}) {
  return
      [token = std::move(token), wallets, tail, random = SystemRandom()](std::string& out) mutable {
        const auto first = random.next();
        append_credit(out, token, random.below(wallets), {first, random.next()}, tail);
      };
}

MakeHttp known_credits(std::string token, std::uint64_t seed) {
  return [token = std::move(token), seed, next = std::uint64_t{0}](std::string& out) mutable {
    const auto call = next++ % repeated_calls;
    append_credit(out, token, call % 1'000, {seed, call}, {});
  };
}

/// Signs up; what a client sends from then on.
std::string token_of(std::uint16_t port) {
  const auto answer = run("/usr/bin/env", {"curl", "-s", "-D", "-", "-o", "/dev/null", "-X", "POST",
                                           "-u", "bench:bench-secret", "-H", "host: localhost:8000",
                                           fmt::format("http://127.0.0.1:{}/identity/", port)});
  constexpr std::string_view label = "\nauthorization: ";
  const auto at = answer.output.find(label);
  expect(answer.code == 0 && at != std::string::npos, "signing up gave no token (is curl there?)");
  const auto begin = at + label.size();
  return answer.output.substr(begin, answer.output.find('\r', begin) - begin);
}

Measured measure(HttpLoad& load, pid_t process, const MakeHttp& request,
                 std::chrono::milliseconds duration, std::chrono::milliseconds warming = warm_up) {
  Measured measured;
  ProcessorTime before;
  measured.seen =
      load.run(request, {.warm_up = warming,
                         .measured = duration,
                         .begins = [&] { before = processor_time(process); },
                         .ends = [&] { measured.used = processor_time(process) - before; }});
  expect(measured.seen.failed == 0, "a credit failed: " + measured.seen.first_failure);
  return measured;
}

Seen measure(HttpLoad& load, const MakeHttp& request, std::chrono::milliseconds duration) {
  auto seen = load.run(request, {.warm_up = warm_up, .measured = duration});
  expect(seen.failed == 0, "a credit by the yardstick failed: " + seen.first_failure);
  return seen;
}

/// What is measured, and what it is compared with.
struct Services {
  const Application& toa;
  std::string token;
  const Yardstick* yardstick;
};

HttpCompared compare(const Options& options, const Services& services, Cell cell) {
  HttpLoad load(services.toa.port(), cell.callers);
  std::unique_ptr<HttpLoad> other;
  if (services.yardstick != nullptr)
    other = std::make_unique<HttpLoad>(services.yardstick->port(), cell.callers);
  HttpCompared compared{.cell = cell, .once = {}, .without = {}, .yardstick = {}};
  const auto slice = options.duration / turns;
  const auto once = fresh_credits(services.token, cell.objects);
  const auto without = fresh_credits(services.token, cell.objects, "add/");
  const auto by_hand = fresh_credits("Token yardstick", cell.objects);
  for (int turn = 0; turn < turns; ++turn) {
    compared.once.add(measure(load, services.toa.pid(), once, slice));
    compared.without.add(measure(load, services.toa.pid(), without, slice));
    if (other) compared.yardstick.add(measure(*other, by_hand, slice));
  }
  return compared;
}

Measured repeat(const Options& options, const Services& services, std::size_t clients) {
  const auto requests = known_credits(services.token, SystemRandom().next());
  HttpLoad first(services.toa.port(), 256);
  first.run(requests, {.warm_up = warm_up, .measured = std::chrono::milliseconds(600)});
  HttpLoad load(services.toa.port(), clients);
  auto measured = measure(load, services.toa.pid(), requests, options.duration / 2);
  expect(measured.seen.replayed == measured.seen.waits.count(), "a repeat was not recognised");
  return measured;
}

std::string clients_of(std::size_t clients) {
  return fmt::format("{:3} {}", clients, clients == 1 ? "client" : "clients");
}

std::string name_of(const Cell& cell) {
  return clients_of(cell.callers) + (cell.objects == 1 ? ", one wallet" : ", 1000 wallets");
}

std::vector<std::optional<double>> rate_of(const Seen& seen) {
  if (seen.seconds == 0) return {std::nullopt, std::nullopt, std::nullopt};
  return {seen.rate(), milliseconds(seen.waits.at(0.5)), milliseconds(seen.waits.at(0.99))};
}

}  // namespace

const HttpCompared& Http::at(std::size_t callers, std::size_t objects) const {
  return *std::ranges::find_if(compared, [&](const HttpCompared& each) {
    return each.cell.callers == callers && each.cell.objects == objects;
  });
}

Http measure_http(const Options& options) {
  Http http;
  const auto yardstick = Yardstick::start(options.folder + "/yardstick");
  if (yardstick) http.settings = yardstick->settings();
  if (yardstick) http.code = Yardstick::code();
  const Application application(options.toa, app, options.folder + "/web");
  const Services services{.toa = application,
                          .token = token_of(application.port()),
                          .yardstick = yardstick ? &*yardstick : nullptr};
  http.idle_mb = resident_mb(application.pid());
  for (const auto& cell : cells) http.compared.push_back(compare(options, services, cell));
  for (const auto clients : {std::size_t{1}, std::size_t{256}})
    http.repeats.emplace_back(clients, repeat(options, services, clients));
  http.loaded_mb = resident_mb(application.pid());
  return http;
}

HttpCompared measure_http_unsynced(const Options& options) {
  const Application application(options.unsynced, app, options.folder + "/web-unsynced");
  const Services services{
      .toa = application, .token = token_of(application.port()), .yardstick = nullptr};
  return compare(options, services, {256, 1'000});
}

std::vector<std::vector<Measured>> credit_for(const Options& options) {
  struct Contender {
    std::unique_ptr<Application> application;
    std::unique_ptr<HttpLoad> load;
    MakeHttp request;
    std::vector<Measured> seen = {};
  };
  std::vector<Contender> contenders;
  auto programs = options.against;
  programs.insert(programs.begin(), options.toa);
  for (std::size_t i = 0; i < programs.size(); ++i) {
    auto application = std::make_unique<Application>(programs[i], app,
                                                     options.folder + "/web" + std::to_string(i));
    std::printf("process %d\n", application->pid());
    std::fflush(stdout);
    const auto port = application->port();
    const auto tail = options.only == "web-add" ? "add/" : "";
    contenders.push_back({std::move(application), std::make_unique<HttpLoad>(port, options.callers),
                          fresh_credits(token_of(port), options.wallets, tail)});
  }
  const auto slices = options.duration / slice_of_contest;
  for (long slice = 0; slice < slices; ++slice) {
    for (auto& each : contenders)
      each.seen.push_back(measure(*each.load, each.application->pid(), each.request,
                                  slice_of_contest, warm_up_of_contest));
  }
  std::vector<std::vector<Measured>> seen;
  for (auto& each : contenders) seen.push_back(std::move(each.seen));
  return seen;
}

Table table_of_http(const Http& http) {
  Table table{.key = "http",
              .title =
                  "Credits over HTTP, under keys, a token on every request; by hand: Node and "
                  "PostgreSQL, " +
                  (http.settings.empty() ? "which is missing here" : http.settings),
              .columns = {{"rate", "once/s", 0},
                          {"p50_ms", "p50 ms", 3},
                          {"p99_ms", "p99 ms", 3},
                          {"without_rate", "without/s", 0},
                          {"by_hand_rate", "by hand/s", 0},
                          {"by_hand_p50_ms", "p50 ms", 3},
                          {"by_hand_p99_ms", "p99 ms", 3},
                          {"ratio", "ratio", 2}}};
  for (const auto& each : http.compared) {
    auto values = rate_of(each.once.seen);
    values.emplace_back(each.without.seen.rate());
    for (const auto& value : rate_of(each.yardstick)) values.push_back(value);
    values.emplace_back(each.yardstick.seconds == 0
                            ? std::nullopt
                            : std::optional(each.once.seen.rate() / each.yardstick.rate()));
    table.rows.push_back({name_of(each.cell), values});
  }
  for (const auto& [clients, measured] : http.repeats) {
    auto values = rate_of(measured.seen);
    values.resize(table.columns.size());
    table.rows.push_back({clients_of(clients) + ", recognised repeat", values});
  }
  return table;
}

Table table_of_http_time(const Http& http) {
  Table table{
      .key = "http_time",
      .title = "Processor time a request in microseconds, by thread; the load generator last",
      .columns = {{"loop_us", "loop", 1},
                  {"writer_us", "writer", 1},
                  {"reader_us", "reader", 1},
                  {"workers_us", "workers", 1},
                  {"client_us", "client", 1}}};
  const auto add = [&table](std::string name, const Measured& measured) {
    table.rows.push_back(
        {std::move(name),
         {measured.micros("loop"), measured.micros("toa-writer"), measured.micros("toa-reader"),
          measured.micros("workers"), measured.client_micros()}});
  };
  for (const auto& each : http.compared) {
    add(name_of(each.cell) + ", once", each.once);
    add(name_of(each.cell) + ", without once", each.without);
  }
  for (const auto& [clients, measured] : http.repeats)
    add(clients_of(clients) + ", recognised repeat", measured);
  return table;
}

}  // namespace toa::bench
