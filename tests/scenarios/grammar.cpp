#include "grammar.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace toa::scenarios {
namespace {

using manifest::Section;

/// What may stand under a key.
enum class Kind { any, text, flag, number, map, list, time, calls, outcomes, responses };

using Keys = std::map<std::string_view, Kind>;

const Keys& outcome_keys() {
  static const Keys keys{{"output", Kind::any}, {"exactly", Kind::any},   {"nothing", Kind::flag},
                         {"error", Kind::any},  {"exception", Kind::any}, {"failure", Kind::text},
                         {"lost", Kind::flag},  {"replayed", Kind::flag}, {"same", Kind::text}};
  return keys;
}

const Keys& response_keys() {
  static const Keys keys{{"status", Kind::number}, {"response", Kind::any}, {"exactly", Kind::any},
                         {"text", Kind::any},      {"receives", Kind::map}, {"lost", Kind::flag},
                         {"replayed", Kind::flag}, {"same", Kind::text}};
  return keys;
}

const Keys& ended_keys() {
  static const Keys keys{
      {"exit", Kind::number}, {"stdout", Kind::any}, {"stderr", Kind::any}, {"save", Kind::map}};
  return keys;
}

Keys with(Keys keys, const Keys& more) {
  keys.insert(more.begin(), more.end());
  return keys;
}

/// The verbs, and what else their steps take.
const std::map<std::string_view, Keys>& verbs() {
  static const Keys kept{{"save", Kind::map}, {"keep", Kind::text}};
  static const std::map<std::string_view, Keys> all{
      {"call", with(with({{"call", Kind::text},
                          {"request", Kind::any},
                          {"times", Kind::number},
                          {"alike", Kind::flag},
                          {"among", Kind::outcomes},
                          {"later", Kind::text},
                          {"within", Kind::time}},
                         kept),
                    outcome_keys())},
      {"answer", with(with({{"answer", Kind::text}}, kept), outcome_keys())},
      {"http", with(with({{"http", Kind::text},
                          {"headers", Kind::map},
                          {"body", Kind::any},
                          {"times", Kind::number},
                          {"alike", Kind::flag},
                          {"among", Kind::responses},
                          {"within", Kind::time}},
                         kept),
                    response_keys())},
      {"together", {{"together", Kind::calls}}},
      {"start", {{"start", Kind::map}, {"refused", Kind::list}, {"says", Kind::any}}},
      {"restart", {{"restart", Kind::map}}},
      {"stop", {{"stop", Kind::any}}},
      {"kill", {{"kill", Kind::any}}},
      {"ended", {{"ended", Kind::map}, {"says", Kind::any}}},
      {"log", {{"log", Kind::map}, {"within", Kind::time}, {"never", Kind::flag}}},
      {"raw", {{"raw", Kind::list}, {"answers", Kind::list}, {"closed", Kind::flag}}},
      {"shell",
       with({{"shell", Kind::text}, {"later", Kind::text}, {"within", Kind::time}}, ended_keys())},
      {"parked",
       {{"parked", Kind::list},
        {"filter", Kind::text},
        {"within", Kind::time},
        {"save", Kind::map}}},
      {"finish", with({{"finish", Kind::text}}, ended_keys())},
      {"write", {{"write", Kind::map}}},
      {"set", {{"set", Kind::map}}},
      {"database", {{"database", Kind::text}, {"rows", Kind::list}, {"within", Kind::time}}},
  };
  return all;
}

constexpr std::array<std::string_view, 2> verbs_later{"emit", "pulse"};

bool is_time(const Json& value) {
  const auto* text = value.if_string();
  return text != nullptr && duration(*text).has_value();
}

void check_value(const Section& at, Kind kind);

void check_keys(const Section& step, Keys keys) {
  for (const auto& part : step.parts()) {
    const auto found = keys.find(part.name());
    if (found != keys.end()) {
      check_value(part, found->second);
      continue;
    }
    std::vector<std::string_view> known;
    for (const auto& [name, kind] : keys) known.push_back(name);
    part.report(
        fmt::format("unknown key '{}'{}", part.name(), manifest::suggestion(part.name(), known)));
  }
}

void check_calls(const Section& list) {
  for (const auto& part : list.parts()) {
    if (!part.must_be_object()) continue;
    if (!part.find("call")) part.report("must have `call`");
    check_keys(part, verbs().at("call"));
    for (const auto* key : {"later", "within"})
      if (auto stated = part.find(key)) stated->report("is not for calls made together");
  }
}

void check_outcomes(const Section& list, const Keys& keys) {
  for (const auto& part : list.parts()) {
    if (part.must_be_object()) check_keys(part, with({{"count", Kind::number}}, keys));
  }
}

void check_value(const Section& at, Kind kind) {
  const auto& value = at.value();
  switch (kind) {
    case Kind::any:
      return;
    case Kind::text:
      if (!value.is_string()) at.report("must be string");
      return;
    case Kind::flag:
      if (!value.is_bool()) at.report("must be boolean");
      return;
    case Kind::number:
      if (!value.is_int64() || value.get_int64() < 0) at.report("must be a whole number");
      return;
    case Kind::map:
      if (!value.is_null()) at.must_be_object();
      return;
    case Kind::time:
      if (!is_time(value)) at.report("must be a time such as 200ms, 5s or 2m");
      return;
    case Kind::list:
    case Kind::calls:
    case Kind::outcomes:
    case Kind::responses:
      if (!value.is_array()) return at.report("must be array");
      if (kind == Kind::calls) check_calls(at);
      if (kind == Kind::outcomes) check_outcomes(at, outcome_keys());
      if (kind == Kind::responses) check_outcomes(at, response_keys());
  }
}

}  // namespace

std::optional<std::chrono::milliseconds> duration(std::string_view text) {
  static const std::map<std::string_view, int> units{{"ms", 1}, {"s", 1'000}, {"m", 60'000}};
  int amount = 0;
  const auto* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, amount);
  const auto unit = units.find(std::string_view(end, last));
  if (error != std::errc{} || amount < 0 || amount > 1'000'000 || unit == units.end()) return {};
  return std::chrono::milliseconds(std::int64_t{amount} * unit->second);
}

std::optional<Step> read_step(const Section& section) {
  if (!section.must_be_object()) return std::nullopt;
  const auto& keys = section.value().get_object();
  std::vector<std::string_view> found;
  for (const auto& [verb, takes] : verbs()) {
    if (keys.contains(verb)) found.push_back(verb);
  }
  for (const auto verb : verbs_later) {
    if (!keys.contains(verb)) continue;
    section.find(verb)->report(fmt::format("'{}' is not available yet", verb));
    return std::nullopt;
  }
  if (found.size() != 1) {
    std::vector<std::string_view> known;
    for (const auto& [verb, takes] : verbs()) known.push_back(verb);
    section.report(found.empty() ? fmt::format("a step has one of {}", fmt::join(known, ", "))
                                 : fmt::format("a step has one verb, and this has {}",
                                               fmt::join(found, ", ")));
    return std::nullopt;
  }
  check_keys(section, with(verbs().at(found.front()), {{"step", Kind::text}}));
  return Step{section.line(), std::string(found.front()), keys};
}

}  // namespace toa::scenarios
