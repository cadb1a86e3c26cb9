#include "gateway/formats/format.hpp"

#include "base/limits.hpp"
#include "gateway/formats/form.hpp"
#include "gateway/formats/media.hpp"
#include "gateway/formats/msgpack.hpp"
#include "manifest/print_yaml.hpp"
#include "manifest/utf8.hpp"
#include "manifest/yaml.hpp"

namespace toa::gateway {
namespace {

Decoded read(Result<Json> value) {
  if (value) return {.document = Document::of(std::move(*value)), .trouble = {}, .why = {}};
  return {.document = {},
          .trouble = Decoded::Trouble::unreadable,
          .why = std::move(value.error().message)};
}

Decoded refused(Decoded::Trouble trouble) {
  return {.document = {}, .trouble = trouble, .why = {}};
}

Decoded read_json(std::string_view body) {
  auto value = json::parse(body);
  if (!value) return read(std::move(value));
  return {.document = Document::of_checked(std::string(body), std::move(*value)),
          .trouble = {},
          .why = {}};
}

Result<Json> read_text(std::string_view body) {
  if (!manifest::characters(body)) return fail(ErrorKind::invalid, "the text is not valid UTF-8");
  return Json(body);
}

}  // namespace

std::string_view media_type(Format format) {
  switch (format) {
    case Format::json:
      return "application/json";
    case Format::yaml:
      return "application/yaml";
    case Format::msgpack:
      return "application/msgpack";
    case Format::text:
      return "text/plain";
  }
  return "application/json";
}

std::string encode(Format format, const Document& value) {
  switch (format) {
    case Format::json:
      return value.text();
    case Format::yaml:
      return manifest::print_yaml(value.value()) + '\n';
    case Format::msgpack:
      return print_msgpack(value.value());
    case Format::text:
      if (const auto* text = value.value().if_string()) return std::string(*text);
      return value.text();
  }
  return value.text();
}

Decoded decode(std::string_view content_type, std::string_view body) {
  const auto type = media_name(content_type);
  if (same_media(type, "application/json")) return read_json(body);
  if (same_media(type, "application/yaml")) {
    if (body.size() > limits::http_yaml_bytes_max) return refused(Decoded::Trouble::too_large);
    return read(manifest::parse_yaml(body));
  }
  if (same_media(type, "application/msgpack")) return read(parse_msgpack(body));
  if (same_media(type, "text/plain")) return read(read_text(body));
  if (same_media(type, "application/x-www-form-urlencoded")) return read(parse_form(body));
  return refused(Decoded::Trouble::unsupported);
}

}  // namespace toa::gateway
