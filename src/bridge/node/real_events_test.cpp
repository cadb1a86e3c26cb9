#include <fstream>

#include "bridge/conformance.hpp"
#include "bridge/node/real_worker.hpp"

namespace toa::bridge::testing {
namespace {

class EventsSubject : private TemporaryFolder, public NodeSubject {
 public:
  EventsSubject() : NodeSubject(with_worker({})) {
    write("package.json", R"({"type":"module"})");
    write("operations/echo.js", "export const computation = (input) => input");
    write("events/credited.js",
          "export const condition = ({ state, origin, trailers }) =>\n"
          "  origin !== null && state.balance > origin.balance && trailers.silent !== true\n"
          "export const payload = ({ state, origin }) => {\n"
          "  if (state.balance > 1000) throw new RangeError('too much')\n"
          "  return { amount: state.balance - origin.balance }\n"
          "}\n");
    write("events/opened.js", "export const condition = async ({ origin }) => origin === null");
    write("receivers/paid.js",
          "export const condition = ({ amount }) => amount > 0\n"
          "export const request = (payload, currency) =>\n"
          "  ({ query: { id: payload.wallet }, input: { amount: payload.amount, currency } })\n");
  }

  Application application() const {
    auto out = testing::application({"echo"}, path().string());
    auto& wallets = out.components[0];
    wallets.events = EventsSource{
        OperationNumber(1),
        {{"credited", file("events/credited.js")}, {"opened", file("events/opened.js")}}};
    wallets.receivers = {{OperationNumber(2), "shop.topups.paid", file("receivers/paid.js")}};
    return out;
  }

  void write(const std::string& name, const std::string& source) const {
    std::filesystem::create_directories((path() / name).parent_path());
    std::ofstream(path() / name) << source;
  }
};

TEST(RealWorkerEvents, AreLoadedBesideTheOperations) {
  EventsSubject subject;
  const auto loaded = subject.load(subject.application());
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  EXPECT_TRUE(loaded->faults.empty());
  std::map<std::uint32_t, std::string> types;
  for (const auto& found : loaded->found) types[found.number.value] = found.type;
  EXPECT_EQ(types, (std::map<std::uint32_t, std::string>{
                       {0, "computation"}, {1, "events"}, {2, "receiver"}}));
  subject.close();
}

// R45, R46, R206, R207
TEST(RealWorkerEvents, AnnounceTheChangesThatTheirConditionsAdmit) {
  EventsSubject subject;
  ASSERT_TRUE(subject.load(subject.application()));
  NotingHost host;
  const auto announced = [&](std::string change) {
    return reply_of(subject.ran(run_of(1, text(std::move(change))), host));
  };
  EXPECT_EQ(announced(R"({"origin":{"balance":1},"state":{"balance":6},"trailers":{},"input":{}})"),
            R"({"credited":{"amount":5}})");
  EXPECT_EQ(announced(R"({"origin":null,"state":{"balance":6},"trailers":{},"input":null})"),
            R"({"opened":{"balance":6}})");
  EXPECT_EQ(
      announced(R"({"origin":{"balance":1},"state":{"balance":6},"trailers":{"silent":true}})"),
      "{}");
  subject.close();
}

// R48
TEST(RealWorkerEvents, EndAsTheExceptionThatOneOfThemThrew) {
  EventsSubject subject;
  ASSERT_TRUE(subject.load(subject.application()));
  NotingHost host;
  const auto ran =
      subject.ran(run_of(1, text(R"({"origin":{"balance":1},"state":{"balance":2000}})")), host);
  EXPECT_EQ(message_of(ran), "Event 'credited': too much");
  EXPECT_EQ(std::get<Exception>(ran).thrown, "RangeError");
  subject.close();
}

// R208, R210
TEST(RealWorkerEvents, AreReceivedAsRequestsOrDropped) {
  EventsSubject subject;
  ASSERT_TRUE(subject.load(subject.application()));
  NotingHost host;
  const auto made =
      subject.ran(run_of(2, text(R"({"wallet":"8d1f","amount":5})"), text(R"(["EUR"])")), host);
  EXPECT_EQ(reply_of(made), R"({"query":{"id":"8d1f"},"input":{"amount":5,"currency":"EUR"}})");
  EXPECT_FALSE(std::get<Returned>(made).discard);
  const auto dropped = subject.ran(run_of(2, text(R"({"amount":0})"), text("[]")), host);
  EXPECT_TRUE(std::get<Returned>(dropped).discard);
  EXPECT_FALSE(std::get<Returned>(dropped).reply.has_value());
  subject.close();
}

TEST(RealWorkerEvents, AreReportedWithEachFileThatIsWrong) {
  EventsSubject subject;
  subject.write("events/credited.js", "\nthrow new Error('at once')");
  subject.write("events/opened.js", "export const opened = true");
  subject.write("receivers/paid.js", "export const request = 5");
  const auto loaded = subject.load(subject.application());
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  EXPECT_EQ(loaded->found.size(), 1u);
  ASSERT_EQ(loaded->faults.size(), 3u);
  EXPECT_EQ(loaded->faults[0].number, OperationNumber(1));
  EXPECT_TRUE(loaded->faults[0].file.ends_with("events/credited.js"));
  EXPECT_EQ(loaded->faults[0].line, 2);
  EXPECT_TRUE(loaded->faults[1].message.contains("'condition'")) << loaded->faults[1].message;
  EXPECT_EQ(loaded->faults[2].number, OperationNumber(2));
  subject.close();
}

}  // namespace
}  // namespace toa::bridge::testing
