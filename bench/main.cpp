#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>

#include "calls.hpp"
#include "commits.hpp"
#include "deliveries.hpp"
#include "disk.hpp"
#include "expect.hpp"
#include "figures.hpp"
#include "http.hpp"
#include "options.hpp"
#include "program.hpp"
#include "queries.hpp"
#include "shop.hpp"

namespace toa::bench {
namespace {

namespace fs = std::filesystem;

constexpr auto app = TOA_SOURCE_DIR "/bench/app";
constexpr std::array<std::size_t, 4> groups{1, 16, 64, 256};
constexpr std::array<Cell, 6> cells{
    {{1, 1'000}, {1, 1}, {64, 1'000}, {64, 1}, {256, 1'000}, {256, 1}}};

/// Measures all in one run, so that the ratios are of one machine in one mood.
class Run {
 public:
  explicit Run(const Options& options) : options_(options) {}

  void all() {
    flushes();
    commits();
    queries();
    shop();
    calls();
    http();
    deliveries();
    unsynced();
    ratios();
    if (options_.json) {
      std::puts(print_json(tables_, bars_).c_str());
    } else {
      std::fputs(print(bars_).c_str(), stdout);
    }
  }

  void only_http() {
    commits();
    http();
    std::fputs(print(bars_).c_str(), stdout);
  }

  void only_calls() {
    flushes();
    commits();
    shop();
    calls();
    unsynced();
    ratios();
    std::fputs(print(bars_).c_str(), stdout);
  }

  void only_queries() {
    queries();
    std::fputs(print(bars_).c_str(), stdout);
  }

 private:
  void tell(Table table) {
    if (!options_.json) std::fputs(print(table).c_str(), stdout);
    std::fflush(stdout);
    tables_.push_back(std::move(table));
  }

  void flushes() {
    const auto flushes = measure_flushes(options_.folder, options_.duration / 2);
    tell({.key = "disk",
          .title = "The disk",
          .columns = {{"p50_ms", "p50 ms", 3}, {"p99_ms", "p99 ms", 3}},
          .rows = {{"fdatasync of 4 KB appended",
                    {milliseconds(flushes.at(0.5)), milliseconds(flushes.at(0.99))}}}});
  }

  void commits() {
    Table table{.key = "commits",
                .title = "Durable commits of `once` transitions, without an application",
                .columns = {{"bare_rate", "bare SQLite/s", 0},
                            {"bare_p50_ms", "commit p50 ms", 3},
                            {"storage_rate", "SqliteStorage/s", 0},
                            {"storage_p50_ms", "unit p50 ms", 3},
                            {"ratio", "ratio", 2}}};
    for (const auto group : groups) {
      const auto bare = commit_bare(options_.folder, group, options_.duration / 2);
      const auto units = commit_units(options_.folder, group, options_.duration / 2);
      table.rows.push_back({fmt::format("{:3} a commit", group),
                            {bare.rate(), milliseconds(bare.waits.at(0.5)), units.rate(),
                             milliseconds(units.waits.at(0.5)), units.rate() / bare.rate()}});
      if (group == 64) sixty_four_ = bare.rate();
      if (group == 256) ceiling_ = bare.rate();
      if (group == 1) lone_commit_ms_ = milliseconds(bare.waits.at(0.5));
    }
    tell(std::move(table));
  }

  /// What SQLite alone does is measured on both sides of what is compared with it, and the better
  /// one counts: a disk that others write to meanwhile only makes it worse.
  void commits_again() {
    const auto folder = options_.folder + "/again";
    fs::create_directories(folder);
    const auto some = commit_bare(folder, 64, options_.duration / 2);
    const auto lone = commit_bare(folder, 1, options_.duration / 2);
    sixty_four_ = std::max(sixty_four_, some.rate());
    lone_commit_ms_ = std::min(lone_commit_ms_, milliseconds(lone.waits.at(0.5)));
  }

  void queries() {
    Table table{.key = "queries",
                .title = "Finding objects: one by its id, ten by indexed criteria",
                .columns = {{"load_p50_ms", "load p50 ms", 3},
                            {"load_p99_ms", "p99", 3},
                            {"held_p50_ms", "held p50 ms", 3},
                            {"cold_p50_ms", "cold p50 ms", 3},
                            {"equal_p50_ms", "equal p50 ms", 3},
                            {"equal_p99_ms", "p99", 3},
                            {"page_p50_ms", "sorted p50 ms", 3},
                            {"page_p99_ms", "p99", 3},
                            {"range_p50_ms", "range p50 ms", 3},
                            {"range_p99_ms", "p99", 3},
                            {"crossed_p50_ms", "two indexes p50 ms", 3},
                            {"crossed_p99_ms", "p99", 3},
                            {"filled", "filled/s", 0}}};
    double slowest = 0;
    std::vector<std::size_t> sizes{1'000};
    for (std::size_t size = 1'000'000; size <= options_.objects; size *= 10) sizes.push_back(size);
    for (const auto& at : measure_queries(options_.folder, sizes, options_.duration / 2)) {
      table.rows.push_back(
          {fmt::format("{:8} objects", at.objects),
           {milliseconds(at.loads.at(0.5)), milliseconds(at.loads.at(0.99)),
            milliseconds(at.held.at(0.5)), milliseconds(at.cold.at(0.5)),
            milliseconds(at.equals.at(0.5)), milliseconds(at.equals.at(0.99)),
            milliseconds(at.pages.at(0.5)), milliseconds(at.pages.at(0.99)),
            milliseconds(at.ranges.at(0.5)), milliseconds(at.ranges.at(0.99)),
            milliseconds(at.crossed.at(0.5)), milliseconds(at.crossed.at(0.99)), at.filled_per_s}});
      if (at.objects != 1'000'000) continue;
      for (const auto* spread : {&at.equals, &at.pages, &at.ranges, &at.crossed})
        slowest = std::max(slowest, milliseconds(spread->at(0.99)));
    }
    if (slowest > 0)
      bars_.push_back(
          {"ten of 1,000,000 by indexed criteria, p99 of the slowest", slowest, 5, "ms"});
    tell(std::move(table));
  }

  void shop() {
    const auto shop = measure_shop(options_);
    const auto row = [](const Spread& times) -> std::vector<std::optional<double>> {
      return {milliseconds(times.at(0.5)), milliseconds(times.at(1))};
    };
    tell({.key = "command_line",
          .title = "The example shop at the command line",
          .columns = {{"p50_ms", "p50 ms", 1}, {"most_ms", "most ms", 1}},
          .rows = {{"toa start, until ready", row(shop.starts)},
                   {"toa call, running application", row(shop.calls_running)},
                   {"toa call, no application runs", row(shop.calls_alone)}}});
    bars_.push_back({"start to ready", seconds(shop.starts.at(0.5)), 1, "s"});
    bars_.push_back({"`toa call` on a running application",
                     milliseconds(shop.calls_running.at(0.5)), 50, "ms"});
    bars_.push_back({"idle memory, workers apart", shop.idle_mb, 60, "MB"});
    idle_mb_ = shop.idle_mb;
  }

  void calls() {
    const Application application(options_.toa, app, options_.folder + "/app");
    for (const auto& cell : cells)
      compared_.push_back(compare(options_, application.socket(), application.pid(), cell));
    std::vector<std::pair<std::size_t, Measured>> repeats;
    for (const auto callers : {std::size_t{1}, std::size_t{256}})
      repeats.emplace_back(callers,
                           repeat(options_, application.socket(), application.pid(), callers));
    tell(table_of_calls(compared_, repeats));
    tell(table_of_processor_time(compared_, repeats));
    tell({.key = "memory",
          .title = "Memory of the program, workers apart",
          .columns = {{"mb", "MB", 1}},
          .rows = {{"the shop, idle", {idle_mb_}},
                   {"after this load", {resident_mb(application.pid())}}}});
    bars_.push_back(
        {"a recognised repeat, p50", milliseconds(repeats[0].second.seen.waits.at(0.5)), 1, "ms"});
  }

  void http() {
    const auto http = measure_http(options_);
    const auto unsynced = measure_http_unsynced(options_);
    commits_again();
    if (!options_.json && !http.code.empty())
      std::printf("\nThe service by hand (bench/yardstick/service.mjs)\n\n%s", http.code.c_str());
    tell(table_of_http(http));
    tell(table_of_http_time(http));
    const auto& many = http.at(256, 1'000);
    const auto& some = http.at(64, 1'000);
    const auto& one = http.at(256, 1);
    tell({.key = "http_ratios",
          .title = "Ratios over HTTP",
          .columns = {{"ratio", "", 3}},
          .rows = {
              {"bare SQLite at 64 a commit, operations/s", {sixty_four_}},
              {"bare SQLite, a lone commit, p50 ms", {lone_commit_ms_}},
              {"64 clients / bare SQLite at 64 a commit", {some.once.seen.rate() / sixty_four_}},
              {"256 clients / bare SQLite at 64 a commit", {many.once.seen.rate() / sixty_four_}},
              {"256 clients: one wallet / 1000 wallets",
               {one.once.seen.rate() / many.once.seen.rate()}},
              {"256 clients: fsync on / off", {many.once.seen.rate() / unsynced.once.seen.rate()}},
              {"256 clients: what `once` costs, %", {many.once_cost()}},
              {"256 clients: what `once` costs with fsync off, %", {unsynced.once_cost()}},
              {"memory, workers apart, idle, MB", {http.idle_mb}},
              {"memory, workers apart, after this load, MB", {http.loaded_mb}}}});
    bars_.push_back({"a recognised repeat over HTTP, p50",
                     milliseconds(http.repeats.front().second.seen.waits.at(0.5)), 1, "ms"});
    bars_.push_back({"one client over HTTP: p50 less one bare commit",
                     milliseconds(http.at(1, 1'000).once.seen.waits.at(0.5)) - lone_commit_ms_, 0.5,
                     "ms"});
    bars_.push_back({"memory under HTTP load, workers apart", http.loaded_mb, 250, "MB"});
    for (const auto* each : {&some, &many})
      if (each->yardstick.seconds > 0)
        bars_.push_back({fmt::format("{} clients: the hand-written service's part of the rate",
                                     each->cell.callers),
                         each->yardstick.rate() / each->once.seen.rate(), 1.0 / 6, ""});
  }

  void deliveries() {
    const auto end_to_end = measure_deliveries(options_);
    const auto backlogs = measure_backlogs(options_);
    tell(table_of_deliveries(end_to_end, backlogs));
    tell(table_of_backlogs(backlogs));
    bars_.push_back({"a delivery, of the time that 15,000/s leave it", 1e6 / end_to_end.all.rate(),
                     1e6 / 15'000, "µs"});
    bars_.push_back({"after a kill with 100,000 messages, the first delivery",
                     seconds(backlogs.to_first_delivery), 5, "s"});
    bars_.push_back(
        {"memory with 1,000,000 messages, workers apart", backlogs.million_mb, 250, "MB"});
  }

  void unsynced() {
    const Application application(options_.unsynced, app, options_.folder + "/unsynced");
    unsynced_ = compare(options_, application.socket(), application.pid(), {256, 1'000});
  }

  void ratios() {
    Table once{.key = "once_cost",
               .title = "What `once` costs, in percent of the rate without it",
               .columns = {{"percent", "%", 1}}};
    for (const auto& each : compared_)
      once.rows.push_back({fmt::format("{:3} {}, {}", each.cell.callers,
                                       each.cell.callers == 1 ? "caller" : "callers",
                                       each.cell.objects == 1 ? "one object" : "1000 objects"),
                           {each.once_cost()}});
    once.rows.push_back({"256 callers, 1000 objects, fsync off", {unsynced_.once_cost()}});
    tell(std::move(once));

    const auto& many = compared_[4];
    const auto& one = compared_[5];
    tell({.key = "ratios",
          .title = "Ratios within this run",
          .columns = {{"ratio", "", 3}},
          .rows = {{"`once` at 256 callers / bare SQLite at 256 a commit",
                    {many.once.seen.rate() / ceiling_}},
                   {"`once` at 256 callers: fsync on / off",
                    {many.once.seen.rate() / unsynced_.once.seen.rate()}},
                   {"256 callers: one object / 1000 objects",
                    {one.once.seen.rate() / many.once.seen.rate()}},
                   {"`once` / empty operation at 256 callers",
                    {many.once.seen.rate() / many.noop.seen.rate()}},
                   {"one caller, `once`: p50 less one bare commit, ms",
                    {milliseconds(compared_[0].once.seen.waits.at(0.5)) - lone_commit_ms_}}}});
  }

  const Options& options_;
  std::vector<Table> tables_;
  std::vector<Bar> bars_;
  std::vector<Compared> compared_;
  Compared unsynced_;
  double sixty_four_ = 0;
  double ceiling_ = 0;
  double lone_commit_ms_ = 0;
  double idle_mb_ = 0;
};

void deliveries_for_a_profiler(const Options& options) {
  const auto measured = measure_deliveries(options);
  std::fputs(print(table_of_deliveries(measured, {})).c_str(), stdout);
  std::printf("%.0f calls/s meanwhile\n", measured.calls_rate);
}

/// Of the slices, in ascending order, the one at this share.
template <class Figure>
double at_share(const std::vector<Measured>& slices, double share, const Figure& figure) {
  std::vector<double> figures;
  for (const auto& slice : slices) figures.push_back(figure(slice));
  std::ranges::sort(figures);
  return figures[static_cast<std::size_t>(share * static_cast<double>(figures.size() - 1))];
}

void credits_for_a_profiler(const Options& options) {
  Table table{.key = "web",
              .title =
                  "Credits; the slice in the middle; processor time a request in "
                  "microseconds, of the slice at a tenth: a busy machine adds, and never takes",
              .columns = {{"rate", "credits/s", 0},
                          {"p50_ms", "p50 ms", 2},
                          {"p99_ms", "p99 ms", 2},
                          {"loop_us", "loop", 1},
                          {"writer_us", "writer", 1},
                          {"reader_us", "reader", 1},
                          {"workers_us", "workers", 1},
                          {"client_us", "client", 1}}};
  auto programs = options.against;
  programs.insert(programs.begin(), options.toa);
  const auto contenders = credit_for(options);
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    const auto of = [&](const auto& figure) { return at_share(contenders[i], 0.5, figure); };
    const auto thread = [&](const char* name) {
      return at_share(contenders[i], 0.1,
                      [name](const Measured& each) { return each.micros(name); });
    };
    table.rows.push_back(
        {programs[i],
         {of([](const Measured& each) { return each.seen.rate(); }),
          of([](const Measured& each) { return milliseconds(each.seen.waits.at(0.5)); }),
          of([](const Measured& each) { return milliseconds(each.seen.waits.at(0.99)); }),
          thread("loop"), thread("toa-writer"), thread("toa-reader"), thread("workers"),
          at_share(contenders[i], 0.1,
                   [](const Measured& each) { return each.client_micros(); })}});
  }
  std::fputs(print(table).c_str(), stdout);
}

void load_for_a_profiler(const Options& options) {
  if (options.only == "credit") return deliveries_for_a_profiler(options);
  if (options.only == "backlogs") {
    std::fputs(print(table_of_backlogs(measure_backlogs(options))).c_str(), stdout);
    return;
  }
  if (options.only.starts_with("web")) return credits_for_a_profiler(options);
  const Application application(options.toa, app, options.folder + "/app");
  std::printf("process %d\n", application.pid());
  std::fflush(stdout);
  const auto measured = call_for(options, application.socket(), application.pid(), options.only);
  std::printf("%.0f calls/s\n", measured.seen.rate());
}

Options defaults(const fs::path& self) {
  Options options;
  options.toa = self.parent_path().parent_path() / "toa";
  options.unsynced = self.parent_path() / "unsynced" / "toa_unsynced";
  // Beside the program and not in /tmp, which may be memory.
  options.folder = self.parent_path();
  return options;
}

int main(int argc, char** argv) {
  auto options = defaults(fs::read_symlink("/proc/self/exe"));
  long duration = options.duration.count();
  CLI::App line(
      "Measures Toa: disk, commits, calls, command line; prints figures and ratios of one run.");
  line.add_option("--toa", options.toa, "The program")->check(CLI::ExistingFile);
  line.add_option("--data", options.folder, "The folder to measure in, on the disk that matters");
  line.add_option("--duration", duration, "Milliseconds that each cell takes")
      ->check(CLI::Range(100, 600'000));
  line.add_option("--connections", options.connections, "Connections that callers share")
      ->check(CLI::Range(1, 256));
  line.add_flag("--json", options.json, "One JSON object instead of tables");
  line.add_option("--only", options.only,
                  "Only this operation, by 256 callers, for a profiler; or only that part")
      ->check(CLI::IsMember({"add", "bump", "noop", "credit", "backlogs", "queries", "calls",
                             "http", "web", "web-add"}));
  line.add_option("--against", options.against,
                  "Other builds of the program, which `--only web` measures in turns with it");
  line.add_option("--callers", options.callers, "Clients of `--only web` and `web-add`")
      ->check(CLI::Range(1, 10'000));
  line.add_option("--wallets", options.wallets, "Wallets of these")
      ->check(CLI::Range(1, 1'000'000));
  line.add_option("--objects", options.objects, "Objects that queries are made over, at most")
      ->check(CLI::Range(1'000, 10'000'000));
  CLI11_PARSE(line, argc, argv);
  options.duration = std::chrono::milliseconds(duration);

  // What is measured opens ports of its own, beside whatever else runs here.
  ::setenv("TOA_PORT", "0", 1);
  ::setenv("TOA_READY_PORT", "0", 1);
  options.folder += "/data-" + std::to_string(::getpid());
  fs::create_directories(options.folder);
  if (!options.json) std::printf("toa_bench: %u cores\n", std::thread::hardware_concurrency());
  int code = 0;
  try {
    if (options.only.empty()) {
      Run(options).all();
    } else if (options.only == "queries") {
      Run(options).only_queries();
    } else if (options.only == "calls") {
      Run(options).only_calls();
    } else if (options.only == "http") {
      Run(options).only_http();
    } else {
      load_for_a_profiler(options);
    }
  } catch (const Failed& failed) {
    std::fprintf(stderr, "toa_bench: %s\n", failed.what());
    code = 1;
  }
  fs::remove_all(options.folder);
  return code;
}

}  // namespace
}  // namespace toa::bench

int main(int argc, char** argv) {
  return toa::bench::main(argc, argv);
}
