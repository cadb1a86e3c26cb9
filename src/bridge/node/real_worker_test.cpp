#include "bridge/node/real_worker.hpp"

#include <fstream>

#include "bridge/conformance.hpp"

namespace toa::bridge::testing {
namespace {

using namespace std::chrono_literals;

/// What an author would write for the operations of the suite, and some that go wrong.
const std::vector<std::pair<std::string, std::string>> sources{
    {"echo.js", "export const computation = (input) => input"},
    {"refuse.js", "export const computation = () => new Error('NO', { cause: { left: 5 } })"},
    {"throws.js", "export function computation () { throw new TypeError('broken') }"},
    {"credit.js",
     "export async function transition (input, entry) { entry.balance += input.amount; return "
     "entry }"},
    {"drop.js",
     "export function transition (input, entry) { entry.DISCARD = true; return 'kept' }"},
    {"calls.js",
     "export const effect = (input, { remote }) => remote.shop.wallets.echo({ input })"},
    {"nothing.js", "export const computation = () => {}"},
    {"wrong.js", "export const computation = (input) => {\n  return input +\n    }"},
    {"exits.js", "export const computation = () => { process.exit(3) }"},
    {"blocks.js", "export const computation = () => { for (;;); }"},
    {"huge.js", "export const computation = () => ({ n: 2 ** 60 })"},
};

class Folder {
 public:
  Folder() {
    std::filesystem::create_directories(folder_.path() / "operations");
    for (const auto& [name, source] : sources) {
      std::ofstream(folder_.path() / "operations" / name) << source;
    }
    std::ofstream(folder_.path() / "package.json") << R"({"type":"module"})";
  }
  std::string path() const { return folder_.path().string(); }

 private:
  TemporaryFolder folder_;
};

class RealSubject : private Folder, public NodeSubject {
 public:
  explicit RealSubject(std::vector<std::string> operations = conformance_operations,
                       NodeOptions options = {})
      : NodeSubject(with_worker(std::move(options))) {
    loaded = load(application(operations, path()));
    EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : loaded.error().message);
  }

  Result<Loaded> loaded;
};
INSTANTIATE_TYPED_TEST_SUITE_P(RealWorker, BridgeConformance, RealSubject);

TEST(RealWorker, SaysWhatTheCodeIsAndWhereItIsWrong) {
  RealSubject subject({"credit", "wrong"});
  ASSERT_EQ(subject.loaded->found.size(), 1u);
  EXPECT_EQ(subject.loaded->found[0].type, "transition");
  EXPECT_EQ(subject.loaded->found[0].scope, "entry");
  ASSERT_EQ(subject.loaded->faults.size(), 1u);
  EXPECT_TRUE(subject.loaded->faults[0].file.ends_with("operations/wrong.js"));
  EXPECT_GE(subject.loaded->faults[0].line, 1);
  subject.close();
}

TEST(RealWorker, SaysTheLineOfASyntaxError) {
  RealSubject subject({"wrong"});
  ASSERT_EQ(subject.loaded->faults.size(), 1u);
  EXPECT_EQ(subject.loaded->faults[0].line, 3);
  subject.close();
}

TEST(RealWorker, IsReplacedWhenAnOperationEndsItOrBlocksIt) {
  NodeOptions options;
  options.workers = 2;
  options.silence_max = 300ms;
  options.ping_interval = 50ms;
  RealSubject subject({"exits", "blocks", "echo"}, options);
  NotingHost host;
  EXPECT_TRUE(message_of(subject.ran(run_of(0), host)).contains("exit status 3"));
  EXPECT_TRUE(message_of(subject.ran(run_of(1), host)).contains("event loop was blocked"));
  EXPECT_EQ(reply_of(subject.ran(run_of(2, text("1")), host)), "1");
  subject.close();
}

TEST(RealWorker, RefusesIntegersBeyondTheExact) {
  RealSubject subject({"huge"});
  NotingHost host;
  EXPECT_TRUE(message_of(subject.ran(run_of(0), host)).contains("beyond 2^53"));
  subject.close();
}

}  // namespace
}  // namespace toa::bridge::testing
