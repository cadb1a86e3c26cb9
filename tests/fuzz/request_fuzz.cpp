#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "model/request.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are what a text is made of
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = toa::json::parse(text);
  if (!value) return 0;
  toa::require(toa::json::parse(toa::json::print(*value)) == *value,
               "a value is read back as it was printed");
  const auto request = toa::Request::read(*value);
  if (!request || !request->query) return 0;
  const auto query = toa::Query::read(request->query->print());
  toa::require(query && *query == *request->query, "a query is read back as it was printed");
  return 0;
}
