#include <bit>
#include <initializer_list>

#include "gateway/formats/msgpack.hpp"

namespace toa::gateway {
namespace {

class Writer {
 public:
  void value(const Json& value) {
    switch (value.kind()) {
      case boost::json::kind::null:
        return byte(0xc0);
      case boost::json::kind::bool_:
        return byte(value.get_bool() ? 0xc3 : 0xc2);
      case boost::json::kind::int64:
        return integer(value.get_int64());
      case boost::json::kind::uint64:
        return headed(0xcf, value.get_uint64(), 8);
      case boost::json::kind::double_:
        return headed(0xcb, std::bit_cast<std::uint64_t>(value.get_double()), 8);
      case boost::json::kind::string:
        return text(value.get_string());
      case boost::json::kind::array:
        return array(value.get_array());
      case boost::json::kind::object:
        return object(value.get_object());
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void byte(std::uint64_t value) { out_ += static_cast<char>(value); }

  void headed(std::uint8_t head, std::uint64_t number, int bytes) {
    byte(head);
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) byte(number >> shift & 0xff);
  }

  void integer(std::int64_t number) {
    const auto raw = static_cast<std::uint64_t>(number);
    if (number >= 0) return natural(raw);
    if (number >= -32) return byte(raw & 0xff);
    if (number >= INT8_MIN) return headed(0xd0, raw, 1);
    if (number >= INT16_MIN) return headed(0xd1, raw, 2);
    if (number >= INT32_MIN) return headed(0xd2, raw, 4);
    headed(0xd3, raw, 8);
  }

  void natural(std::uint64_t number) {
    if (number <= 0x7f) return byte(number);
    if (number <= UINT8_MAX) return headed(0xcc, number, 1);
    if (number <= UINT16_MAX) return headed(0xcd, number, 2);
    if (number <= UINT32_MAX) return headed(0xce, number, 4);
    headed(0xcf, number, 8);
  }

  void text(std::string_view text) {
    const auto size = text.size();
    if (size <= 31) {
      byte(0xa0 | size);
    } else if (size <= UINT8_MAX) {
      headed(0xd9, size, 1);
    } else if (size <= UINT16_MAX) {
      headed(0xda, size, 2);
    } else {
      headed(0xdb, size, 4);
    }
    out_ += text;
  }

  /// The head of an array or a map: `small` for up to 15 items, then `large` and the one after it.
  void items(std::size_t size, std::uint8_t small, std::uint8_t large) {
    if (size <= 15) return byte(small | size);
    if (size <= UINT16_MAX) return headed(large, size, 2);
    headed(static_cast<std::uint8_t>(large + 1), size, 4);
  }

  void array(const JsonArray& array) {
    items(array.size(), 0x90, 0xdc);
    for (const auto& item : array) value(item);
  }

  void object(const JsonObject& object) {
    items(object.size(), 0x80, 0xde);
    for (const auto& [name, member] : object) {
      text(name);
      value(member);
    }
  }

  std::string out_;
};

}  // namespace

std::string print_msgpack(const Json& value) {
  Writer writer;
  writer.value(value);
  return writer.take();
}

}  // namespace toa::gateway
