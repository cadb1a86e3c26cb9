#include "runtime/parked.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace toa::runtime {
namespace {

constexpr std::array<std::pair<std::string_view, ParkedAction>, 5> actions{{
    {"list", ParkedAction::list},
    {"show", ParkedAction::show},
    {"plan", ParkedAction::plan},
    {"return", ParkedAction::put_back},
    {"discard", ParkedAction::discard},
}};

std::unexpected<Error> refuse(const std::string& what) {
  return fail(ErrorKind::invalid, what);
}

Result<void> read_text(const Json& message, std::string_view name, std::string& into) {
  const auto* value = json::find(message, name);
  if (value == nullptr || value->is_null()) return {};
  if (!value->is_string()) return refuse("'" + std::string(name) + "' must be string");
  into = value->get_string();
  return {};
}

Result<std::optional<std::int64_t>> read_integer(const Json& message, std::string_view name) {
  const auto* value = json::find(message, name);
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (!value->is_int64()) return refuse("'" + std::string(name) + "' must be integer");
  return value->get_int64();
}

Result<void> read_ids(const Json& message, std::vector<std::string>& into) {
  const auto* value = json::find(message, "ids");
  if (value == nullptr || value->is_null()) return {};
  const auto* list = value->if_array();
  if (list == nullptr) return refuse("'ids' must be array");
  for (const auto& id : *list) {
    if (!id.is_string() || id.get_string().empty())
      return refuse("'ids' must be a list of identities or how they begin");
    into.emplace_back(id.get_string());
  }
  return {};
}

}  // namespace

JsonObject print(const ParkedRequest& request) {
  const auto* action =
      std::ranges::find(actions, request.action, &decltype(actions)::value_type::second);
  const auto& selection = request.selection;
  JsonObject out{{"action", action->first}, {"after", request.after.value}};
  if (!selection.ids.empty()) out["ids"] = boost::json::value_from(selection.ids);
  if (!selection.endpoint.empty()) out["endpoint"] = selection.endpoint;
  if (!selection.component.empty()) out["component"] = selection.component;
  if (!selection.reason.empty()) out["reason"] = selection.reason;
  if (selection.until) out["until"] = *selection.until;
  return out;
}

Result<ParkedRequest> read_parked_request(const Json& message) {
  ParkedRequest request;
  std::string word;
  if (auto read = read_text(message, "action", word); !read) return std::unexpected(read.error());
  const auto* action = std::ranges::find(actions, word, &decltype(actions)::value_type::first);
  if (action == actions.end())
    return refuse("'action' must be list, show, plan, return or discard");
  request.action = action->second;

  auto& selection = request.selection;
  auto read = read_ids(message, selection.ids);
  if (read) read = read_text(message, "endpoint", selection.endpoint);
  if (read) read = read_text(message, "component", selection.component);
  if (read) read = read_text(message, "reason", selection.reason);
  if (!read) return std::unexpected(read.error());
  const auto until = read_integer(message, "until");
  if (!until) return std::unexpected(until.error());
  selection.until = *until;
  const auto after = read_integer(message, "after");
  if (!after) return std::unexpected(after.error());
  request.after = MessageNumber(after->value_or(0));
  return request;
}

JsonObject print(ParkedPage page) {
  JsonObject out{{"parked", std::move(page.items)}, {"now", page.now}};
  if (page.next) out["next"] = page.next->value;
  return out;
}

Result<ParkedPage> read_parked_page(Json message) {
  const auto* items = json::find(message, "parked");
  const auto next = read_integer(message, "next");
  const auto now = read_integer(message, "now");
  if (items == nullptr || !items->is_array() || !next || !now)
    return fail(ErrorKind::broken, "the application told no parked messages");
  ParkedPage page;
  page.items = std::move(message.get_object().at("parked").get_array());
  if (*next) page.next = MessageNumber(**next);
  page.now = now->value_or(0);
  return page;
}

}  // namespace toa::runtime
