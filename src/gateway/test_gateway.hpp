#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "async/manual_loop.hpp"
#include "async/scope.hpp"
#include "gateway/directives/auth.hpp"
#include "gateway/directives/cache.hpp"
#include "gateway/directives/help.hpp"
#include "gateway/directives/io.hpp"
#include "gateway/directives/map.hpp"
#include "gateway/directives/require.hpp"
#include "gateway/expose.hpp"
#include "gateway/gateway.hpp"
#include "gateway/http/parser.hpp"
#include "manifest/read_fixture.hpp"

namespace toa::gateway {

/// A response as a test looks at it.
struct Answer {
  int status = 0;
  std::string fields;
  std::string body;

  std::string field(std::string_view name) const {
    const auto start = ("\r\n" + fields).find("\r\n" + std::string(name) + ": ");
    if (start == std::string::npos) return "<absent>";
    const auto value = start + name.size() + 2;
    return fields.substr(value, fields.find("\r\n", value) - value);
  }
};

class QuietLog final : public telemetry::Log {
 public:
  void write(telemetry::Severity, std::string_view message, const JsonObject& attributes) override {
    lines.push_back(std::string(message) + " " + json::print(attributes));
  }
  std::vector<std::string> lines;
};

/// An application of files, its gateway, and operations that answer what a test says.
class GatewayTest : public manifest::ReadTest, public Calls {
 protected:
  /// `garden.beds`, with these lines as its `exposition`.
  void beds(std::string_view exposition) {
    std::string lines;
    for (std::size_t at = 0; at < exposition.size();) {
      const auto end = std::min(exposition.find('\n', at), exposition.size());
      lines += "  " + std::string(exposition.substr(at, end - at)) + "\n";
      at = end + 1;
    }
    for (const auto* name : {"soak", "plant", "count"})
      write(fmt::format("components/garden.beds/operations/{}.js", name), "");
    code_["count"] = {0, "computation", {}, {}};
    write("components/garden.beds/manifest.toa.yaml",
          "entity:\n"
          "  properties: { water: { type: integer } }\n"
          "operations:\n"
          "  soak:\n"
          "    once: true\n"
          "    query: true\n"
          "    concurrency: retry\n"
          "    input: { type: object, properties: { water: { type: integer }, by: { type: string } "
          "} }\n"
          "    errors: [TOO_WET]\n"
          "  plant:\n"
          "    query: false\n"
          "    concurrency: retry\n"
          "    input: { type: object, properties: { water: { type: integer }, id: {}, by: {} } }\n"
          "  count:\n"
          "    input: { type: object, properties: { n: { type: integer }, text: {}, lang: {} } }\n"
          "exposition:\n" +
              lines);
  }

  /// Reads the routes; fails the test where they are wrong.
  void expose() {
    application_ = application();
    auto exposition = gateway::expose(application_, families_, application_.warnings);
    ASSERT_TRUE(exposition) << manifest::print(exposition.error());
    gateway_.emplace(
        World{.calls = *this, .access = *asked_, .clock = clock_, .random = random_, .log = log_},
        std::move(*exposition));
  }

  /// What is wrong with the routes: `line: key: message`, one each.
  std::string faults() {
    application_ = application();
    const auto exposition = gateway::expose(application_, families_, application_.warnings);
    std::string text;
    for (const auto& problem : exposition ? std::vector<manifest::Problem>{} : exposition.error())
      text += fmt::format("{}: {}: {}\n", problem.line, problem.key, problem.message);
    return text;
  }

  Answer ask(std::string_view line, std::string_view headers = "", std::string_view body = "") {
    const auto text =
        fmt::format("{} HTTP/1.1\r\nhost: localhost:8000\r\n{}content-length: {}\r\n\r\n{}", line,
                    headers, body.size(), body);
    http::Request request;
    http::Parser parser(request, {});
    parser.take(text);
    if (parser.state() != http::Parser::State::complete) return {parser.status(), "", ""};
    http::Response response;
    Scope scope(loop_);
    scope.spawn(gateway_->serve(request, response));
    EXPECT_EQ(scope.running(), 0u);
    return {response.status, response.fields(), response.body};
  }
  Answer put(std::string_view path, std::string_view headers, std::string_view body) {
    return ask("PUT " + std::string(path),
               "content-type: application/json\r\n" + std::string(headers), body);
  }

  Task<Reply> call(Call call) override {
    last_ = std::move(call);
    ++calls_;
    co_return reply_;
  }
  /// The input and the query of the last call.
  std::string input() const {
    return last_ && last_->request.input ? last_->request.input->text() : "<none>";
  }
  std::string query() const {
    return last_ && last_->request.query ? json::print(last_->request.query->print()) : "<none>";
  }
  void answers(Json value) { reply_ = Reply{Output{Document::of(std::move(value))}}; }

  ManualLoop loop_;
  ManualClock clock_{1'790'000'000'000};
  SeededRandom random_{1};
  QuietLog log_;
  NoAccess access_;
  Access* asked_ = &access_;
  RequireFamily require_;
  MapFamily map_;
  AuthFamily auth_;
  IoFamily io_{clock_};
  CacheFamily cache_;
  HelpFamily help_;
  std::array<const Family*, 6> families_{&require_, &map_, &auth_, &io_, &cache_, &help_};
  manifest::Application application_;
  std::optional<Gateway> gateway_;
  Reply reply_{Output{Document::of(JsonObject{{"id", "a"}, {"water", 5}, {"VERSION", 1}})}};
  std::optional<Call> last_;
  int calls_ = 0;
};

}  // namespace toa::gateway
