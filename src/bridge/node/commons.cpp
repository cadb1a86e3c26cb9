#include "bridge/node/commons.hpp"

#include <fmt/format.h>

namespace toa::bridge::node {
namespace {

using std::chrono::milliseconds;

Answer output(Json value) {
  return {"output", Document::of(std::move(value))};
}

Answer refused(const Error& error) {
  return {"exception",
          Document::of(JsonObject{{"name", "RangeError"}, {"message", error.message}})};
}

std::optional<std::string> text_of(const Json& question, std::string_view name) {
  const auto* found = json::find(question, name);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return std::string(found->get_string());
}

std::optional<std::int64_t> number_of(const Json& question, std::string_view name) {
  const auto* found = json::find(question, name);
  if (found == nullptr || !found->is_int64()) return std::nullopt;
  return found->get_int64();
}

Stash::Ttl ttl_of(const Json& question) {
  const auto ms = number_of(question, "ms");
  return ms ? Stash::Ttl(milliseconds(*ms)) : std::nullopt;
}

Stash::If when_of(const Json& question) {
  const auto when = text_of(question, "if");
  if (when == "absent") return Stash::If::absent;
  return when == "present" ? Stash::If::present : Stash::If::always;
}

/// One access to the stash; nothing where it is none.
std::optional<Answer> access(Stash& stash, const std::string& key, std::string_view what,
                             const Json& question) {
  if (what == "get") {
    const auto value = stash.get(key);
    return output(value ? Json(*value) : Json(nullptr));
  }
  if (what == "del") return output(stash.remove(key));
  if (what == "ttl") return output(stash.left_ms(key));
  if (what == "expire")
    return output(stash.expire(key, ttl_of(question).value_or(milliseconds(0))));
  if (what == "set") {
    const auto set = stash.set(key, text_of(question, "value").value_or(""), ttl_of(question),
                               when_of(question));
    return set ? output(*set) : refused(set.error());
  }
  if (what != "add") return std::nullopt;
  const auto sum = stash.add(key, number_of(question, "by").value_or(1));
  return sum ? output(*sum) : refused(sum.error());
}

}  // namespace

Result<void> Commons::ask(Asker& asker, AskNumber ask, const Json& question) {
  const auto component = text_of(question, "component");
  const auto what = text_of(question, "what");
  const auto asked = text_of(question, "key");
  if (!component || !what || !asked)
    return fail(ErrorKind::invalid, "a question names no component, no key, or nothing to do");
  // A component's id has no blank in it.
  const auto key = *component + " " + *asked;
  if (*what == "lock") {
    locks_.claim(key, &asker, ask.value, [&asker, ask] { asker.told(ask, output(nullptr)); });
    return {};
  }
  if (*what == "release") {
    const auto number = number_of(question, "ask").value_or(-1);
    locks_.release(key, &asker, static_cast<std::uint64_t>(number));
    asker.told(ask, output(nullptr));
    return {};
  }
  const auto answer = access(stash_, key, *what, question);
  if (!answer) return fail(ErrorKind::invalid, fmt::format("nothing can be asked as '{}'", *what));
  asker.told(ask, *answer);
  return {};
}

}  // namespace toa::bridge::node
