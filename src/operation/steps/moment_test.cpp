#include "operation/steps/moment.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace toa::operation {
namespace {

std::string again(std::string_view text) {
  const auto at = parse_moment(text);
  return at ? print_moment(*at) : "none";
}

TEST(Moment, IsReadWithItsZone) {
  EXPECT_EQ(again("2026-02-03T04:05:06.789+01:00"), "2026-02-03T03:05:06.789Z");
  EXPECT_EQ(again("2026-02-03T04:05:06-0130"), "2026-02-03T05:35:06.000Z");
  EXPECT_EQ(again("2026-02-03 04:05:06Z"), "2026-02-03T04:05:06.000Z");
  EXPECT_EQ(again("2026-02-03t04:05:06.1z"), "2026-02-03T04:05:06.100Z");
  EXPECT_EQ(again("2026-02-03T04:05:06.7899999Z"), "2026-02-03T04:05:06.789Z");
  EXPECT_EQ(again("2024-02-29T00:00:00Z"), "2024-02-29T00:00:00.000Z");
  EXPECT_EQ(again("2016-12-31T23:59:60Z"), "2017-01-01T00:00:00.000Z");
  EXPECT_EQ(parse_moment("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(parse_moment("1969-12-31T23:59:59.999Z"), -1);
}

TEST(Moment, IsRefusedWhereItIsNone) {
  for (const auto* text : {"",
                           "2026-02-03",
                           "2026-02-03T04:05:06",
                           "2026-02-03T04:05Z",
                           "2026-02-30T00:00:00Z",
                           "2026-13-01T00:00:00Z",
                           "2026-00-01T00:00:00Z",
                           "2026-01-01T24:00:00Z",
                           "2026-01-01T00:60:00Z",
                           "2026-01-01T00:00:61Z",
                           "2026-01-01T00:00:00.Z",
                           "2026-01-01T00:00:00+24:00",
                           "2026-01-01T00:00:00+00:60",
                           "2026-01-01T00:00:00+1:00",
                           "2026-01-01T00:00:00Z ",
                           " 2026-01-01T00:00:00Z",
                           "26-01-01T00:00:00Z",
                           "2026-1-01T00:00:00Z",
                           "0000-01-01T00:00:00+00:01",
                           "9999-12-31T23:59:59-00:01"}) {
    EXPECT_FALSE(parse_moment(text)) << text;
  }
}

constexpr EpochMs first = -62'167'219'200'000;  // 0000-01-01T00:00:00.000Z
constexpr EpochMs last = 253'402'300'799'999;   // 9999-12-31T23:59:59.999Z

TEST(Moment, IsReadBackAsItWasPrinted) {
  EXPECT_EQ(print_moment(first), "0000-01-01T00:00:00.000Z");
  EXPECT_EQ(print_moment(last), "9999-12-31T23:59:59.999Z");
  EXPECT_TRUE(rc::check("print, then parse", [] {
    const auto at = *rc::gen::inRange<EpochMs>(first, last + 1);
    RC_ASSERT(parse_moment(print_moment(at)) == at);
  }));
}

// What the texts are for: they sort as the times do.
TEST(Moment, SortsAsItsText) {
  EXPECT_TRUE(rc::check("order", [] {
    const auto one = *rc::gen::inRange<EpochMs>(first, last + 1);
    const auto two = *rc::gen::inRange<EpochMs>(first, last + 1);
    RC_ASSERT((one < two) == (print_moment(one) < print_moment(two)));
  }));
}

TEST(NormaliseMoments, TouchesOnlyTextsOfDeclaredMoments) {
  using Form = manifest::Moment::Form;
  const std::vector<manifest::Moment> moments{{"at", Form::iso}, {"ms", Form::epoch_millis}};
  JsonObject properties{
      {"at", "2026-01-01T00:00:00Z"}, {"ms", 5}, {"other", "2026-01-01T00:00:00Z"}};
  EXPECT_FALSE(normalise_moments(moments, properties));
  EXPECT_EQ(properties.at("at").as_string(), "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(properties.at("other").as_string(), "2026-01-01T00:00:00Z");
  JsonObject none{{"at", nullptr}};
  EXPECT_FALSE(normalise_moments(moments, none));
  JsonObject wrong{{"at", "soon"}};
  EXPECT_EQ(normalise_moments(moments, wrong), "at must match format \"date-time\"");
}

}  // namespace
}  // namespace toa::operation
