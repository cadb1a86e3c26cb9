#include "model/request.hpp"

#include <gtest/gtest.h>
#include <utility>

namespace toa {
namespace {

std::string refusal(std::string_view text) {
  const auto read = Request::read(*json::parse(text));
  if (read) return "it was read";
  EXPECT_EQ(read.error().kind, ErrorKind::invalid);
  return read.error().message;
}

TEST(Request, ReadsWhatACallerMaySay) {
  const auto read = Request::read(*json::parse(
      R"({"id":"0190A1B2C3D47E5F8091A2B3C4D5E6F7","input":{"amount":1},"output":["balance"],"task":false,
          "query":{"id":"w1","version":3,"deleted":true,"projection":["balance"]}})"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->id->hex(), "0190a1b2c3d47e5f8091a2b3c4d5e6f7");
  EXPECT_EQ(read->input->text(), R"({"amount":1})");
  EXPECT_EQ(read->output, (std::vector<std::string>{"balance"}));
  EXPECT_EQ(read->task, AsTask::no);
  EXPECT_EQ(read->query->id, EntityId("w1"));
  EXPECT_EQ(read->query->version, Version(3));
  EXPECT_TRUE(read->query->deleted);
  EXPECT_EQ(read->query->projection, (std::vector<std::string>{"balance"}));
}

TEST(Request, TellsNoInputFromNull) {
  EXPECT_FALSE(Request::read(*json::parse("{}"))->input);
  EXPECT_TRUE(Request::read(*json::parse(R"({"input":null})"))->input->value().is_null());
}

TEST(Request, NamesThePropertyThatItRefuses) {
  const std::pair<const char*, const char*> cases[] = {
      {"[]", "a request must be object"},
      {"null", "a request must be object"},
      {R"({"inputs":{}})", "'inputs'"},
      {R"({"id":5})", "id must be"},
      {R"({"id":"w1"})", "id must be 32 hexadecimal digits"},
      {R"({"output":"a"})", "output must be array"},
      {R"({"output":[1]})", "output must hold names"},
      {R"({"task":"yes"})", "task must be boolean"},
      {R"({"timeout":1})", "'timeout'"},
      {R"({"signal":1})", "'signal'"},
      {R"({"entity":5})", "entity must be object"},
      {R"({"instance":"a"})", "'instance'"},
      {R"({"query":"w1"})", "query must be object"},
      {R"({"query":{"id":1}})", "query/id must be string"},
      {R"({"query":{"id":""}})", "query/id must NOT have fewer than 1 characters"},
      {R"({"query":{"version":"1"}})", "query/version must be integer"},
      {R"({"query":{"version":-1}})", "query/version must be >= 0"},
      {R"({"query":{"version":1.5}})", "query/version must be integer"},
      {R"({"query":{"deleted":1}})", "query/deleted must be boolean"},
      {R"({"query":{"projection":"a"}})", "query/projection must be array"},
      {R"({"query":{"projection":[1]}})", "query/projection/0 must be string"},
      {R"({"query":{"name":"a"}})", "'name'"},
  };
  for (const auto& [text, says] : cases) {
    EXPECT_NE(refusal(text).find(says), std::string::npos) << text << ": " << refusal(text);
  }
}

}  // namespace
}  // namespace toa
