#include "gateway/outcome.hpp"

#include <fmt/format.h>

namespace toa::gateway {

int status_of(Code code) {
  switch (code) {
    case Code::request_syntax:
    case Code::request_contract:
    case Code::query_syntax:
      return 400;
    case Code::state_not_found:
    case Code::addressee:
      return 404;
    case Code::state_concurrency:
    case Code::request_conflict:
    case Code::duplicate:
      return 409;
    case Code::state_precondition:
      return 412;
    case Code::communication:
    case Code::transmission:
    case Code::abandoned:
      return 504;
    default:
      return 500;
  }
}

std::string told_of(const Exception& exception, bool debug) {
  const auto status = status_of(exception.code);
  if (status == 400) return exception.message;
  if (status != 500 || !debug) return {};
  const auto name = exception.thrown.empty() ? exception_name(exception.code)
                                             : std::string_view(exception.thrown);
  return fmt::format("{}: {}", name, exception.message);
}

Json said_by(const Refusal& refusal) {
  JsonObject said{{"code", refusal.code}};
  if (refusal.cause) said["cause"] = *refusal.cause;
  return said;
}

bool is_nothing_found(const Document& output) {
  return output.text() == "null";
}

}  // namespace toa::gateway
