#include "delivery/steps/announce.hpp"

#include <gtest/gtest.h>

namespace toa::delivery {
namespace {

using manifest::InheritedEvent;

Json change(const char* text) {
  return json::parse(text).value();
}

const char* const made =
    R"({"origin":null,"state":{"id":"a","DELETED":null},"trailers":{},"input":null})";
const char* const changed =
    R"({"origin":{"DELETED":null},"state":{"id":"a","DELETED":null},"trailers":{},"input":null})";
const char* const deleted =
    R"({"origin":{"DELETED":null},"state":{"id":"a","DELETED":5},"trailers":{},"input":null})";
const char* const restored =
    R"({"origin":{"DELETED":5},"state":{"id":"a","DELETED":null},"trailers":{},"input":null})";

// R206, R209
TEST(Announce, InheritedEventsAreAboutTheirKindOfChange) {
  const struct {
    const char* text;
    bool created, updated, deleted;
  } rows[] = {{made, true, false, false},
              {changed, false, true, false},
              {deleted, false, false, true},
              {restored, false, true, false}};
  for (const auto& row : rows) {
    EXPECT_EQ(is_about(InheritedEvent::created, change(row.text)), row.created) << row.text;
    EXPECT_EQ(is_about(InheritedEvent::updated, change(row.text)), row.updated) << row.text;
    EXPECT_EQ(is_about(InheritedEvent::deleted, change(row.text)), row.deleted) << row.text;
    EXPECT_TRUE(is_about(InheritedEvent::sync, change(row.text))) << row.text;
  }
}

}  // namespace
}  // namespace toa::delivery
