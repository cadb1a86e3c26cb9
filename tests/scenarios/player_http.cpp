// The steps of a scenario that make HTTP requests.

#include <fmt/format.h>

#include "failed.hpp"
#include "http.hpp"
#include "keys.hpp"
#include "outcome.hpp"
#include "player.hpp"

namespace toa::scenarios {
namespace {

using namespace std::chrono_literals;
constexpr std::chrono::milliseconds answer_patience = 60s;

}  // namespace

void Player::http(const JsonObject& step) {
  if (http_.empty()) throw Failed{"the application serves no HTTP"};
  if (const auto* times = step.if_contains("times"))
    return several_http(step, static_cast<std::size_t>(times->as_int64()));
  eventually(step, "0s", [&] {
    HttpRequest request(step, http_);
    settle_http(step, request.read(answer_patience));
  });
}

void Player::settle_http(const JsonObject& step, const HttpAnswer& answer) {
  must(http_mismatch(step, answer));
  for (const auto& [name, path] : map_of(step, "save"))
    variables_.set(std::string(name), part_of(as_value(answer), path.as_string()));
  if (const auto name = text_of(step, "keep"); !name.empty())
    variables_.set(name, Json(as_kept(answer)));
}

void Player::several_http(const JsonObject& step, std::size_t times) {
  std::vector<HttpRequest> requests;
  for (std::size_t i = 0; i < times; ++i) requests.emplace_back(step, http_);
  std::vector<HttpAnswer> answers;
  for (auto& request : requests) answers.push_back(request.read(answer_patience));

  const auto* among = step.if_contains("among");
  for (const auto& one : answers) {
    if (flag_of(step, "alike") && as_kept(one) != as_kept(answers.front()))
      throw Failed{
          fmt::format("two answers differ: {} and {}", as_kept(answers.front()), as_kept(one))};
    if (among == nullptr) settle_http(step, one);
  }
  if (among == nullptr) return;
  for (const auto& kind : among->as_array()) {
    const auto& expected = kind.as_object();
    const auto* count = expected.if_contains("count");
    const auto wanted = count == nullptr ? 1 : count->as_int64();
    const auto found = std::ranges::count_if(
        answers, [&](const HttpAnswer& one) { return !http_mismatch(expected, one); });
    if (found == wanted) continue;
    std::string all;
    for (const auto& one : answers) all += "\n  " + json::print(as_value(one));
    throw Failed{fmt::format("expected {} answers like {}, found {} in{}", wanted,
                             json::print(expected), found, all)};
  }
}

void Player::know_addresses(const std::string& report) {
  http_.clear();
  const auto word_after = [&report](const std::string& text) {
    const auto begin = report.find(text) + text.size();
    return report.substr(begin, report.find(' ', begin) - begin);
  };
  if (!report.contains(" http://")) return;
  http_ = "http://" + word_after(" http://");
  variables_.set("http", Json(http_));
  variables_.set("ready", Json(word_after(" ready ")));
}

}  // namespace toa::scenarios
