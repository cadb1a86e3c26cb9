#include <gtest/gtest.h>

#include "operation/test/test_application.hpp"

namespace toa::operation::testing {
namespace {

/// Notes the parts, as many as it is told to want.
class Notes final : public bridge::Consumer {
 public:
  explicit Notes(std::size_t wanted = 100) : wanted_(wanted) {}
  void begin() override { text += "begin "; }
  Task<bool> take(Document part) override {
    text += part.text() + " ";
    co_return --wanted_ > 0;
  }

  std::string text;

 private:
  std::size_t wanted_;
};

class StreamTest : public ::testing::Test {
 protected:
  StreamTest() {
    app_.add("shop.numbers.count", effect(), [this](bridge::Run, Host& host) -> Task<Ran> {
      host.begin();
      for (int n = 1; n <= 5; ++n) {
        ++made_;
        if (!co_await host.part(Document::of(JsonObject{{"n", n}, {"odd", n % 2 == 1}}))) break;
      }
      Returned returned;
      returned.streamed = true;
      co_return returned;
    });
  }

  std::string originate(Notes& notes, std::string_view request = "{}") {
    auto call = app_.router().originate("shop.numbers.count", *Request::read(*json::parse(request)),
                                        &notes);
    return shown(app_.loop.run_until(std::move(call), ManualLoop::Idle::jump));
  }

  TestApplication app_;
  int made_ = 0;
};

TEST_F(StreamTest, ThePartsComeBeforeTheReplyWhichHasNoValue) {
  Notes notes(3);
  EXPECT_EQ(originate(notes), "undefined");
  EXPECT_EQ(notes.text, R"(begin {"n":1,"odd":true} {"n":2,"odd":false} {"n":3,"odd":true} )");
  EXPECT_EQ(made_, 3) << "who wants no more ends it";
}

// spec core 6.2
TEST_F(StreamTest, EachPartIsTrimmed) {
  Notes notes(2);
  originate(notes, R"({"output":["n"]})");
  EXPECT_EQ(notes.text, R"(begin {"n":1} {"n":2} )");
}

TEST_F(StreamTest, WhereNobodyReadsItIsMadeToItsEnd) {
  EXPECT_EQ(shown(app_.reply("shop.numbers.count")), "undefined");
  EXPECT_EQ(made_, 5);
}

TEST_F(StreamTest, ACallerReadsWhatItsCallStreams) {
  app_.add("shop.numbers.pass", effect(), [](bridge::Run, Host& host) -> Task<Ran> {
    Notes notes(4);
    const auto outcome =
        co_await host.call_into(notes, Where::local, "shop.numbers.count", Document::of_text("{}"));
    co_return replies(Document::of(Json((notes.text.substr(0, 5) + shown(outcome)).c_str())));
  });
  EXPECT_EQ(shown(app_.reply("shop.numbers.pass")), "\"beginundefined\"");
  EXPECT_EQ(made_, 4);
}

}  // namespace
}  // namespace toa::operation::testing
