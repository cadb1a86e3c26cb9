#include <bit>
#include <cmath>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/limits.hpp"
#include "gateway/formats/msgpack.hpp"
#include "manifest/utf8.hpp"

namespace toa::gateway {
namespace {

constexpr std::int64_t integer_max = std::int64_t{1} << 53;

std::unexpected<Error> refuse(std::string_view why) {
  return fail(ErrorKind::invalid, fmt::format("MessagePack: {}", why));
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  Result<Json> value(std::size_t depth) {
    if (depth > limits::document_depth_max) return refuse("it is nested too deeply");
    const auto first = byte();
    if (!first) return ended();
    const auto head = *first;
    if (head <= 0x7f) return Json(std::int64_t{head});
    if (head <= 0x8f) return object(head & 0x0f, depth);
    if (head <= 0x9f) return array(head & 0x0f, depth);
    if (head <= 0xbf) return text(head & 0x1f);
    if (head >= 0xe0) return Json(std::int64_t{head} - 0x100);
    return headed(head, depth);
  }

  bool at_end() const { return rest_.empty(); }

 private:
  static std::unexpected<Error> ended() { return refuse("it ends too early"); }

  Result<Json> headed(std::uint8_t head, std::size_t depth) {
    switch (head) {
      case 0xc0:
        return Json(nullptr);
      case 0xc2:
        return Json(false);
      case 0xc3:
        return Json(true);
      case 0xca:
        return real(sized(4), 4);
      case 0xcb:
        return real(sized(8), 8);
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf:
        return natural(sized(std::size_t{1} << (head - 0xcc)));
      case 0xd0:
      case 0xd1:
      case 0xd2:
      case 0xd3:
        return integer(std::size_t{1} << (head - 0xd0));
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return extension(std::size_t{1} << (head - 0xd4));
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return with_size(std::size_t{1} << (head - 0xc7),
                         [this](std::size_t size) { return extension(size); });
      case 0xd9:
      case 0xda:
      case 0xdb:
        return with_size(std::size_t{1} << (head - 0xd9),
                         [this](std::size_t size) { return text(size); });
      case 0xdc:
      case 0xdd:
        return with_size(std::size_t{2} << (head - 0xdc),
                         [&](std::size_t size) { return array(size, depth); });
      case 0xde:
      case 0xdf:
        return with_size(std::size_t{2} << (head - 0xde),
                         [&](std::size_t size) { return object(size, depth); });
      default:
        return refuse("binary data has no place in it");
    }
  }

  std::optional<std::uint8_t> byte() {
    if (rest_.empty()) return std::nullopt;
    const auto first = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }

  /// A big-endian number of so many bytes.
  std::optional<std::uint64_t> sized(std::size_t bytes) {
    if (rest_.size() < bytes) return std::nullopt;
    std::uint64_t number = 0;
    for (const char c : rest_.substr(0, bytes)) number = number << 8 | static_cast<std::uint8_t>(c);
    rest_.remove_prefix(bytes);
    return number;
  }

  template <class Then>
  Result<Json> with_size(std::size_t bytes, Then then) {
    const auto size = sized(bytes);
    if (!size) return ended();
    return then(static_cast<std::size_t>(*size));
  }

  static Result<Json> natural(std::optional<std::uint64_t> number) {
    if (!number) return ended();
    if (*number > static_cast<std::uint64_t>(integer_max))
      return refuse("an integer is beyond 2^53");
    return Json(static_cast<std::int64_t>(*number));
  }

  Result<Json> integer(std::size_t bytes) {
    const auto raw = sized(bytes);
    if (!raw) return ended();
    const auto shift = 64 - 8 * bytes;
    const auto number = static_cast<std::int64_t>(*raw << shift) >> shift;
    if (number > integer_max || number < -integer_max) return refuse("an integer is beyond 2^53");
    return Json(number);
  }

  static Result<Json> real(std::optional<std::uint64_t> raw, std::size_t bytes) {
    if (!raw) return ended();
    const double number = bytes == 8
                              ? std::bit_cast<double>(*raw)
                              : double{std::bit_cast<float>(static_cast<std::uint32_t>(*raw))};
    if (!std::isfinite(number)) return refuse("a number is not finite");
    // As JSON is read: a whole number is an integer, however it was written.
    if (number == std::trunc(number) && std::abs(number) <= static_cast<double>(integer_max))
      return Json(static_cast<std::int64_t>(number));
    return Json(number);
  }

  std::optional<std::string_view> bytes(std::size_t size) {
    if (rest_.size() < size) return std::nullopt;
    const auto taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  Result<Json> text(std::size_t size) {
    const auto taken = bytes(size);
    if (!taken) return ended();
    if (!manifest::characters(*taken)) return refuse("a text is not valid UTF-8");
    return Json(*taken);
  }

  Result<Json> array(std::size_t size, std::size_t depth) {
    JsonArray items;
    for (std::size_t i = 0; i < size; ++i) {
      auto item = value(depth + 1);
      if (!item) return item;
      items.push_back(std::move(*item));
    }
    return Json(std::move(items));
  }

  Result<Json> object(std::size_t size, std::size_t depth) {
    JsonObject members;
    for (std::size_t i = 0; i < size; ++i) {
      auto name = value(depth + 1);
      if (!name) return name;
      if (!name->is_string()) return refuse("the name of a member is no text");
      auto member = value(depth + 1);
      if (!member) return member;
      if (!members.emplace(name->get_string(), std::move(*member)).second)
        return refuse("a name is there twice");
    }
    return Json(std::move(members));
  }

  Result<Json> extension(std::size_t size) {
    const auto type = byte();
    const auto data = bytes(size);
    if (!type || !data) return ended();
    if (*type == 0 && size == 1) return Json(nullptr);
    if (*type == 0xff && (size == 4 || size == 8 || size == 12)) return timestamp(*data);
    return refuse("an extension has no place in it");
  }

  static Result<Json> timestamp(std::string_view data) {
    Reader in(data);
    std::int64_t seconds = 0;
    std::uint64_t nanoseconds = 0;
    if (data.size() == 4) {
      seconds = static_cast<std::int64_t>(*in.sized(4));
    } else if (data.size() == 8) {
      const auto both = *in.sized(8);
      nanoseconds = both >> 34;
      seconds = static_cast<std::int64_t>(both & ((std::uint64_t{1} << 34) - 1));
    } else {
      nanoseconds = *in.sized(4);
      seconds = static_cast<std::int64_t>(*in.sized(8));
    }
    constexpr std::int64_t year_10000 = 253'402'300'800;
    if (seconds < 0 || seconds >= year_10000 || nanoseconds >= 1'000'000'000)
      return refuse("a timestamp is out of range");
    const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
    return Json(fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", time, nanoseconds / 1'000'000));
  }

  std::string_view rest_;
};

}  // namespace

Result<Json> parse_msgpack(std::string_view bytes) {
  Reader reader(bytes);
  auto value = reader.value(0);
  if (value && !reader.at_end()) return refuse("something follows the value");
  return value;
}

}  // namespace toa::gateway
