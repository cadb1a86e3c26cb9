#include <fstream>

#include "bridge/conformance.hpp"
#include "bridge/node/real_worker.hpp"

namespace toa::bridge::testing {
namespace {

class Commanding final : public Commander {
 public:
  std::unique_ptr<Host> host(const std::string& component, Stage) override {
    asked.push_back(component);
    return std::make_unique<NotingHost>();
  }

  std::vector<std::string> asked;
};

class CommandsSubject : private TemporaryFolder, public NodeSubject {
 public:
  explicit CommandsSubject(std::size_t workers = 1)
      : NodeSubject(with_worker({.workers = workers})) {
    write("package.json", R"({"type":"module"})");
    write("operations/seen.js", "export const computation = (input, { state }) => state.seen");
    write("operations/die.js",
          "import { existsSync, writeFileSync } from 'node:fs'\n"
          "export const computation = (file) => {\n"
          "  if (existsSync(file)) return 'lived'\n"
          "  writeFileSync(file, ''), process.exit(3)\n"
          "}\n");
    write("rc/connect.js",
          "export const preflight = ({ state }) => { state.seen = 'preflight' }\n"
          "export const settle = async ({ state, local }) => { state.seen += ' settle' }\n"
          "export const ready = ({ state }) => { state.seen += ' ready' }\n");
  }

  Application application() const {
    auto out = testing::application({"seen", "die"}, path().string());
    out.components[0].commands =
        CommandsSource{OperationNumber(2), {{"connect", file("rc/connect.js")}}};
    out.components[0].keeps_state = true;
    return out;
  }

  Result<void> enter(Stage stage) {
    std::optional<Result<void>> out;
    const auto work = [&]() -> Task<void> { out = co_await bridge().enter(stage, commanding); };
    drive(loop(), work());
    return std::move(*out);
  }

  void write(const std::string& name, const std::string& source) const {
    std::filesystem::create_directories((path() / name).parent_path());
    std::ofstream(path() / name) << source;
  }
  std::string marker() const { return file("marker"); }

  Commanding commanding;
};

TEST(RealWorkerCommands, RunInEveryWorkerStageByStage) {
  CommandsSubject subject(2);
  ASSERT_TRUE(subject.load(subject.application()));
  for (const auto stage : {Stage::preflight, Stage::settle, Stage::ready}) {
    const auto entered = subject.enter(stage);
    ASSERT_TRUE(entered) << entered.error().message;
  }
  EXPECT_EQ(subject.commanding.asked, std::vector<std::string>(6, "shop.wallets"));
  NotingHost host;
  EXPECT_EQ(reply_of(subject.ran(run_of(0), host)), R"("preflight settle ready")");
  subject.close();
}

TEST(RealWorkerCommands, RunAgainInAWorkerThatReplacesALostOne) {
  CommandsSubject subject;
  ASSERT_TRUE(subject.load(subject.application()));
  for (const auto stage : {Stage::preflight, Stage::settle, Stage::ready})
    ASSERT_TRUE(subject.enter(stage));
  NotingHost host;
  const auto died = subject.ran(run_of(1, text("\"" + subject.marker() + "\"")), host);
  EXPECT_EQ(reply_of(died), R"("lived")") << message_of(died);
  // It serves while its `ready` runs.
  EXPECT_TRUE(reply_of(subject.ran(run_of(0), host)).starts_with(R"("preflight settle)"));
  subject.close();
}

TEST(RealWorkerCommands, FailWithTheirFileAndTheirStage) {
  CommandsSubject subject;
  subject.write("rc/connect.js", "\nexport const settle = () => { throw new Error('closed') }");
  ASSERT_TRUE(subject.load(subject.application()));
  EXPECT_TRUE(subject.enter(Stage::preflight));
  const auto failed = subject.enter(Stage::settle);
  ASSERT_FALSE(failed);
  EXPECT_TRUE(failed.error().message.contains(
      "rc/connect.js:2: Run command 'connect' of 'shop.wallets' failed in 'settle': closed"))
      << failed.error().message;
  subject.close();
}

TEST(RealWorkerCommands, ThatEndTheirWorkerFailTheStage) {
  CommandsSubject subject;
  subject.write("rc/connect.js", "export const preflight = () => process.exit(4)");
  ASSERT_TRUE(subject.load(subject.application()));
  const auto failed = subject.enter(Stage::preflight);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "a worker ended while its run commands ran");
  subject.close();
}

}  // namespace
}  // namespace toa::bridge::testing
