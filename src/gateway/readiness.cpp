#include "gateway/readiness.hpp"

namespace toa::gateway {

Task<void> Readiness::serve(const http::Request& request, http::Response& response) {
  response.add("cache-control", "no-store");
  if (request.target() != "/.ready") {
    response.status = 404;
  } else if (request.method() != "GET" && request.method() != "HEAD") {
    response.status = 405;
  } else if (!ready_) {
    response.status = 503;
    response.add("retry-after", "1");
  }
  co_return;
}

}  // namespace toa::gateway
