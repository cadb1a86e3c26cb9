#include "gateway/http/parser.hpp"

#include <gtest/gtest.h>

namespace toa::gateway::http {
namespace {

using namespace std::string_literals;

struct Read {
  Request request;
  Parser parser;
  std::size_t taken;

  explicit Read(std::string_view text, Bounds bounds = {})
      : parser(request, bounds), taken(parser.take(text)) {}
};

std::string get(std::string_view fields) {
  return "GET / HTTP/1.1\r\nhost: a\r\n" + std::string(fields) + "\r\n";
}

void expect_refused(std::string_view text, int status = 400) {
  const Read read(text);
  EXPECT_EQ(read.parser.state(), Parser::State::failed) << text;
  EXPECT_EQ(read.parser.status(), status) << text;
}

TEST(HttpParser, ReadsARequestWithABody) {
  const Read read("PUT /a/?b=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nX-Y:  z \r\n\r\nhiGET");
  ASSERT_EQ(read.parser.state(), Parser::State::complete);
  EXPECT_EQ(read.request.method(), "PUT");
  EXPECT_EQ(read.request.target(), "/a/?b=1");
  EXPECT_EQ(read.request.body(), "hi");
  EXPECT_EQ(read.request.find("x-y"), "z");
  EXPECT_TRUE(read.request.keeps_alive());
  EXPECT_EQ(read.taken, std::string_view("PUT /a/?b=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n"
                                         "X-Y:  z \r\n\r\nhi")
                            .size());
}

/// The body of a request that came one byte after the other.
std::string body_byte_by_byte(std::string_view text) {
  Request request;
  Parser parser(request, {});
  std::string pending;
  for (const char c : text) {
    EXPECT_NE(parser.state(), Parser::State::complete);
    pending += c;
    pending.erase(0, parser.take(pending));
  }
  EXPECT_EQ(parser.state(), Parser::State::complete);
  EXPECT_FALSE(request.find("trailer"));
  return std::string(request.body());
}

TEST(HttpParser, TakesBytesOneByOne) {
  const std::string head = "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n";
  EXPECT_EQ(body_byte_by_byte(head + "2\r\nhi\r\n1;x=y\r\n!\r\n0\r\ntrailer: t\r\n\r\n"), "hi!");
  EXPECT_EQ(body_byte_by_byte(head + "0\r\n\r\n"), "");
  EXPECT_EQ(body_byte_by_byte(head + "0\r\ntrailer: t\r\n\r\n"), "");
  EXPECT_EQ(body_byte_by_byte(head + "1\r\na\r\n0\r\n\r\n"), "a");
}

TEST(HttpParser, ReadsTheNextRequestAfterARestart) {
  Read read(get(""));
  ASSERT_EQ(read.parser.state(), Parser::State::complete);
  read.request.clear();
  read.parser.restart();
  EXPECT_EQ(read.parser.state(), Parser::State::head);
  read.parser.take("GET /second/ HTTP/1.0\r\n\r\n");
  ASSERT_EQ(read.parser.state(), Parser::State::complete);
  EXPECT_EQ(read.request.target(), "/second/");
  EXPECT_FALSE(read.request.keeps_alive());
}

TEST(HttpParser, AcceptsTargetsThatDocumentedRequestsSend) {  // G69
  const Read read("GET /a/?criteria=b>1;c==\"d\"&sort=(e,f)<g HTTP/1.1\r\nhost: a\r\n\r\n");
  ASSERT_EQ(read.parser.state(), Parser::State::complete);
  EXPECT_EQ(read.request.target(), "/a/?criteria=b>1;c==\"d\"&sort=(e,f)<g");
}

TEST(HttpParser, RefusesWhatTwoServersCouldReadInTwoWays) {
  expect_refused(
      "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n"
      "\r\n0\r\n\r\n");
  expect_refused(
      "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n"
      "\r\n0\r\n\r\n");
  expect_refused(get("content-length: 1\r\ncontent-length: 1\r\n"));
  expect_refused(get("content-length: 1, 1\r\n"));
  expect_refused(get("content-length: +1\r\n"));
  expect_refused(get("content-length: -1\r\n"));
  expect_refused(get("content-length: 0x1\r\n"));
  expect_refused(get("content-length: \r\n"));
  expect_refused(get("content-length: 99999999999999999999\r\n"));
  expect_refused(get("transfer-encoding: gzip, chunked\r\n"));
  expect_refused(get("transfer-encoding: identity\r\n"));
  expect_refused(get("transfer-encoding: chunked, identity\r\n"));
  expect_refused(get("transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n"));
  expect_refused(get("transfer-encoding : chunked\r\n"));
  expect_refused(get("transfer-encoding: xchunked\r\n"));
  expect_refused("POST / HTTP/1.0\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n");
  expect_refused(get("x: a\r\n b\r\n"));
  expect_refused(get("x: a\r\n\tb\r\n"));
  expect_refused("GET / HTTP/1.1\r\nhost: a\r\n x: y\r\n\r\n");
  expect_refused(get("host: b\r\n"));
  expect_refused("GET / HTTP/1.1\r\n\r\n");
}

TEST(HttpParser, RefusesWhatIsNoRequest) {
  expect_refused("GET / HTTP/1.1\nhost: a\n\n");
  expect_refused("GET / HTTP/1.1\r\nhost: a\nx: y\r\n\r\n");
  expect_refused("GET / HTTP/1.1\r\nhost: a\rx: y\r\n\r\n");
  expect_refused("GET  / HTTP/1.1\r\nhost: a\r\n\r\n");
  expect_refused("GET /a b HTTP/1.1\r\nhost: a\r\n\r\n");
  expect_refused("GET /\0 HTTP/1.1\r\nhost: a\r\n\r\n"s);
  expect_refused(get("x: \0\r\n"s));
  expect_refused(get("x y: z\r\n"));
  expect_refused(get(": z\r\n"));
  expect_refused("GET / HTTP/2.0\r\nhost: a\r\n\r\n");
  expect_refused("\x16\x03\x01\x02\r\n\r\n");
  expect_refused(get("expect: a-miracle\r\n"), 417);
}

TEST(HttpParser, RefusesBadChunks) {
  const std::string head = "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n";
  expect_refused(head + "g\r\n");
  expect_refused(head + "-1\r\n");
  expect_refused(head + "1\r\nabc\r\n0\r\n\r\n");
  expect_refused(head + "fffffffffffffffff\r\n");
  expect_refused(head + "1\nab\n\r\n");
}

TEST(HttpParser, RefusesWhatIsTooLarge) {
  const auto large = [](std::size_t bytes) { return "x: " + std::string(bytes, 'y') + "\r\n"; };
  expect_refused(get(large(limits::http_head_bytes_max)), 431);
  expect_refused("GET /" + std::string(limits::http_head_bytes_max, 'a') + " HTTP/1.1\r\n\r\n",
                 431);
  std::string many;
  for (std::size_t i = 0; i <= limits::http_fields_max; ++i) many += "a: b\r\n";
  expect_refused(get(many));
  expect_refused(get("content-length: " + std::to_string(limits::http_body_bytes_max + 1) + "\r\n"),
                 413);
  expect_refused("POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n100001\r\n", 413);
}

TEST(HttpParser, TellsWhenAClientWaitsBeforeItSends) {
  const Read read(
      "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\nexpect: 100-continue\r\n\r\n");
  EXPECT_EQ(read.parser.state(), Parser::State::body);
  EXPECT_TRUE(read.parser.waits_for_continue());
}

}  // namespace
}  // namespace toa::gateway::http
