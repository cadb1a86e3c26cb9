#include "cli/inbox_text.hpp"

#include "cli/details.hpp"

namespace toa::cli {
namespace {

std::string recorded_of(const JsonObject& item, EpochMs now) {
  const auto& at = item.at("recorded");
  if (at.is_null()) return "not known: the operation does not declare `once` any more";
  return moment(at.as_int64()) + " (" + age(now - at.as_int64()) + " ago)";
}

std::string expires_of(const JsonObject& item, EpochMs now) {
  const auto at = item.at("expires").as_int64();
  auto text = moment(at);
  if (at > now) text += " (in " + age(at - now) + ")";
  if (item.at("kept").as_bool()) text += ", and not while a message of its chain waits";
  return text;
}

}  // namespace

std::string remembered_details(const JsonObject& item, EpochMs now, LiteralStyle style) {
  const auto* reply = item.if_contains("reply");
  return labelled("id", std::string(item.at("id").as_string())) +
         labelled("endpoint", std::string(item.at("endpoint").as_string())) +
         labelled("recorded", recorded_of(item, now)) + labelled("expires", expires_of(item, now)) +
         labelled("reply", reply == nullptr ? "nothing" : literal(*reply, style));
}

}  // namespace toa::cli
