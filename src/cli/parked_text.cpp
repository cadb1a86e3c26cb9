#include "cli/parked_text.hpp"

#include "cli/details.hpp"

namespace toa::cli {
namespace {

// What a line of a list has room for; all of it is in `show` and `--json`.
constexpr std::size_t reason_characters = 60;
constexpr std::size_t cause_characters = 40;
constexpr std::size_t whole = std::string::npos;

std::string text_at(const JsonObject& item, std::string_view key) {
  const auto* value = item.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

std::string event_of(const JsonObject& item) {
  const auto event = text_at(item, "event");
  return event.empty() ? "-" : event;
}

std::string cause_of(const JsonObject& item) {
  const auto& cause = item.at("cause");
  if (cause.is_null()) return "";
  return cause.is_string() ? std::string(cause.get_string()) : literal(cause, {});
}

std::string state_of(const JsonObject& item, LiteralStyle style) {
  const auto& state = item.at("state");
  if (!state.is_null()) return literal(state, style);
  const auto* query =
      item.at("request").is_null() ? nullptr : json::find(item.at("request"), "query");
  if (query == nullptr) return "none: the request selects no object";
  const auto* id = json::find(*query, "id");
  const bool narrowed = json::find(*query, "criteria") || json::find(*query, "search");
  if (id == nullptr || narrowed) return "none: no object is as the query says";
  return "none: there is no object " + literal(*id, {});
}

std::string request_of(const JsonObject& item, LiteralStyle style) {
  const auto unknown = text_at(item, "unknown");
  if (!unknown.empty()) return "not known: " + one_line(unknown, whole);
  const auto& request = item.at("request");
  return request.is_null() ? "none: its receiver does not want it" : literal(request, style);
}

std::string trail_of(const JsonObject& item) {
  std::string trail;
  for (const auto& hop : item.at("trail").as_array())
    trail += (trail.empty() ? "" : " → ") + std::string(hop.as_string());
  return trail.empty() ? "-" : one_line(trail, whole);
}

}  // namespace

Table::Row parked_headers() {
  return {"AGE", "ENDPOINT", "EVENT", "ATTEMPT", "ID", "REASON", "CAUSE"};
}

Table::Row parked_row(const JsonObject& item, EpochMs now) {
  return {age(now - item.at("at").as_int64()),
          text_at(item, "endpoint"),
          event_of(item),
          json::print(item.at("attempt")),
          text_at(item, "id"),
          one_line(text_at(item, "reason"), reason_characters),
          one_line(cause_of(item), cause_characters)};
}

Table::Row plan_headers() {
  return {"WOULD", "ENDPOINT", "EVENT", "ID", "WHY"};
}

Table::Row plan_row(const JsonObject& item) {
  return {text_at(item, "would"), text_at(item, "endpoint"), event_of(item), text_at(item, "id"),
          one_line(text_at(item, "why"), reason_characters)};
}

std::string parked_details(const JsonObject& item, EpochMs now, LiteralStyle style) {
  const auto& exception = item.at("exception").as_object();
  const auto at = item.at("at").as_int64();
  std::string out = labelled("id", text_at(item, "id"));
  out += labelled("endpoint", text_at(item, "endpoint"));
  out += labelled("event", event_of(item));
  out += labelled("parked", moment(at) + " (" + age(now - at) + " ago), attempt " +
                                json::print(item.at("attempt")));
  out += labelled("reason", one_line(text_at(item, "reason"), whole));
  if (const auto cause = cause_of(item); !cause.empty())
    out += labelled("cause", one_line(cause, whole));
  out +=
      labelled("exception", text_at(exception, "name") + " " + json::print(exception.at("code")));
  if (const auto stack = text_at(exception, "stack"); !stack.empty())
    out += labelled("stack", "").substr(0, 5) + "\n" + indented(stack, 2) + "\n";
  out += labelled("trail", trail_of(item));
  if (const auto* payload = item.if_contains("payload"))
    out += labelled("payload", literal(*payload, style));
  out += labelled("request", request_of(item, style));
  return out + labelled("state", state_of(item, style));
}

std::string messages(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " message" : " messages");
}

}  // namespace toa::cli
