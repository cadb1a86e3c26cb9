#include "bridge/node/ran.hpp"

#include <fmt/format.h>

#include "base/json.hpp"

namespace toa::bridge::node {
namespace {

std::string text_at(const Json& object, std::string_view key) {
  const auto* found = json::find(object, key);
  const auto* text = found == nullptr ? nullptr : found->if_string();
  return text == nullptr ? std::string() : std::string(*text);
}

std::optional<Json> value_at(const Json& object, std::string_view key) {
  const auto* found = json::find(object, key);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

/// A code of ours, or nothing: authors' errors have codes of every kind (`ENOENT`, 42).
std::optional<Code> code_at(const Json& object) {
  const auto* found = json::find(object, "code");
  const auto* number = found == nullptr ? nullptr : found->if_int64();
  if (number == nullptr || *number < 0 || *number > 999) return std::nullopt;
  return code_of(static_cast<int>(*number));
}

Trail trail_at(const Json& object) {
  Trail trail;
  const auto* found = json::find(object, "trail");
  const auto* hops = found == nullptr ? nullptr : found->if_array();
  if (hops == nullptr) return trail;
  for (const auto& hop : *hops) {
    if (const auto* text = hop.if_string()) trail.emplace_back(*text);
  }
  return trail;
}

Exception exception_of(const Json& thrown) {
  const auto code = code_at(thrown);
  return {.code = code.value_or(Code::system),
          .message = text_at(thrown, "message"),
          .operation = code ? text_at(thrown, "operation") : "",
          .cause = value_at(thrown, "cause"),
          .trail = code ? trail_at(thrown) : Trail{},
          .stack = text_at(thrown, "stack"),
          .thrown = code.value_or(Code::system) == Code::system ? text_at(thrown, "name") : ""};
}

Exception unusable(std::string_view operation, std::string_view part, const std::string& problem) {
  return {.message = fmt::format("the {} of {} cannot be used: {}", part, operation, problem)};
}

/// Checks the documents of one run; remembers the first problem.
class Checker {
 public:
  explicit Checker(std::string_view operation) : operation_(operation) {}

  std::optional<Document> check(std::string_view part, std::optional<std::string> text) {
    if (!text || problem_) return std::nullopt;
    auto document = checked(std::move(*text));
    if (document) return std::move(*document);
    problem_ = unusable(operation_, part, document.error().message);
    return std::nullopt;
  }

  const std::optional<Exception>& problem() const { return problem_; }

 private:
  std::string_view operation_;
  std::optional<Exception> problem_;
};

Ran returned(DoneMessage done, Checker& checker) {
  Returned out;
  out.reply = checker.check("reply", std::move(done.reply));
  out.state = checker.check("state", std::move(done.state));
  out.trailers = checker.check("trailers", std::move(done.trailers));
  out.reply_is_state = done.reply_is_state;
  out.discard = done.discard;
  out.streamed = done.streamed;
  if (checker.problem()) return *checker.problem();
  return out;
}

}  // namespace

Result<Document> checked(std::string text) {
  auto value = json::parse(text);
  if (!value) return std::unexpected(std::move(value.error()));
  return Document::of_checked(std::move(text), std::move(*value));
}

Ran ran_of(DoneMessage done, std::string_view operation) {
  Checker checker(operation);
  if (done.kind == DoneKind::output) return returned(std::move(done), checker);
  const bool refused = done.kind == DoneKind::error;
  const auto what = checker.check(refused ? "error" : "exception", std::move(done.reply));
  if (checker.problem()) return *checker.problem();
  if (!what) return unusable(operation, "outcome", "it is missing");
  if (!refused) return exception_of(what->value());
  auto code = text_at(what->value(), "code");
  if (code.empty()) return unusable(operation, "error", "it has no code");
  return Refusal{std::move(code), value_at(what->value(), "cause")};
}

}  // namespace toa::bridge::node
