#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "operation/test/test_application.hpp"

namespace toa::operation::testing {
namespace {

/// Notes what arrives, as many parts as it is told to want.
class Notes final : public bridge::Consumer {
 public:
  explicit Notes(std::size_t wanted = 10'000) : wanted_(wanted) {}
  void begin() override { begun = true; }
  Task<bool> take(Document part) override {
    const auto* entry = json::find(part.value(), "entry");
    if (entry == nullptr) {
      last = part.text();
    } else {
      numbers.push_back(entry->at("number").as_int64());
    }
    co_return --wanted_ > 0;
  }

  bool begun = false;
  std::vector<std::int64_t> numbers;
  std::string last;

 private:
  std::size_t wanted_;
};

/// Two pages and a half of orders.
class CollectionTest : public ::testing::Test {
 protected:
  static constexpr std::int64_t count = limits::stream_page * 5 / 2;

  CollectionTest() {
    auto& orders =
        app_.component("shop.orders", R"({"id":{"type":"string"},"number":{"type":"integer"}})");
    orders.entity->associated = false;
    app_.inherit("shop.orders.transit", {.input = R"({"type":"object"})"}, Inherited::transit);
    app_.inherit("shop.orders.stream", observation(Scope::stream), Inherited::stream);
    for (std::int64_t number = 0; number < count; ++number) make(number);
  }

  void make(std::int64_t number) {
    app_.reply("shop.orders.transit",
               fmt::format(R"({{"input":{{"id":"o{0:05}","number":{0}}}}})", number));
  }

  std::string stream(Notes& notes, std::string_view request = "{}") {
    auto call = app_.router().originate("shop.orders.stream", *Request::read(*json::parse(request)),
                                        &notes);
    return shown(app_.loop.run_until(std::move(call), ManualLoop::Idle::jump));
  }

  TestApplication app_;
};

// spec core 6.7
TEST_F(CollectionTest, IsInOrderToItsEndWhichSaysThatThereIsNoHistory) {
  Notes notes;
  EXPECT_EQ(stream(notes), "undefined");
  ASSERT_EQ(notes.numbers.size(), static_cast<std::size_t>(count));
  EXPECT_TRUE(std::ranges::is_sorted(notes.numbers));
  EXPECT_EQ(notes.last, R"({"token":null})");
}

TEST_F(CollectionTest, HasAllInAnyOrderAndFromEitherEnd) {
  for (const auto* sort : {"CREATED", "CREATED:desc", "id:desc", "number:desc"}) {
    Notes notes;
    stream(notes, fmt::format(R"({{"query":{{"sort":["{}"]}}}})", sort));
    std::ranges::sort(notes.numbers);
    ASSERT_EQ(notes.numbers.size(), static_cast<std::size_t>(count)) << sort;
    EXPECT_EQ(std::ranges::adjacent_find(notes.numbers), notes.numbers.end()) << sort;
  }
}

TEST_F(CollectionTest, IsOfWhatTheQuerySelects) {
  Notes notes;
  stream(notes, fmt::format(R"({{"query":{{"criteria":"number>=10","limit":{}}}}})",
                            limits::stream_page + 1));
  ASSERT_EQ(notes.numbers.size(), static_cast<std::size_t>(limits::stream_page + 1));
  EXPECT_EQ(notes.numbers.front(), 10);
  EXPECT_EQ(notes.last, R"({"token":null})");
}

TEST_F(CollectionTest, EndsWithWhoeverReadsIt) {
  Notes notes(3);
  EXPECT_EQ(stream(notes), "undefined");
  EXPECT_EQ(notes.numbers.size(), 3u);
  EXPECT_EQ(notes.last, "");
}

TEST_F(CollectionTest, RefusesWhatCannotBeReadBeforeItBegins) {
  Notes notes;
  EXPECT_EQ(stream(notes, R"({"query":{"criteria":"colour==red"}})"), "#221");
  EXPECT_FALSE(notes.begun);
}

// Code reads by pages, each of which begins where the one before it ended.
TEST_F(CollectionTest, IsHandedToCodePageByPage) {
  std::int64_t sum = 0;
  int pages = 0;
  app_.add("shop.orders.sum", observation(Scope::stream),
           [&](bridge::Run run, Host& host) -> Task<Ran> {
             EXPECT_EQ(run.state->text(), R"("stream")");
             Json after;
             do {
               auto told = co_await host.query(Document::of(JsonObject{{"after", after}}));
               const auto page = std::get<Output>(told).value->value();
               for (const auto& part : page.at("parts").as_array()) {
                 if (const auto* entry = json::find(part, "entry"))
                   sum += entry->at("number").as_int64();
               }
               ++pages;
               after = page.at("next");
             } while (!after.is_null());
             co_return replies(Document::of(sum));
           });
  EXPECT_EQ(shown(app_.reply("shop.orders.sum")), std::to_string(count * (count - 1) / 2));
  EXPECT_EQ(pages, 3);
}

}  // namespace
}  // namespace toa::operation::testing
