#include "deliveries.hpp"

#include <csignal>
#include <fmt/format.h>
#include <thread>

#include "backlog.hpp"
#include "base/json.hpp"
#include "base/random.hpp"
#include "expect.hpp"
#include "load.hpp"
#include "program.hpp"
#include "runtime/control_client.hpp"

namespace toa::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto app = TOA_SOURCE_DIR "/bench/app";
constexpr std::uint64_t many = 100'000;
constexpr std::uint64_t million = 1'000'000;
constexpr std::size_t callers = 256;
constexpr std::chrono::seconds patience{120};
constexpr std::chrono::milliseconds glance{5};

template <class Holds>
void wait_until(const std::string& what, Holds holds) {
  const auto deadline = Clock::now() + patience;
  while (!holds()) {
    expect(Clock::now() < deadline, "waited in vain until " + what);
    std::this_thread::sleep_for(glance);
  }
}

MakeRequest credits() {
  return [random = SystemRandom()](std::string& out) mutable {
    fmt::format_to(std::back_inserter(out), R"({{"query":{{"id":"{:032x}"}},"input":{{"by":1}}}})",
                   random.below(1'000));
  };
}

/// Counts what is applied, and what it costs, from its making on.
class Watch {
 public:
  Watch(const std::string& data, pid_t process)
      : backlog_(data),
        process_(process),
        used_(processor_time(process)),
        applied_(backlog_.applied()),
        began_(Clock::now()) {}

  Delivered look() {
    return {.count = backlog_.applied() - applied_,
            .seconds = seconds(Clock::now() - began_),
            .used = processor_time(process_) - used_};
  }
  void wait_until_done() {
    wait_until("all messages are applied", [this] { return backlog_.waiting() == 0; });
  }

 private:
  Backlog backlog_;
  pid_t process_;
  ProcessorTime used_;
  std::uint64_t applied_;
  Clock::time_point began_;
};

/// The most memory that a process takes while it is looked at.
class Most {
 public:
  explicit Most(pid_t process) : process_(process) {}
  void look() { mb_ = std::max(mb_, resident_mb(process_)); }
  double mb() const { return mb_; }

 private:
  pid_t process_;
  double mb_ = 0;
};

void lay(const Options& options, const std::string& data) {
  const Application once(options.toa, app, data);
}

void kill(const Application& application) {
  ::kill(application.pid(), SIGKILL);
  wait_until("a killed process is gone", [&] { return ::kill(application.pid(), 0) != 0; });
}

/// How long a task of a component without a backlog waits until it is done.
Nanoseconds measure_other(runtime::ControlClient& client, std::uint64_t object) {
  const auto id = fmt::format("{:032x}", 0xbeef0000 + object);
  const auto began = Clock::now();
  expect(client
             .call("bench.counters.bump",
                   R"({"query":{"id":")" + id + R"("},"input":{"by":1},"task":true})", {})
             .has_value(),
         "a task was not taken");
  const auto done = [&] {
    const auto reply =
        client.call("bench.counters.observe", R"({"query":{"id":")" + id + R"("}})", {});
    expect(reply.has_value(), "a counter cannot be observed");
    const auto* output = std::get_if<Output>(&reply->outcome);
    const auto* total =
        output != nullptr && output->value ? json::find(output->value->value(), "total") : nullptr;
    return total != nullptr && total->is_int64() && total->as_int64() == 1;
  };
  while (!done()) expect(Clock::now() - began < patience, "a task was not done");
  return Clock::now() - began;
}

void measure_many(const Options& options, Backlogs& measured) {
  const auto data = options.folder + "/many";
  lay(options, data);
  Backlog backlog(data);
  backlog.add_messages(many + 20'000);
  {
    const Application first(options.toa, app, data);
    wait_until("something is applied", [&] { return backlog.applied() > 0; });
    kill(first);
  }
  expect(backlog.waiting() >= many, "the first process has left too little");
  const auto before = backlog.applied();
  const auto began = Clock::now();
  const Application second(options.toa, app, data);
  measured.to_ready = second.start_took();
  wait_until("something is applied again", [&] { return backlog.applied() > before; });
  measured.to_first_delivery = Clock::now() - began;
}

void measure_million(const Options& options, Backlogs& measured) {
  const auto data = options.folder + "/million";
  lay(options, data);
  Backlog backlog(data);
  backlog.add_messages(million);
  {
    const Application first(options.toa, app, data);
    wait_until("something is applied", [&] { return backlog.applied() > 0; });
    kill(first);
  }
  const Application second(options.toa, app, data);
  measured.million_to_ready = second.start_took();
  auto client = runtime::ControlClient::connect(second.socket());
  expect(client.has_value(), "the control socket does not answer");
  Watch watch(data, second.pid());
  Most most(second.pid());
  const auto until = Clock::now() + 4 * options.duration;
  for (std::uint64_t n = 0; Clock::now() < until; ++n) {
    measured.others.add(measure_other(*client, n));
    most.look();
    std::this_thread::sleep_for(20 * glance);
  }
  measured.million = watch.look();
  measured.million_mb = most.mb();
  expect(backlog.waiting() > 0, "the backlog was too small to measure");
}

void measure_records(const Options& options, Backlogs& measured) {
  const auto data = options.folder + "/records";
  lay(options, data);
  Backlog backlog(data);
  backlog.add_records(many);
  const Application application(options.toa, app, data);
  Watch watch(data, application.pid());
  Most most(application.pid());
  wait_until("the outbox is empty", [&] { return most.look(), backlog.waiting() == 0; });
  measured.records = watch.look();
  measured.records_mb = most.mb();
}

std::vector<std::optional<double>> values_of(const Delivered& delivered) {
  return {delivered.rate(), delivered.micros("loop"), delivered.micros("toa-writer"),
          delivered.micros("toa-reader"), delivered.micros("workers")};
}

}  // namespace

double Delivered::micros(const std::string& thread) const {
  const auto found = used.find(thread);
  if (found == used.end() || count == 0) return 0;
  return static_cast<double>(found->second.count()) / 1e3 / static_cast<double>(count);
}

EndToEnd measure_deliveries(const Options& options) {
  const auto data = options.folder + "/deliveries";
  const Application application(options.toa, app, data);
  EndToEnd measured;
  Load load(application.socket(), callers, options.connections);
  const auto no_more = [] {};
  load.run("bench.sources.credit", credits(),
           {std::chrono::milliseconds(0), options.duration / 5, no_more, no_more});
  Watch(data, application.pid()).wait_until_done();

  Watch all(data, application.pid());
  const auto seen =
      load.run("bench.sources.credit", credits(),
               {std::chrono::milliseconds(0), 2 * options.duration, no_more, no_more});
  Watch rest(data, application.pid());
  expect(seen.failed == 0, "a call failed: " + seen.first_failure);
  rest.wait_until_done();
  measured.rest = rest.look();
  measured.all = all.look();
  measured.calls_rate = seen.rate();
  return measured;
}

Backlogs measure_backlogs(const Options& options) {
  Backlogs measured;
  measure_many(options, measured);
  measure_million(options, measured);
  measure_records(options, measured);
  return measured;
}

Table table_of_deliveries(const EndToEnd& end_to_end, const Backlogs& backlogs) {
  return {.key = "deliveries",
          .title = "From event to receiver, durable; processor time a delivery in microseconds",
          .columns = {{"rate", "deliveries/s", 0},
                      {"loop_us", "loop", 1},
                      {"writer_us", "writer", 1},
                      {"reader_us", "reader", 1},
                      {"workers_us", "workers", 1}},
          .rows = {{"calls, their events, their receivers", values_of(end_to_end.all)},
                   {"what was left of them when the calls ended", values_of(end_to_end.rest)},
                   {"a backlog of 1,000,000 messages", values_of(backlogs.million)},
                   {"a backlog of 100,000 changes", values_of(backlogs.records)}}};
}

Table table_of_backlogs(const Backlogs& backlogs) {
  return {.key = "backlogs",
          .title = "Backlogs, after a kill",
          .columns = {{"value", "", 1}},
          .rows = {{"100,000 messages: to ready, ms", {milliseconds(backlogs.to_ready)}},
                   {"100,000 messages: to the first delivery, ms",
                    {milliseconds(backlogs.to_first_delivery)}},
                   {"1,000,000 messages: to ready, ms", {milliseconds(backlogs.million_to_ready)}},
                   {"1,000,000 messages: memory, MB", {backlogs.million_mb}},
                   {"meanwhile, a task of another component, p50 ms",
                    {milliseconds(backlogs.others.at(0.5))}},
                   {"meanwhile, a task of another component, most ms",
                    {milliseconds(backlogs.others.at(1))}},
                   {"100,000 changes: memory, MB", {backlogs.records_mb}}}};
}

}  // namespace toa::bench
