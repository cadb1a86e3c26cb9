#pragma once

#include <string>
#include <string_view>

#include "gateway/http/request.hpp"
#include "gateway/http/response.hpp"
#include "gateway/tree/tree.hpp"

namespace toa::gateway {

/// Clients of other origins: any may ask, with credentials (G152–G154).
class Cors {
 public:
  /// Headers that routes read are among those that may be sent.
  explicit Cors(const Tree& tree);

  static bool is_preflight(const http::Request& request);
  void answer_preflight(http::Response& response) const;
  /// On every response to a request with an origin.
  static void allow(const http::Request& request, http::Response& response);

 private:
  std::string request_headers_;
};

}  // namespace toa::gateway
