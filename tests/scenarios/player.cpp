#include "player.hpp"

#include <fmt/format.h>

#include "failed.hpp"
#include "keys.hpp"
#include "match.hpp"
#include "outcome.hpp"

namespace toa::scenarios {
namespace {

using namespace std::chrono_literals;

// Longer than anything that a scenario waits for, shorter than the patience of who runs it.
constexpr std::chrono::milliseconds answer_patience = 60s;
constexpr std::size_t story_bytes_max = 8'000;

std::string last_part(std::string text) {
  if (text.size() <= story_bytes_max) return text;
  return "…" + text.substr(text.size() - story_bytes_max);
}

/// By what an answer is told from others of its connection: they come as they are ready.
Json number_of(const Json& answer) {
  const auto* map = answer.if_object();
  const auto* number = map == nullptr ? nullptr : map->if_contains("n");
  return number == nullptr ? Json() : *number;
}

}  // namespace

Player::Player(const Site& site, const Scenario& scenario)
    : scenario_(scenario), stage_(site, scenario) {
  variables_.set("application", Json(stage_.application()));
  variables_.set("data", Json(stage_.data()));
  for (const auto& [name, value] : scenario.variables) {
    variables_.set(std::string(name), variables_.fill(value));
  }
}

std::optional<std::string> Player::play() {
  int line = 0;
  std::string title;
  try {
    if (scenario_.starts) start({});
    for (const auto& step : scenario_.steps) {
      line = step.line;
      title = text_of(step.keys, "step");
      perform(step);
    }
    return std::nullopt;
  } catch (const Failed& failed) {
    const auto place = line == 0 ? std::string("start") : title;
    return fmt::format("{}:{}: {}{}{}\n{}", scenario_.file, line, place, place.empty() ? "" : ": ",
                       failed.what, story());
  }
}

void Player::perform(const Step& step) {
  const auto& keys = step.keys;
  // Contents of files and databases are written in languages that have `${…}` of their own.
  if (step.verb == "write") return stage_.write(map_of(keys, "write"));
  const auto filled = variables_.fill(keys).get_object();
  if (step.verb == "call") return call(filled);
  if (step.verb == "answer") return answer(filled);
  if (step.verb == "together") return together(filled);
  if (step.verb == "http") return http(filled);
  if (step.verb == "log") return log(filled);
  if (step.verb == "raw") return raw(filled);
  if (step.verb == "shell") return shell(filled);
  if (step.verb == "finish") return finish(text_of(filled, "finish"), filled);
  if (step.verb == "parked") return parked(filled);
  if (step.verb == "database") return database(filled);
  if (step.verb == "stop") return stop();
  if (step.verb == "kill") return kill();
  if (step.verb == "ended") return ended(filled);
  if (step.verb == "start") return start_refused(filled);
  if (step.verb == "restart") {
    stop();
    return start(map_of(filled, "restart"));
  }
  for (const auto& [name, value] : map_of(filled, "set")) variables_.set(std::string(name), value);
}

Control Player::ask(const JsonObject& step) {
  Control control(stage_.control());
  const auto* request = step.if_contains("request");
  send_call(control, text_of(step, "call"), request == nullptr ? Json(JsonObject{}) : *request);
  return control;
}

void Player::settle(const JsonObject& step, const Answer& answer) {
  must(outcome_mismatch(step, answer));
  for (const auto& [name, path] : map_of(step, "save")) {
    variables_.set(std::string(name), part_of(*answer.reply, path.as_string()));
  }
  if (const auto name = text_of(step, "keep"); !name.empty())
    variables_.set(name, Json(answer.text));
}

void Player::call(const JsonObject& step) {
  if (const auto name = text_of(step, "later"); !name.empty()) {
    calls_.erase(name);
    calls_.emplace(name, ask(step));
    return;
  }
  if (step.contains("times")) {
    auto controls = ask_times(step);
    return settle_all(step, controls);
  }
  eventually(step, "0s", [&] {
    auto control = ask(step);
    settle(step, read_answer(control, answer_patience));
  });
}

void Player::answer(const JsonObject& step) {
  const auto found = calls_.find(text_of(step, "answer"));
  if (found == calls_.end()) throw Failed{"no call was made `later` under this name"};
  settle(step, read_answer(found->second, answer_patience));
  calls_.erase(found);
}

void Player::together(const JsonObject& step) {
  std::vector<std::vector<Control>> controls;
  const auto& calls = step.at("together").as_array();
  for (const auto& one : calls) controls.push_back(ask_times(one.as_object()));
  for (std::size_t i = 0; i < calls.size(); ++i) settle_all(calls[i].as_object(), controls[i]);
}

std::vector<Control> Player::ask_times(const JsonObject& step) {
  const auto* times = step.if_contains("times");
  std::vector<Control> controls;
  for (auto i = times == nullptr ? 1 : times->as_int64(); i > 0; --i) controls.push_back(ask(step));
  return controls;
}

void Player::settle_all(const JsonObject& step, std::vector<Control>& controls) {
  std::vector<Answer> answers;
  for (auto& control : controls) answers.push_back(read_answer(control, answer_patience));

  const auto* among = step.if_contains("among");
  for (const auto& one : answers) {
    if (flag_of(step, "alike") && one.text != answers.front().text)
      throw Failed{fmt::format("two answers differ: {} and {}", answers.front().text, one.text)};
    if (among == nullptr) settle(step, one);
  }
  if (among != nullptr) must_be_among(among->as_array(), answers);
}

void Player::must_be_among(const JsonArray& among, const std::vector<Answer>& answers) {
  for (const auto& kind : among) {
    const auto& expected = kind.as_object();
    const auto* count = expected.if_contains("count");
    const auto wanted = count == nullptr ? 1 : count->as_int64();
    const auto found = std::ranges::count_if(
        answers, [&](const Answer& one) { return !outcome_mismatch(expected, one); });
    if (found == wanted) continue;
    std::string all;
    for (const auto& one : answers) all += "\n  " + (one.reply ? json::print(*one.reply) : "lost");
    throw Failed{fmt::format("expected {} answers like {}, found {} in{}", wanted,
                             json::print(expected), found, all)};
  }
}

JsonArray Player::records() const {
  JsonArray records;
  const auto text = Stage::read(stage_.log());
  for (std::size_t at = log_from_; at < text.size();) {
    const auto end = text.find('\n', at);
    if (end == std::string::npos) break;
    if (auto record = json::parse(text.substr(at, end - at))) records.push_back(std::move(*record));
    at = end + 1;
  }
  return records;
}

void Player::log(const JsonObject& step) {
  const Json expected = map_of(step, "log");
  const auto find = [&] {
    for (const auto& record : records()) {
      if (!mismatch(expected, record, Match::partly)) return true;
    }
    return false;
  };
  if (flag_of(step, "never")) {
    if (find()) throw Failed{"the log has a record like " + json::print(expected)};
    return;
  }
  eventually(step, "10s", [&] {
    if (!find()) throw Failed{"the log has no record like " + json::print(expected)};
  });
}

void Player::raw(const JsonObject& step) {
  Control control(stage_.control());
  for (const auto& line : step.at("raw").as_array())
    control.send_line(std::string(line.as_string()));
  const auto* answers = step.if_contains("answers");
  for (auto waiting = answers == nullptr ? JsonArray{} : answers->as_array(); !waiting.empty();) {
    const auto line = control.read_line(answer_patience);
    if (!line) throw Failed{"the connection ended instead of " + json::print(waiting.front())};
    const auto found = json::parse(*line, {.depth_max = limits::document_depth_max + 2});
    if (!found) throw Failed{"the answer is no JSON: " + *line};
    const auto expected = std::ranges::find_if(
        waiting, [&](const Json& one) { return number_of(one) == number_of(*found); });
    if (expected == waiting.end())
      throw Failed{fmt::format("came where {} was expected: {}", json::print(waiting), *line)};
    must(mismatch(*expected, *found, Match::partly));
    waiting.erase(expected);
  }
  if (flag_of(step, "closed") && control.read_line(answer_patience))
    throw Failed{"the connection goes on, and was expected to end"};
}

std::string Player::story() const {
  std::string story;
  for (const auto& [title, text] :
       {std::pair{"standard error", stage_.err("program")}, {"log", Stage::read(stage_.log())}}) {
    if (!text.empty()) story += fmt::format("--- {}\n{}\n", title, last_part(text));
  }
  return story;
}

}  // namespace toa::scenarios
