#include "calls.hpp"

#include <fmt/format.h>

#include "base/random.hpp"
#include "expect.hpp"

namespace toa::bench {
namespace {

constexpr int turns = 3;
constexpr std::chrono::milliseconds warm_up{150};
constexpr std::size_t repeated_calls = 4'096;

void append_call(std::string& out, std::uint64_t first, std::uint64_t second, std::size_t object) {
  fmt::format_to(std::back_inserter(out),
                 R"({{"id":"{:016x}{:016x}","query":{{"id":"{:032x}"}},"input":{{"by":1}}}})",
                 first, second, object);
}

/// Identities as `idempotency-key` gives them: without order.
MakeRequest fresh_calls(std::size_t objects) {
  return [objects, random = SystemRandom()](std::string& out) mutable {
    const auto first = random.next();
    append_call(out, first, random.next(), random.below(objects));
  };
}

/// The same calls over and over, each by one caller at a time.
MakeRequest known_calls(std::uint64_t seed) {
  return [seed, next = std::uint64_t{0}](std::string& out) mutable {
    const auto call = next++ % repeated_calls;
    append_call(out, seed, call, call % 1'000);
  };
}

void empty_calls(std::string& out) {
  out += "{}";
}

Measured measure(Load& load, pid_t process, const std::string& endpoint, const MakeRequest& request,
                 std::chrono::milliseconds duration) {
  Measured measured;
  ProcessorTime before;
  measured.seen = load.run(endpoint, request,
                           {.warm_up = warm_up,
                            .measured = duration,
                            .begins = [&] { before = processor_time(process); },
                            .ends = [&] { measured.used = processor_time(process) - before; }});
  expect(measured.seen.failed == 0,
         "a call of " + endpoint + " failed: " + measured.seen.first_failure);
  return measured;
}

std::string callers_of(std::size_t callers) {
  return fmt::format("{:3} {}", callers, callers == 1 ? "caller" : "callers");
}

std::string name_of(const Cell& cell, const std::string& operation) {
  const auto on = cell.objects == 1 ? "one object" : std::to_string(cell.objects) + " objects";
  return fmt::format("{}, {}, {}", callers_of(cell.callers), on, operation);
}

/// Gives each measured operation of the run its row.
template <class Fill>
void fill(Table& table, const std::vector<Compared>& compared,
          const std::vector<std::pair<std::size_t, Measured>>& repeats, const Fill& values) {
  for (const auto& each : compared) {
    table.rows.push_back({name_of(each.cell, "once"), values(each.once)});
    table.rows.push_back({name_of(each.cell, "without once"), values(each.without)});
    if (each.noop.seen.seconds > 0)
      table.rows.push_back(
          {callers_of(each.cell.callers) + ", empty operation", values(each.noop)});
  }
  for (const auto& [callers, each] : repeats)
    table.rows.push_back({callers_of(callers) + ", recognised repeat", values(each)});
}

}  // namespace

void Measured::add(const Measured& other) {
  seen.add(other.seen);
  for (const auto& [name, time] : other.used) used[name] += time;
}

double Measured::micros(const std::string& thread) const {
  const auto found = used.find(thread);
  if (found == used.end() || seen.waits.count() == 0) return 0;
  return static_cast<double>(found->second.count()) / 1e3 / static_cast<double>(seen.waits.count());
}

double Measured::client_micros() const {
  if (seen.waits.count() == 0) return 0;
  return static_cast<double>(seen.own_time.count()) / 1e3 / static_cast<double>(seen.waits.count());
}

Compared compare(const Options& options, const std::string& socket, pid_t process, Cell cell) {
  Load load(socket, cell.callers, options.connections);
  Compared compared{.cell = cell, .once = {}, .without = {}, .noop = {}};
  const auto slice = options.duration / turns;
  const auto calls = fresh_calls(cell.objects);
  for (int turn = 0; turn < turns; ++turn) {
    compared.once.add(measure(load, process, "bench.counters.add", calls, slice));
    compared.without.add(measure(load, process, "bench.counters.bump", calls, slice));
    if (cell.objects > 1)
      compared.noop.add(measure(load, process, "bench.counters.noop", empty_calls, slice));
  }
  return compared;
}

Measured call_for(const Options& options, const std::string& socket, pid_t process,
                  const std::string& operation) {
  Load load(socket, 256, options.connections);
  const auto calls = operation == "noop" ? MakeRequest(empty_calls) : fresh_calls(1'000);
  return measure(load, process, "bench.counters." + operation, calls, options.duration);
}

Measured repeat(const Options& options, const std::string& socket, pid_t process,
                std::size_t callers) {
  Load load(socket, callers, options.connections);
  const auto calls = known_calls(SystemRandom().next());
  // Made for the first time by 256 callers, since one alone would take seconds.
  Load first(socket, 256, options.connections);
  measure(first, process, "bench.counters.add", calls, std::chrono::milliseconds(400));
  auto measured = measure(load, process, "bench.counters.add", calls, options.duration / 2);
  expect(measured.seen.replayed == measured.seen.waits.count(), "a repeat was not recognised");
  return measured;
}

Table table_of_calls(const std::vector<Compared>& compared,
                     const std::vector<std::pair<std::size_t, Measured>>& repeats) {
  Table table{
      .key = "calls",
      .title = "Calls over the control socket, TypeScript, durable before the reply",
      .columns = {{"rate", "calls/s", 0}, {"p50_ms", "p50 ms", 3}, {"p99_ms", "p99 ms", 3}}};
  fill(table, compared, repeats,
       [](const Measured& measured) -> std::vector<std::optional<double>> {
         const auto& waits = measured.seen.waits;
         return {measured.seen.rate(), milliseconds(waits.at(0.5)), milliseconds(waits.at(0.99))};
       });
  return table;
}

Table table_of_processor_time(const std::vector<Compared>& compared,
                              const std::vector<std::pair<std::size_t, Measured>>& repeats) {
  Table table{.key = "processor_time",
              .title = "Processor time a call in microseconds, by thread; the load generator last",
              .columns = {{"loop_us", "loop", 1},
                          {"writer_us", "writer", 1},
                          {"reader_us", "reader", 1},
                          {"workers_us", "workers", 1},
                          {"client_us", "client", 1}}};
  fill(table, compared, repeats,
       [](const Measured& measured) -> std::vector<std::optional<double>> {
         return {measured.micros("loop"), measured.micros("toa-writer"),
                 measured.micros("toa-reader"), measured.micros("workers"),
                 measured.client_micros()};
       });
  return table;
}

}  // namespace toa::bench
