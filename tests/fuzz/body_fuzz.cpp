#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "gateway/formats/format.hpp"

using toa::gateway::Format;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array types{"application/json",
                             "application/yaml",
                             "application/msgpack",
                             "text/plain",
                             "application/x-www-form-urlencoded",
                             "multipart/form-data; boundary=b"};
  if (size == 0) return 0;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are what a text is made of
  const std::string_view body(reinterpret_cast<const char*>(data + 1), size - 1);
  toa::gateway::negotiate(body);
  const auto decoded = toa::gateway::decode(types[data[0] % types.size()], body);
  if (!decoded.document) return 0;
  // As printed: 2.5e3 and 2500 are one number.
  const auto text = toa::json::print(decoded.document->value());
  for (const auto format : {Format::json, Format::yaml, Format::msgpack}) {
    const auto again = toa::gateway::decode(toa::gateway::media_type(format),
                                            toa::gateway::encode(format, *decoded.document));
    // What is written may be longer than what may come.
    if (again.trouble == toa::gateway::Decoded::Trouble::too_large) continue;
    toa::require(again.document && toa::json::print(again.document->value()) == text,
                 "a value is read back as it was written");
  }
  return 0;
}
