#include "base/document.hpp"

#include <gtest/gtest.h>

namespace toa {
namespace {

TEST(Document, KeepsTheTextThatItCameAs) {
  const auto document = Document::of_text(R"({ "a" : 1.0 })");
  EXPECT_EQ(document.value().at("a").as_int64(), 1);
  EXPECT_EQ(document.text(), R"({ "a" : 1.0 })");
}

TEST(Document, MakesTheTextOfAValue) {
  EXPECT_EQ(Document::of(JsonObject{{"a", JsonArray{1, nullptr}}}).text(), R"({"a":[1,null]})");
}

TEST(Document, KeepsBothFormsOfWhatWasChecked) {
  const auto document = Document::of_checked("[ 1 ]", JsonArray{1});
  EXPECT_EQ(document.text(), "[ 1 ]");
  EXPECT_EQ(document.value(), Json(JsonArray{1}));
}

TEST(DocumentDeathTest, EndsTheProcessWhereAcceptedTextDoesNotParse) {
  EXPECT_DEATH(Document::of_text("{").value(), "accepted does not parse");
}

}  // namespace
}  // namespace toa
