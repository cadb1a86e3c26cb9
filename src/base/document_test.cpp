#include "base/document.hpp"

#include <gtest/gtest.h>

#include "base/limits.hpp"

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

// A list of states is deeper, and may be larger, than what each of them may be.
TEST(Document, ReadsWhatIsComposedOfDocumentsAtTheirLimits) {
  const std::string open(limits::document_depth_max, '['), close(limits::document_depth_max, ']');
  const auto list = Document::of_text(R"([{"entry":)" + open + close + "}]");
  EXPECT_EQ(list.value().as_array().size(), 1u);
  const std::string text(limits::document_bytes_max - 2, 'x');
  const auto two = Document::of_text("[\"" + text + "\",\"" + text + "\"]");
  EXPECT_EQ(two.value().as_array().size(), 2u);
}

}  // namespace
}  // namespace toa
