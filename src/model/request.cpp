#include "model/request.hpp"

namespace toa {
namespace {

std::unexpected<Error> refuse(std::string message) {
  return fail(ErrorKind::invalid, std::move(message));
}

Result<std::vector<std::string>> names(const Json& value) {
  const auto* items = value.if_array();
  if (items == nullptr) return refuse("output must be array");
  std::vector<std::string> out;
  for (const auto& item : *items) {
    if (!item.is_string()) return refuse("output must hold names of properties");
    out.emplace_back(item.get_string());
  }
  return out;
}

}  // namespace

Result<Request> Request::read(const Json& value) {
  const auto* members = value.if_object();
  if (members == nullptr) return refuse("a request must be object");
  Request request;
  for (const auto& [key, member] : *members) {
    if (key == "input") {
      request.input = Document::of(member);
    } else if (key == "query") {
      auto query = Query::read(member);
      if (!query) return std::unexpected(query.error());
      request.query = std::move(*query);
    } else if (key == "output") {
      auto output = names(member);
      if (!output) return std::unexpected(output.error());
      request.output = std::move(*output);
    } else if (key == "id") {
      const auto* text = member.if_string();
      request.id = text == nullptr ? std::nullopt : Identity::parse(*text);
      if (!request.id) return refuse("id must be 32 hexadecimal digits");
    } else if (key == "task") {
      const auto* task = member.if_bool();
      if (task == nullptr) return refuse("task must be boolean");
      request.task = *task ? AsTask::yes : AsTask::no;
    } else if (key == "entity") {
      if (!member.is_object()) return refuse("entity must be object");
      request.entity = Document::of(member);
    } else if (key == "timeout" || key == "signal") {
      return refuse("'" + std::string(key) +
                    "' is only for calls of stateful operations; an ordinary call has no deadline");
    } else if (key == "instance") {
      return refuse("'" + std::string(key) + "' is not supported by this release of Toa");
    } else {
      return refuse("a request must NOT have additional properties ('" + std::string(key) + "')");
    }
  }
  return request;
}

}  // namespace toa
