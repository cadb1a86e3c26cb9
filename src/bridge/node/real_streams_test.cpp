#include <fstream>

#include "bridge/conformance.hpp"
#include "bridge/node/real_worker.hpp"

namespace toa::bridge::testing {
namespace {

const std::vector<std::pair<std::string, std::string>> sources{
    {"count.js", "export async function* effect (to) { for (let i = 1; i <= to; i++) yield i }"},
    {"sum.js",
     "export async function effect (input, { remote }) {\n"
     "  let sum = 0\n"
     "  for await (const n of await remote.shop.wallets.count()) {\n"
     "    sum += n\n"
     "    if (n === input) break\n"
     "  }\n"
     "  return sum\n"
     "}"},
    {"leave.js",
     "export async function effect (input, { remote }) { await remote.shop.wallets.count() }"},
    {"breaks.js",
     "export async function* effect () { yield 1; await new Promise((r) => setTimeout(r, 50)); "
     "process.exit(3) }"},
    {"huge.js", "export async function* effect () { yield 1; yield 2 ** 60; yield 3 }"},
    {"rows.js", "export const unmanaged = (input, client) => client.query('select ?', [input])"},
};
constexpr std::uint32_t count_number = 0;

class StreamsSubject : private TemporaryFolder, public NodeSubject {
 public:
  StreamsSubject() : NodeSubject(with_worker({})) {
    std::filesystem::create_directories(path() / "operations");
    std::vector<std::string> names;
    for (const auto& [name, source] : sources) {
      std::ofstream(path() / "operations" / name) << source;
      names.push_back(name.substr(0, name.find('.')));
    }
    std::ofstream(path() / "package.json") << R"({"type":"module"})";
    const auto loaded = load(application(names, path().string()));
    EXPECT_TRUE(loaded && loaded->faults.empty());
  }
};

/// Hands the parts on, counting them; where nobody reads them, notes them.
class Producing final : public Host {
 public:
  explicit Producing(Consumer* consumer = nullptr) : consumer_(consumer) {}
  void restarted() override { ++restarts; }
  void leave() override {}
  Task<Outcome> call(Where, std::string, Document) override { co_return Output{}; }
  void begin() override {
    ++begun;
    if (consumer_ != nullptr) consumer_->begin();
  }
  Task<bool> part(Document part) override {
    parts += part.text() + " ";
    ++taken;
    if (consumer_ == nullptr) co_return true;
    co_return co_await consumer_->take(std::move(part));
  }
  Task<Outcome> query(Document question) override { co_return Output{std::move(question)}; }

  int restarts = 0;
  int begun = 0;
  int taken = 0;
  std::string parts;

 private:
  Consumer* consumer_;
};

/// Serves `count` to whoever calls.
class Calling final : public Host {
 public:
  Calling(StreamsSubject& subject, int to) : subject_(subject), to_(to) {}
  void restarted() override {}
  void leave() override {}
  Task<Outcome> call(Where, std::string, Document) override { co_return Output{}; }
  Task<Outcome> call_into(Consumer& consumer, Where, std::string, Document) override {
    Producing producing(&consumer);
    auto run = run_of(count_number, text(std::to_string(to_)));
    run.caller = this;
    const auto ran = co_await subject_.bridge().run(std::move(run), producing);
    taken = producing.taken;
    EXPECT_TRUE(std::get<Returned>(ran).streamed);
    co_return Output{};
  }

  int taken = 0;

 private:
  StreamsSubject& subject_;
  int to_;
};

TEST(RealWorkerStreams, PartsComeInOrderAndThenTheEnd) {
  StreamsSubject subject;
  Producing host;
  const auto ran = subject.ran(run_of(count_number, text("5")), host);
  EXPECT_TRUE(std::get<Returned>(ran).streamed);
  EXPECT_EQ(host.parts, "1 2 3 4 5 ");
  EXPECT_EQ(host.begun, 1);
  subject.close();
}

TEST(RealWorkerStreams, ACallerReadsThemAsTheyCome) {
  StreamsSubject subject;
  Calling host(subject, 1000);
  EXPECT_EQ(reply_of(subject.ran(run_of(1), host)), "500500");
  subject.close();
}

TEST(RealWorkerStreams, WhatIsNotReadIsNotMade) {
  StreamsSubject subject;
  Calling breaks(subject, 1'000'000);
  EXPECT_EQ(reply_of(subject.ran(run_of(1, text("3")), breaks)), "6");
  EXPECT_LT(breaks.taken, 100);
  Calling leaves(subject, 1'000'000);
  EXPECT_TRUE(std::holds_alternative<Returned>(subject.ran(run_of(2), leaves)));
  EXPECT_LT(leaves.taken, 100);
  subject.close();
}

TEST(RealWorkerStreams, OneThatIsLostInTheMiddleIsNotSentAgain) {
  StreamsSubject subject;
  Producing host;
  const auto ran = subject.ran(run_of(3), host);
  EXPECT_TRUE(message_of(ran).contains("in the middle of a stream")) << message_of(ran);
  EXPECT_EQ(host.parts, "1 ");
  EXPECT_EQ(host.restarts, 0);
  subject.close();
}

TEST(RealWorkerStreams, APartThatIsNoDocumentEndsItAsAnException) {
  StreamsSubject subject;
  Producing host;
  EXPECT_TRUE(message_of(subject.ran(run_of(4), host)).contains("beyond 2^53"));
  EXPECT_EQ(host.parts, "1 ");
  subject.close();
}

TEST(RealWorkerStreams, AnUnmanagedOperationAsksItsHost) {
  StreamsSubject subject;
  Producing host;
  EXPECT_EQ(reply_of(subject.ran(run_of(5, text("7")), host)),
            R"({"sql":"select ?","values":[7]})");
  subject.close();
}

}  // namespace
}  // namespace toa::bridge::testing
