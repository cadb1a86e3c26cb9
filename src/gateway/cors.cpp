#include "gateway/cors.hpp"

#include <algorithm>
#include <array>

namespace toa::gateway {
namespace {

constexpr std::array<std::string_view, 6> always{"accept",   "authorization", "content-type",
                                                 "if-match", "if-none-match", "idempotency-key"};
constexpr std::string_view methods = "GET, POST, PUT, PATCH, DELETE, LOCK, UNLOCK, OPTIONS";
constexpr std::string_view exposed =
    "authorization, content-type, content-length, date, etag, retry-after, idempotency-replayed";

}  // namespace

Cors::Cors(const Tree& tree) {
  std::vector<std::string> names(always.begin(), always.end());
  for (const auto* resource : tree.resources()) {
    for (const auto& method : resource->methods) {
      for (const auto& name : method.reads) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      }
    }
  }
  for (const auto& name : names) {
    if (!request_headers_.empty()) request_headers_ += ", ";
    request_headers_ += name;
  }
}

bool Cors::is_preflight(const http::Request& request) {
  return request.method() == "OPTIONS" && request.find("access-control-request-method");
}

void Cors::answer_preflight(http::Response& response) const {
  response.status = 204;
  response.add("access-control-allow-methods", methods);
  response.add("access-control-allow-headers", request_headers_);
  response.add("access-control-max-age", "3600");
}

void Cors::allow(const http::Request& request, http::Response& response) {
  const auto origin = request.find("origin");
  if (!origin) return;
  response.add("access-control-allow-origin", *origin);
  response.add("access-control-allow-credentials", "true");
  response.add("access-control-expose-headers", exposed);
}

}  // namespace toa::gateway
