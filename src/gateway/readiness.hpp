#pragma once

#include "gateway/http/server.hpp"

namespace toa::gateway {

/// Answers `GET /.ready` on a port of its own: 200 when ready, 503 before and after (G217).
class Readiness final : public http::Handler {
 public:
  void set(bool ready) { ready_ = ready; }
  Task<void> serve(const http::Request& request, http::Response& response) override;

 private:
  bool ready_ = false;
};

}  // namespace toa::gateway
