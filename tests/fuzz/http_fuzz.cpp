#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.hpp"
#include "gateway/http/parser.hpp"
#include "gateway/tree/path.hpp"

namespace {

using toa::gateway::http::Parser;
using toa::gateway::http::Request;

/// Each request that came whole, in pieces of this size. A bad one may be refused sooner or later.
std::string told(std::string_view bytes, std::size_t piece) {
  Request request;
  Parser parser(request, {.head_bytes = 512, .body_bytes = 512});
  std::string waiting, told;
  while (true) {
    const auto taken = parser.take(waiting);
    waiting.erase(0, taken);
    if (parser.state() == Parser::State::complete) {
      told += std::string(request.method()) + ' ' + std::string(request.target()) + '\n';
      for (std::size_t i = 0; i < request.field_count(); ++i) {
        const auto field = request.field(i);
        told += std::string(field.name) + ": " + std::string(field.value) + '\n';
      }
      told += std::string(request.body()) + '\n';
      request.clear();
      parser.restart();
      continue;
    }
    if (parser.state() == Parser::State::failed || bytes.empty()) return told;
    const auto next = bytes.substr(0, piece);
    waiting += next;
    bytes.remove_prefix(next.size());
  }
}

void check_path(std::string_view text) {
  const auto path = toa::gateway::read_path(text);
  if (!path) return;
  const auto again = toa::gateway::read_path(path->canonical);
  toa::require(again && again->canonical == path->canonical && again->segments == path->segments,
               "a path is read back as it was written");
  for (const auto& segment : path->segments)
    toa::require(segment != "." && segment != ".." && segment.find('\0') == std::string::npos,
                 "no segment leads elsewhere");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are what a text is made of
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  toa::require(told(text, size + 1) == told(text, 1), "how bytes arrive does not change a request");
  check_path(text);
  check_path(text.substr(0, text.find(' ')));
  return 0;
}
