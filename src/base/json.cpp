#include "base/json.hpp"

#include <boost/container/small_vector.hpp>
#include <boost/json/basic_parser_impl.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "base/assert.hpp"

namespace toa::json {
namespace {

namespace bj = boost::json;

constexpr std::int64_t exact_integer_max = std::int64_t{1} << 53;
// Whatever has no more characters is an integer below it, where it is one.
constexpr std::size_t exact_digits = 15;

/// Receives the events of Boost's parser and builds the value, refusing what the documentation of
/// `parse` names.
class Builder {
 public:
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);

  bool on_document_begin(bj::error_code&) { return true; }
  bool on_document_end(bj::error_code&) { return true; }
  bool on_object_begin(bj::error_code&) { return open(JsonObject{}); }
  bool on_array_begin(bj::error_code&) { return open(JsonArray{}); }
  bool on_object_end(std::size_t, bj::error_code&) {
    place_members();
    return close();
  }
  bool on_array_end(std::size_t, bj::error_code&) { return close(); }

  bool on_key_part(std::string_view part, std::size_t, bj::error_code&) {
    text_.append(part);
    return true;
  }
  bool on_key(std::string_view part, std::size_t, bj::error_code& ec) {
    text_.append(part);
    if (is_there(text_)) {
      problem = "duplicate key \"" + text_ + "\"";
      ec = bj::error::syntax;
      return false;
    }
    if (members_.size() - open_.back().members_from == members_max) place_members();
    members_.push_back({std::exchange(text_, {}), {}});
    return true;
  }
  bool on_string_part(std::string_view part, std::size_t, bj::error_code&) {
    text_.append(part);
    return true;
  }
  bool on_string(std::string_view part, std::size_t, bj::error_code&) {
    text_.append(part);
    add(Json(text_));
    text_.clear();
    return true;
  }
  bool on_number_part(std::string_view part, bj::error_code&) {
    text_.append(part);
    return true;
  }
  bool on_int64(std::int64_t, std::string_view part, bj::error_code& ec) {
    return number(part, ec);
  }
  bool on_uint64(std::uint64_t, std::string_view part, bj::error_code& ec) {
    return number(part, ec);
  }
  bool on_double(double, std::string_view part, bj::error_code& ec) { return number(part, ec); }
  bool on_bool(bool value, bj::error_code&) {
    add(Json(value));
    return true;
  }
  bool on_null(bj::error_code&) {
    add(Json(nullptr));
    return true;
  }
  bool on_comment_part(std::string_view, bj::error_code&) { return true; }
  bool on_comment(std::string_view, bj::error_code&) { return true; }

  Json result;
  std::string problem;

 private:
  struct Open {
    Json value;
    /// Its first in `members_`.
    std::size_t members_from;
  };
  struct Member {
    std::string key;
    Json value;
  };

  // As many as an object of Boost's keeps without a hash table; they are compared one by one.
  static constexpr std::size_t members_max = 16;

  bool open(Json container) {
    open_.push_back({std::move(container), members_.size()});
    return true;
  }

  bool is_there(std::string_view key) const {
    const auto& [value, from] = open_.back();
    for (auto i = from; i < members_.size(); ++i) {
      if (members_[i].key == key) return true;
    }
    const auto& object = value.get_object();
    return !object.empty() && object.contains(key);
  }

  // Members are put into their object together: its memory is taken once then, and not anew for
  // each of the first.
  void place_members() {
    auto& [value, from] = open_.back();
    auto& object = value.get_object();
    object.reserve(object.size() + members_.size() - from);
    for (auto i = from; i < members_.size(); ++i)
      object.emplace(members_[i].key, std::move(members_[i].value));
    members_.resize(from);
  }

  bool close() {
    Json done = std::move(open_.back().value);
    open_.pop_back();
    add(std::move(done));
    return true;
  }

  void add(Json value) {
    if (open_.empty()) {
      result = std::move(value);
    } else if (auto* array = open_.back().value.if_array()) {
      array->push_back(std::move(value));
    } else {
      members_.back().value = std::move(value);
    }
  }

  // Boost's own conversion may be off by the last digit; std::from_chars is exact.
  bool number(std::string_view part, bj::error_code& ec) {
    text_.append(part);
    const std::string text = std::exchange(text_, {});
    if (text.size() <= exact_digits) {
      std::int64_t small = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), small);
      if (error == std::errc{} && end == text.data() + text.size()) {
        add(Json(small));
        return true;
      }
    }
    const bool integer = text.find_first_of(".eE") == std::string::npos;
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    // Out of range says neither which way nor how far: what is too small becomes zero, as in
    // JavaScript.
    if (error == std::errc::result_out_of_range) number = std::strtod(text.c_str(), nullptr);
    if (end != text.data() + text.size() || !std::isfinite(number)) {
      problem = "number " + text + " is beyond what a double can hold";
      ec = bj::error::syntax;
      return false;
    }
    const bool whole = std::trunc(number) == number;
    if (whole && std::abs(number) <= static_cast<double>(exact_integer_max)) {
      add(Json(static_cast<std::int64_t>(number)));
      if (!integer || std::abs(number) < static_cast<double>(exact_integer_max)) return true;
      std::int64_t exact = 0;
      std::from_chars(text.data(), text.data() + text.size(), exact);
      if (std::abs(exact) == exact_integer_max) return true;
    } else if (!integer) {
      add(Json(number));
      return true;
    }
    problem = "integer " + text + " is beyond 2^53 and would lose digits; send it as a string";
    ec = bj::error::syntax;
    return false;
  }

  // Most documents need no memory for these.
  boost::container::small_vector<Open, 4> open_;
  boost::container::small_vector<Member, members_max> members_;  // of the open objects, not yet in
                                                                 // them
  std::string text_;
};

std::string place(std::string_view text, std::size_t offset) {
  std::size_t line = 1;
  std::size_t column = 1;
  for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
    if (text[i] == '\n') {
      ++line;
      column = 1;
    } else {
      ++column;
    }
  }
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

void print_double_to(std::string& out, double number) {
  require(std::isfinite(number), "a document holds a number that JSON cannot");
  if (number == 0) {
    out.push_back('0');
    return;
  }
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, std::abs(number), std::chars_format::scientific).ptr;
  const std::string_view shortest(text, static_cast<std::size_t>(end - text));
  const auto e = shortest.find('e');
  std::string digits(shortest.substr(0, e));
  if (digits.size() > 1) digits.erase(1, 1);
  int exponent = 0;
  std::from_chars(text + e + (shortest[e + 1] == '+' ? 2 : 1), end, exponent);

  if (number < 0) out.push_back('-');
  const auto count = static_cast<int>(digits.size());
  // Beyond 2^53 `parse` refuses what looks like an integer.
  const int plain_max = std::abs(number) > static_cast<double>(exact_integer_max) ? count - 2 : 20;
  if (exponent < -6 || exponent > plain_max) {
    out.append(digits, 0, 1);
    if (count > 1) out.append(".").append(digits, 1);
    out.append(exponent < 0 ? "e-" : "e+").append(std::to_string(std::abs(exponent)));
  } else if (exponent < 0) {
    out.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits);
  } else if (exponent >= count - 1) {
    out.append(digits).append(static_cast<std::size_t>(exponent - count + 1), '0');
  } else {
    out.append(digits, 0, static_cast<std::size_t>(exponent) + 1).append(".");
    out.append(digits, static_cast<std::size_t>(exponent) + 1);
  }
}

}  // namespace

Result<Json> parse(std::string_view text, ParseLimits limits) {
  if (text.size() > limits.bytes_max) {
    return fail(ErrorKind::invalid, "JSON of " + std::to_string(text.size()) +
                                        " bytes is over the limit of " +
                                        std::to_string(limits.bytes_max));
  }
  bj::parse_options options;
  options.max_depth = limits.depth_max;
  bj::basic_parser<Builder> parser(options);
  bj::error_code ec;
  const std::size_t read = parser.write_some(false, text.data(), text.size(), ec);
  std::size_t at = read;
  if (!ec && read < text.size()) {
    at = text.find_first_not_of(" \t\r\n", read);
    if (at != std::string_view::npos) ec = bj::error::extra_data;
  }
  if (!ec) return std::move(parser.handler().result);

  std::string why = parser.handler().problem;
  if (why.empty() && ec == bj::error::too_deep) {
    why = "nested deeper than " + std::to_string(limits.depth_max) + " levels";
  } else if (why.empty()) {
    why = ec.message();
  }
  return fail(ErrorKind::invalid, "not valid JSON: " + why + " (" + place(text, at) + ")");
}

void print_string_to(std::string& out, std::string_view text) {
  static constexpr char hex[] = "0123456789abcdef";
  out.push_back('"');
  std::size_t clean = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text, clean, i - clean);
    clean = i + 1;
    switch (c) {
      case '"':
        out.append("\\\"");
        break;
      case '\\':
        out.append("\\\\");
        break;
      case '\n':
        out.append("\\n");
        break;
      case '\r':
        out.append("\\r");
        break;
      case '\t':
        out.append("\\t");
        break;
      default:
        out.append("\\u00");
        out.push_back(hex[c >> 4]);
        out.push_back(hex[c & 15]);
    }
  }
  out.append(text, clean, text.size() - clean);
  out.push_back('"');
}

void print_to(std::string& out, const Json& value) {
  char digits[32];
  switch (value.kind()) {
    case bj::kind::null:
      out.append("null");
      return;
    case bj::kind::bool_:
      out.append(value.get_bool() ? "true" : "false");
      return;
    case bj::kind::int64: {
      const auto end = std::to_chars(digits, digits + sizeof digits, value.get_int64()).ptr;
      out.append(digits, static_cast<std::size_t>(end - digits));
      return;
    }
    case bj::kind::uint64: {
      const auto end = std::to_chars(digits, digits + sizeof digits, value.get_uint64()).ptr;
      out.append(digits, static_cast<std::size_t>(end - digits));
      return;
    }
    case bj::kind::double_: {
      print_double_to(out, value.get_double());
      return;
    }
    case bj::kind::string:
      print_string_to(out, value.get_string());
      return;
    case bj::kind::array: {
      out.push_back('[');
      bool first = true;
      for (const auto& item : value.get_array()) {
        if (!std::exchange(first, false)) out.push_back(',');
        print_to(out, item);
      }
      out.push_back(']');
      return;
    }
    case bj::kind::object: {
      out.push_back('{');
      bool first = true;
      for (const auto& [key, item] : value.get_object()) {
        if (!std::exchange(first, false)) out.push_back(',');
        print_string_to(out, key);
        out.push_back(':');
        print_to(out, item);
      }
      out.push_back('}');
      return;
    }
  }
}

std::string print(const Json& value) {
  // Most documents are smaller, and grow the text but once.
  constexpr std::size_t usual_bytes = 240;
  std::string out;
  out.reserve(usual_bytes);
  print_to(out, value);
  return out;
}

const Json* find(const Json& object, std::string_view key) {
  const auto* members = object.if_object();
  return members == nullptr ? nullptr : members->if_contains(key);
}

}  // namespace toa::json
