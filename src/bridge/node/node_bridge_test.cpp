#include "bridge/node/node_bridge.hpp"

#include <fcntl.h>
#include <fstream>
#include <map>
#include <sys/wait.h>

#include "bridge/conformance.hpp"
#include "bridge/node/node_subject.hpp"

namespace toa::bridge::testing {
namespace {

using namespace std::chrono_literals;

class FakeSubject : public NodeSubject {
 public:
  FakeSubject() { EXPECT_TRUE(load(application(conformance_operations)).has_value()); }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Node, BridgeConformance, FakeSubject);

NodeOptions two_workers() {
  return {.workers = 2};
}

NodeOptions impatient() {
  return {.workers = 1,
          .silence_max = 300ms,
          .ping_interval = 50ms,
          .finish_max = 100ms,
          .stop_max = 100ms};
}

/// Operations by name, in one loaded bridge that is closed at the end.
class Fake : public NodeSubject {
 public:
  Fake(std::vector<std::string> operations, NodeOptions options)
      : NodeSubject(std::move(options)), operations_(operations) {
    loaded = load(application(operations));
  }
  ~Fake() {
    if (!closed_) close();
  }
  void close_and_keep() {
    close();
    closed();
  }
  /// The test has closed the bridge itself.
  void closed() { closed_ = true; }

  Run run(const std::string& name, std::string input = "{}") {
    const auto at = std::ranges::find(operations_, name) - operations_.begin();
    return run_of(static_cast<std::uint32_t>(at), text(std::move(input)));
  }
  Ran ran(const std::string& name, std::string input = "{}") {
    return NodeSubject::ran(run(name, std::move(input)), host);
  }

  Result<Loaded> loaded;
  NotingHost host;

 private:
  std::vector<std::string> operations_;
  bool closed_ = false;
};

std::string marker(const std::string& file) {
  return json::print(JsonObject{{"marker", file}});
}

TEST(NodeBridge, SaysWhatItFoundAndWhatIsWrong) {
  Fake fake({"echo", "absent"}, two_workers());
  ASSERT_TRUE(fake.loaded.has_value());
  ASSERT_EQ(fake.loaded->found.size(), 1u);
  EXPECT_EQ(fake.loaded->found[0].type, "computation");
  ASSERT_EQ(fake.loaded->faults.size(), 1u);
  EXPECT_EQ(fake.loaded->faults[0].line, 3);
}

std::string load_failure(NodeOptions options, std::string name) {
  NodeSubject subject(std::move(options));
  auto broken = application({"echo"});
  broken.name = std::move(name);
  const auto loaded = subject.load(std::move(broken));
  subject.close();
  return loaded ? "" : loaded.error().message;
}

TEST(NodeBridge, FailsToLoadWithTheOutputOfAWorkerThatExits) {
  const auto message = load_failure(two_workers(), "exits");
  EXPECT_TRUE(message.contains("exit status 1")) << message;
  EXPECT_TRUE(message.contains("SyntaxError: of the worker itself")) << message;
}

TEST(NodeBridge, FailsToLoadWhereAWorkerTakesTooLong) {
  const auto message = load_failure({.ping_interval = 20ms, .load_max = 300ms}, "never");
  EXPECT_TRUE(message.contains("took more than 0.3 s to load")) << message;
}

TEST(NodeBridge, SaysThatNodeIsMissing) {
  const auto message = load_failure({.node = "/nowhere/node"}, "shop");
  EXPECT_TRUE(message.contains("/nowhere/node")) << message;
  EXPECT_TRUE(message.contains("18 or newer")) << message;
}

TEST(NodeBridge, SaysWhichNodeIsTooOld) {
  const auto loaded = load_failure({}, "old");
  EXPECT_TRUE(loaded.contains("v16.20.2 was found") && loaded.contains("18 or newer")) << loaded;

  const TemporaryFolder folder;
  const auto file = folder.file("node");
  std::ofstream(file) << "#!/bin/sh\n[ \"$1\" = --version ] && echo v12.0.0 && exit\necho "
                         "SyntaxError >&2; exit 1\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  const auto started = load_failure({.node = file}, "shop");
  EXPECT_TRUE(started.contains("v12.0.0 was found")) << started;
}

TEST(NodeBridge, GivesAWorkerItsSocketAndNothingElse) {
  const auto inherited = ::open("/dev/zero", O_RDONLY);  // not close-on-exec
  Fake fake({"environment"}, {});
  const auto reply = fake.ran("environment");
  ::close(inherited);
  EXPECT_TRUE(reply_of(reply).starts_with(R"({"fd":"3")")) << reply_of(reply);
  EXPECT_FALSE(reply_of(reply).contains("/dev/zero"));
}

TEST(NodeBridge, RefusesDocumentsThatAreNoJsonOfOurs) {
  Fake fake({"big", "not_json", "echo"}, {});
  EXPECT_TRUE(message_of(fake.ran("big")).contains("beyond 2^53"));
  EXPECT_TRUE(message_of(fake.ran("big")).contains("shop.wallets.big"));
  EXPECT_TRUE(message_of(fake.ran("not_json")).contains("not valid JSON"));
  EXPECT_EQ(reply_of(fake.ran("echo", "1")), "1");
}

/// Answers whether the state that a run was given is durable by what it was made with.
class SettlingHost final : public Host {
 public:
  explicit SettlingHost(std::optional<Exception> why_not) : why_not_(std::move(why_not)) {}
  void restarted() override {}
  void leave() override {}
  Task<std::optional<Exception>> settle() override { co_return why_not_; }
  Task<Outcome> call(Where, std::string, Document) override { co_return Output{}; }

 private:
  std::optional<Exception> why_not_;
};

// D5
TEST(NodeBridge, TellsARunWhetherWhatItWasGivenIsDurable) {
  Fake fake({"settles"}, {});
  SettlingHost durable(std::nullopt);
  EXPECT_EQ(reply_of(fake.NodeSubject::ran(fake.run("settles"), durable)), R"("durable")");
  SettlingHost taken_back(Exception{.message = "it was taken back"});
  EXPECT_EQ(reply_of(fake.NodeSubject::ran(fake.run("settles"), taken_back)),
            R"("it was taken back")");
}

/// What a run was answered, put where its key says.
Task<void> note(Fake& fake, Run run, std::map<std::string, std::vector<std::string>>& replies) {
  const auto key = run.key.value_or("");
  replies[key].push_back(reply_of(co_await fake.bridge().run(std::move(run), fake.host)));
}

TEST(NodeBridge, BringsWhatQueuesUpBehindTwoFramesTogetherByItsKey) {
  const TemporaryFolder folder;
  Fake fake({"waits_for", "counts"}, {.workers = 1});
  std::map<std::string, std::vector<std::string>> replies;
  const auto counting = [&](std::optional<std::string> key) {
    auto run = fake.run("counts");
    run.key = std::move(key);
    return note(fake, std::move(run), replies);
  };
  const auto work = [&]() -> Task<void> {
    Scope runs(fake.loop());
    runs.spawn(note(fake, fake.run("waits_for", marker(folder.file("go"))), replies));
    co_await pause(fake.loop(), 0ms);
    runs.spawn(counting(std::nullopt));
    co_await pause(fake.loop(), 0ms);
    runs.spawn(counting("one"));
    runs.spawn(counting("other"));
    co_await pause(fake.loop(), 0ms);
    runs.spawn(counting("one"));
    co_await pause(fake.loop(), 0ms);
    std::ofstream(folder.file("go")).flush();
    co_await runs.close();
  };
  drive(fake.loop(), work());
  EXPECT_EQ(replies["one"], (std::vector<std::string>{"2", "3"}));
  EXPECT_EQ(replies["other"], (std::vector<std::string>{"4"}));
}

TEST(NodeBridge, TellsTheHostThatARunLeaves) {
  Fake fake({"leaves"}, {});
  fake.ran("leaves");
  EXPECT_EQ(fake.host.leaves, 1);
}

TEST(NodeBridge, IgnoresWhatComesAfterTheEndOfARun) {
  Fake fake({"twice", "pid"}, {});
  const auto before = reply_of(fake.ran("pid"));
  EXPECT_EQ(reply_of(fake.ran("twice")), R"("once")");
  EXPECT_EQ(reply_of(fake.ran("pid")), before);
  EXPECT_TRUE(fake.host.calls.empty());
}

TEST(NodeBridge, LogsWhatAuthorsSayUnderTheirComponent) {
  Fake fake({"logs"}, {});
  fake.ran("logs");
  ASSERT_EQ(fake.log.count("careful"), 1u);
  const auto& entry = fake.log.entries.front();
  EXPECT_EQ(entry.component, "shop.wallets");
  EXPECT_EQ(entry.severity, Severity::warn);
  EXPECT_EQ(json::print(entry.attributes), R"({"a":1})");
}

TEST(NodeBridge, DropsAFloodOfOutputAndSaysSo) {
  {
    Fake fake({"floods", "echo"}, {});
    EXPECT_EQ(reply_of(fake.ran("floods")), R"("flooded")");
    EXPECT_EQ(reply_of(fake.ran("echo", "1")), "1");
    fake.close_and_keep();
    EXPECT_LE(fake.log.entries.size(), 10 * limits::worker_lines_per_second_max);
    EXPECT_GE(fake.log.count("lines were dropped"), 1u);
  }
}

TEST(NodeBridge, CarriesLargeDocumentsBothWays) {
  Fake fake({"echo"}, {});
  const auto large = '"' + std::string(12u << 20, 'x') + '"';
  EXPECT_EQ(reply_of(fake.ran("echo", large)), large);
}

class NodeBridgeBroken : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

// A run that ends its worker each time is guilty after two workers of its own, and the bridge
// serves on.
TEST_P(NodeBridgeBroken, ReplacesTheWorkerAndFindsTheGuilty) {
  const auto [operation, why] = GetParam();
  auto options = impatient();
  options.arguments = {"--max-old-space-size=24"};
  Fake fake({operation, "echo"}, options);
  const auto ran = fake.ran(operation);
  const auto message = message_of(ran);
  EXPECT_TRUE(message.contains("ended its worker twice")) << message;
  // On a busy machine a heap that is nearly full is worked at for longer than the bridge waits.
  const bool worked_at = std::string_view(operation) == "exhausts" && message.contains("blocked");
  EXPECT_TRUE(message.contains(why) || worked_at) << message;
  EXPECT_TRUE(std::get<Exception>(ran).for_good);
  EXPECT_EQ(fake.host.restarts, 2);
  EXPECT_EQ(reply_of(fake.ran("echo", "1")), "1");
}

INSTANTIATE_TEST_SUITE_P(
    Ways, NodeBridgeBroken,
    ::testing::Values(std::pair("aborts", "signal 6"),
                      std::pair("exits", "exit status 3: TypeError: nobody caught this"),
                      std::pair("exhausts", "out of memory"),
                      std::pair("blocks", "event loop was blocked"),
                      std::pair("oversize", "over the limit"), std::pair("garbage", "no JSON"),
                      std::pair("unknown", "there is no message 'nonsense'"),
                      std::pair("foreign", "a run that it was not given"),
                      std::pair("closes", "closed its connection")),
    [](const auto& one) { return std::string(one.param.first); });

TEST(NodeBridge, RunsTheInnocentAgainAfterACrash) {
  const TemporaryFolder folder;
  Fake fake({"waits_once", "exits"}, {});
  constexpr int innocents = 5;
  std::vector<NotingHost> hosts(innocents);
  std::vector<std::string> replies;
  std::string guilty;
  Scope scope(fake.loop());
  const auto innocent = [&](int i) -> Task<void> {
    auto run = fake.run("waits_once", marker(folder.file(std::to_string(i))));
    replies.push_back(
        reply_of(co_await fake.bridge().run(std::move(run), hosts[static_cast<std::size_t>(i)])));
  };
  const auto culprit = [&]() -> Task<void> {
    guilty = message_of(co_await fake.bridge().run(fake.run("exits"), fake.host));
  };
  const auto work = [&]() -> Task<void> {
    for (int i = 0; i < innocents; ++i) scope.spawn(innocent(i));
    scope.spawn(culprit());
    co_await scope.close();
  };
  drive(fake.loop(), work());
  EXPECT_EQ(replies, std::vector<std::string>(innocents, R"("again")"));
  EXPECT_TRUE(guilty.contains("twice")) << guilty;
  for (const auto& host : hosts) EXPECT_EQ(host.restarts, 1);
}

// A file of a component may be broken after the start. Those who wait are answered, and served
// again once it is mended.
TEST(NodeBridge, AnswersWhatWaitsWhereNoWorkerCanBeStarted) {
  const TemporaryFolder folder;
  const auto broken = folder.file("broken");
  auto options = impatient();
  options.starts_in_vain_max = 2;
  NodeSubject subject(options);
  auto shop = application({"exits", "echo"});
  shop.name = broken;
  ASSERT_TRUE(subject.load(std::move(shop)));
  std::ofstream(broken) << "";
  NotingHost host;
  const auto ran = [&](std::uint32_t operation) {
    return subject.ran(run_of(operation, text("1")), host);
  };
  for (const auto operation : {0u, 1u}) {
    const auto message = message_of(ran(operation));
    EXPECT_TRUE(message.contains("no worker can be started")) << message;
    EXPECT_TRUE(message.contains("saved this too early")) << message;
  }
  std::filesystem::remove(broken);
  auto mended = ran(1);
  while (std::holds_alternative<Exception>(mended)) mended = ran(1);
  EXPECT_EQ(reply_of(mended), "1");
  subject.close();
}

TEST(NodeBridge, SparesARunThatEndsAWorkerOnce) {
  const TemporaryFolder folder;
  Fake fake({"exits_once"}, {});
  EXPECT_EQ(reply_of(fake.ran("exits_once", marker(folder.file("m")))), R"("well")");
  EXPECT_EQ(fake.host.restarts, 1);
}

// A suspect that never ends is acquitted after its trial: those behind it are not held up.
TEST(NodeBridge, DoesNotLetAWaitingSuspectHoldUpTheOthers) {
  const TemporaryFolder folder;
  auto options = impatient();
  options.trial = 50ms;
  Fake fake({"never", "waits_once", "exits_once"}, options);
  Scope scope(fake.loop());
  NotingHost waiting;
  NotingHost other;
  std::string reply;
  const auto never = [&]() -> Task<void> {
    co_await fake.bridge().run(fake.run("never"), waiting);
  };
  const auto innocent = [&]() -> Task<void> {
    reply = reply_of(
        co_await fake.bridge().run(fake.run("waits_once", marker(folder.file("i"))), other));
  };
  const auto work = [&]() -> Task<void> {
    scope.spawn(never());
    scope.spawn(innocent());
    co_await fake.bridge().run(fake.run("exits_once", marker(folder.file("c"))), fake.host);
  };
  drive(fake.loop(), work());
  EXPECT_EQ(waiting.restarts, 1);
  fake.close_and_keep();
  drive(fake.loop(), scope.close());
  EXPECT_EQ(reply, R"("again")");
}

/// A host whose calls run another operation of the same bridge beneath it.
class CallingHost final : public Host {
 public:
  CallingHost(Fake& fake, std::string operation, std::string input)
      : fake_(fake), operation_(std::move(operation)), input_(std::move(input)) {}

  void restarted() override { ++restarts; }
  void leave() override {}
  Task<Outcome> call(Where, std::string, Document) override {
    NotingHost beneath;
    auto run = fake_.run(operation_, input_);
    run.caller = this;
    auto ran = co_await fake_.bridge().run(std::move(run), beneath);
    restarts_beneath += beneath.restarts;
    outcomes.push_back(message_of(ran));
    if (auto* exception = std::get_if<Exception>(&ran)) co_return std::move(*exception);
    co_return Output{std::get<Returned>(ran).reply};
  }

  int restarts = 0;
  int restarts_beneath = 0;
  std::vector<std::string> outcomes;

 private:
  Fake& fake_;
  std::string operation_;
  std::string input_;
};

TEST(NodeBridge, RunsCallsBeneathARun) {
  Fake fake({"calls", "echo"}, two_workers());
  CallingHost host(fake, "echo", "7");
  EXPECT_EQ(reply_of(fake.NodeSubject::ran(fake.run("calls"), host)), "7");
}

// The run beneath shares the worker that ends: its caller makes the call again, so it is not run
// again itself.
TEST(NodeBridge, DoesNotRunAgainWhatWasLostWithItsCaller) {
  const TemporaryFolder folder;
  Fake fake({"calls", "exits_once"}, {});
  CallingHost host(fake, "exits_once", marker(folder.file("m")));
  EXPECT_EQ(reply_of(fake.NodeSubject::ran(fake.run("calls"), host)), R"("well")");
  EXPECT_EQ(host.restarts, 1);
  EXPECT_EQ(host.restarts_beneath, 0);
  ASSERT_EQ(host.outcomes.size(), 2u);
  EXPECT_TRUE(host.outcomes[0].contains("lost with its caller"));
}

// The suspect above waits for one beneath that is a suspect too: they are tried side by side.
TEST(NodeBridge, TriesASuspectBeneathAnotherWithoutWaitingForIt) {
  Fake fake({"calls", "exits"}, {});
  CallingHost host(fake, "exits", "{}");
  const auto message = message_of(fake.NodeSubject::ran(fake.run("calls"), host));
  EXPECT_TRUE(message.contains("ended its worker twice: exit status 3")) << message;
  EXPECT_EQ(host.restarts, 1);
}

TEST(NodeBridge, EndsARunOnlyAfterItsCalls) {
  Fake fake({"calls_and_ends"}, {});
  int ended = 0;
  NotingHost host([&](Where, std::string, Document) -> Task<Outcome> {
    co_await pause(fake.loop(), 30ms);
    ++ended;
    co_return Output{};
  });
  EXPECT_EQ(reply_of(fake.NodeSubject::ran(fake.run("calls_and_ends"), host)), R"("early")");
  EXPECT_EQ(ended, 1);
}

TEST(NodeBridge, ReportsAPromiseThatNeverSettlesAndClosesInSpiteOfIt) {
  auto options = impatient();
  options.report_after = 40ms;
  options.finish_max = 400ms;
  Fake fake({"never"}, options);
  std::string message;
  Scope scope(fake.loop());
  const auto never = [&]() -> Task<void> {
    message = message_of(co_await fake.bridge().run(fake.run("never"), fake.host));
  };
  const auto work = [&]() -> Task<void> {
    scope.spawn(never());
    co_await fake.bridge().close();
    co_await scope.close();
  };
  drive(fake.loop(), work());
  fake.closed();
  EXPECT_TRUE(message.contains("stopped before the operation ended")) << message;
  EXPECT_GE(fake.log.count("shop.wallets.never has not ended"), 1u);
  EXPECT_LE(fake.log.count("shop.wallets.never has not ended"), 5u);
}

TEST(NodeBridge, LeavesNoProcessBehindAndReapsNobodyElse) {
  const auto other = ::fork();
  if (other == 0) ::_exit(7);
  {
    Fake fake({"echo"}, two_workers());
    fake.ran("echo");
  }
  int status = 0;
  EXPECT_EQ(::waitpid(other, &status, 0), other);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(::waitpid(-1, &status, WNOHANG), -1);
}

TEST(NodeBridge, ServesManyRunsAtOnce) {
  Fake fake({"echo"}, two_workers());
  std::size_t right = 0;
  Scope scope(fake.loop());
  const auto one = [&](int i) -> Task<void> {
    NotingHost host;
    const auto ran = co_await fake.bridge().run(fake.run("echo", std::to_string(i)), host);
    right += reply_of(ran) == std::to_string(i) ? 1 : 0;
  };
  const auto work = [&]() -> Task<void> {
    for (int i = 0; i < 5000; ++i) scope.spawn(one(i));
    co_await scope.close();
  };
  drive(fake.loop(), work());
  EXPECT_EQ(right, 5000u);
}

}  // namespace
}  // namespace toa::bridge::testing
