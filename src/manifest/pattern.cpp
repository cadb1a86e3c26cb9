#include "manifest/pattern.hpp"

#include <iterator>
#include <optional>

#include "base/limits.hpp"
#include "manifest/shape.hpp"
#include "manifest/utf8.hpp"

// What Boost may keep for backtracking, in blocks of 4 KB: enough for a group repeated some 100,000
// times.
#define BOOST_REGEX_MAX_BLOCKS 2048
#include <boost/regex.hpp>

namespace toa::manifest {
namespace {

/// Thrown through Boost's matcher, which has no other way out.
struct TooCostly {};

/// Walks over the text and counts every look at it, so that backtracking is bounded whatever the
/// expression.
class Cursor {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = wchar_t;
  using difference_type = std::ptrdiff_t;
  using pointer = const wchar_t*;
  using reference = const wchar_t&;

  Cursor() = default;
  Cursor(const wchar_t* at, std::size_t* left) : at_(at), left_(left) {}

  reference operator*() const {
    if ((*left_)-- == 0) {
      *left_ = 0;
      throw TooCostly();
    }
    return *at_;
  }
  Cursor& operator++() { return *this += 1; }
  Cursor& operator--() { return *this += -1; }
  Cursor operator++(int) { return std::exchange(*this, *this + 1); }
  Cursor operator--(int) { return std::exchange(*this, *this + -1); }
  Cursor& operator+=(difference_type by) {
    at_ += by;
    return *this;
  }
  friend Cursor operator+(Cursor cursor, difference_type by) { return cursor += by; }
  friend difference_type operator-(const Cursor& a, const Cursor& b) { return a.at_ - b.at_; }
  friend bool operator==(const Cursor& a, const Cursor& b) { return a.at_ == b.at_; }

 private:
  const wchar_t* at_ = nullptr;
  std::size_t* left_ = nullptr;
};

bool is_one_of(wchar_t c, std::wstring_view set) {
  return set.find(c) != std::wstring_view::npos;
}

bool is_ascii_letter(wchar_t c) {
  return (c >= L'a' && c <= L'z') || (c >= L'A' && c <= L'Z');
}

/// What follows `(?`: JavaScript's groups, and none of Boost's own (recursion, conditions, flags).
bool is_group(std::wstring_view rest) {
  if (rest.starts_with(L':') || rest.starts_with(L'=') || rest.starts_with(L'!')) return true;
  return rest.size() > 1 && rest[0] == L'<' &&
         (is_one_of(rest[1], L"=!_") || is_ascii_letter(rest[1]));
}

/// From JavaScript's expressions to Boost's, which are alike except for some escapes.
Result<std::wstring> translate(std::wstring_view source) {
  std::wstring out;
  for (std::size_t at = 0; at < source.size(); ++at) {
    const wchar_t c = source[at];
    if (c == L'(' && source.substr(at).starts_with(L"(?") && !is_group(source.substr(at + 2))) {
      return fail(ErrorKind::invalid, "uses a group '(?…' that is not supported");
    }
    out.push_back(c);
    if (c != L'\\' || at + 1 == source.size()) continue;
    const wchar_t escaped = source[++at];
    if (escaped == L'u' && at + 4 < source.size()) {
      out.append(L"x{").append(source.substr(at + 1, 4)).append(L"}");
      at += 4;
    } else if (is_ascii_letter(escaped) && !is_one_of(escaped, L"bBcdDfknrsStvwWx")) {
      return fail(ErrorKind::invalid, std::string("uses '\\") + static_cast<char>(escaped) +
                                          "', which is not supported");
    } else if (is_one_of(escaped, L"<>'`")) {
      out.back() = escaped;  // Boost reads these escapes as anchors
    } else {
      out.push_back(escaped);
    }
  }
  return out;
}

}  // namespace

struct Pattern::Compiled {
  std::string source;
  std::optional<Shape> shape;
  boost::wregex expression;
};

Result<Pattern> Pattern::compile(std::string_view source) {
  auto compiled = std::make_shared<Compiled>();
  compiled->source = source;
  compiled->shape = Shape::parse(source);
  const auto wide = characters(source);
  if (!wide) return fail(ErrorKind::invalid, "is not valid UTF-8");
  if (source.size() > limits::pattern_bytes_max) {
    return fail(ErrorKind::invalid,
                "is longer than " + std::to_string(limits::pattern_bytes_max) + " bytes");
  }
  const auto translated = translate(*wide);
  if (!translated) return std::unexpected(translated.error());
  try {
    compiled->expression.assign(*translated, boost::regex_constants::ECMAScript);
  } catch (const std::exception& e) {
    return fail(ErrorKind::invalid, std::string("is no regular expression: ") + e.what());
  }
  return Pattern(std::move(compiled));
}

Pattern::Found Pattern::search(std::string_view text) const {
  if (compiled_->shape) return compiled_->shape->matches(text) ? Found::yes : Found::no;
  const auto wide = characters(text);
  if (!wide) return Found::no;
  std::size_t left =
      limits::pattern_looks_base + limits::pattern_looks_per_character * wide->size();
  // JavaScript's meaning of `^`, `$` and `.` where it is given no flags.
  const auto flags = boost::match_single_line | boost::match_not_dot_newline | boost::match_any;
  try {
    const Cursor begin(wide->data(), &left);
    return boost::regex_search(begin, begin + std::ssize(*wide), compiled_->expression, flags)
               ? Found::yes
               : Found::no;
  } catch (const TooCostly&) {
    return Found::too_costly;
  } catch (const std::exception&) {
    return Found::too_costly;  // Boost's own bounds
  }
}

const std::string& Pattern::source() const {
  return compiled_->source;
}

}  // namespace toa::manifest
