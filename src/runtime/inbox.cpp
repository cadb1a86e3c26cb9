#include "runtime/inbox.hpp"

#include <utility>

#include "base/limits.hpp"

namespace toa::runtime {
namespace {

/// Nothing where the operation is gone or remembers its calls no more.
std::optional<EpochMs> window_of(const manifest::Application& application,
                                 const std::string& endpoint) {
  const auto parts = Endpoint::parse(endpoint);
  const auto* operation = parts ? application.find(*parts) : nullptr;
  if (operation == nullptr || !operation->once_window_s) return std::nullopt;
  return *operation->once_window_s * 1'000;
}

JsonObject print(storage::RememberedCall call, Identity identity, std::optional<EpochMs> window) {
  JsonObject item{{"id", identity.hex()},
                  {"endpoint", call.endpoint},
                  {"recorded", window ? Json(call.expires - *window) : Json()},
                  {"expires", call.expires},
                  {"kept", call.kept}};
  // An operation that replied nothing is remembered as just that.
  if (call.first.reply) {
    const auto& text = *call.first.reply;
    auto value =
        json::parse(text, {.bytes_max = text.size(), .depth_max = limits::document_depth_max + 2});
    item["reply"] = value ? std::move(*value) : Json(text);
  }
  return item;
}

}  // namespace

Task<Result<InboxAnswer>> look_into_inbox(storage::RememberedCalls& inbox,
                                          const manifest::Application& application,
                                          const Clock& clock, Identity identity) {
  auto calls = co_await inbox.remembered(identity);
  if (!calls) co_return std::unexpected(std::move(calls.error()));
  InboxAnswer answer{.calls = {}, .now = clock.now()};
  for (auto& call : *calls) {
    const auto window = window_of(application, call.endpoint);
    answer.calls.emplace_back(print(std::move(call), identity, window));
  }
  co_return answer;
}

JsonObject print_inbox_request(Identity identity) {
  return {{"id", identity.hex()}};
}

Result<Identity> read_inbox_request(const Json& message) {
  const auto* id = json::find(message, "id");
  const auto identity =
      id != nullptr && id->is_string() ? Identity::parse(id->get_string()) : std::nullopt;
  if (!identity) return fail(ErrorKind::invalid, "'id' must be 32 hex digits");
  return *identity;
}

JsonObject print(InboxAnswer answer) {
  return {{"inbox", std::move(answer.calls)}, {"now", answer.now}};
}

Result<InboxAnswer> read_inbox_answer(Json message) {
  const auto* calls = json::find(message, "inbox");
  const auto* now = json::find(message, "now");
  if (calls == nullptr || !calls->is_array() || now == nullptr || !now->is_int64())
    return fail(ErrorKind::broken, "the application told nothing of its inbox");
  const auto at = now->get_int64();
  return InboxAnswer{.calls = std::move(message.get_object().at("inbox").get_array()), .now = at};
}

}  // namespace toa::runtime
