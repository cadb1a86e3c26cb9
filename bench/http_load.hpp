#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "load.hpp"

namespace toa::bench {

/// Appends one whole request as it goes over the wire.
using MakeHttp = std::function<void(std::string&)>;

/// Clients on keep-alive connections, each of which sends its next request when its last is
/// answered. One thread serves them all and never blocks but in epoll.
class HttpLoad {
 public:
  HttpLoad(std::uint16_t port, std::size_t connections);
  ~HttpLoad();
  HttpLoad(const HttpLoad&) = delete;
  HttpLoad& operator=(const HttpLoad&) = delete;

  /// Sends requests; returns when all are answered. What is not 200 has failed.
  Seen run(const MakeHttp& request, const Load::Phases& phases);

 private:
  class Client;

  int poll_;
  std::vector<std::unique_ptr<Client>> clients_;
};

}  // namespace toa::bench
