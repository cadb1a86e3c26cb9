#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "model/criteria.hpp"
#include "model/match_criteria.hpp"
#include "operation/steps/criteria.hpp"

namespace {

toa::manifest::Entity entity() {
  const auto schema = *toa::json::parse(R"({"type":"object","properties":{
    "a":{"type":"number"},"b":{"type":"string"},"c":{"type":"boolean"},"d":true,
    "e":{"type":"array","items":{"type":"object","properties":{"f":{"type":["integer","string"]}}}},
    "g":{"type":"string","format":"date-time"},"h":{"type":"integer","format":"epoch-millis"}}})");
  toa::manifest::Entity made{.properties = {},
                             .required = {},
                             .blank = {},
                             .storage = "sqlite",
                             .moments = {},
                             .contract = *toa::manifest::Contract::compile(schema)};
  made.moments = {{"g", toa::manifest::Moment::Form::iso},
                  {"h", toa::manifest::Moment::Form::epoch_millis}};
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto asked = entity();
  static const auto members = *toa::json::parse(
      R"({"id":"1","VERSION":1,"a":1,"b":"x","c":true,"d":null,"e":[{"f":1},{"f":"y"}],
          "g":"2026-02-03T03:05:06.000Z","h":5})");
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are what a text is made of
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto criteria = toa::parse_criteria(text);
  if (!criteria) {
    toa::require(criteria.error().kind == toa::ErrorKind::invalid, "a bad text is the caller's");
    return 0;
  }
  const auto again = toa::parse_criteria(toa::print(*criteria));
  toa::require(again && *again == *criteria, "criteria are read back as they were printed");
  if (const auto typed = toa::operation::typed(asked, *criteria)) toa::matches(*typed, members);
  return 0;
}
