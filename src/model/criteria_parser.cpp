#include "model/criteria_parser.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "base/limits.hpp"

namespace toa {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view reserved = " \t\r\n\"'();,=!~<>";

constexpr std::array<std::pair<std::string_view, Comparison>, 12> comparisons{{
    {"==", Comparison::equal},
    {"!=", Comparison::unequal},
    {"<=", Comparison::at_most},
    {"<", Comparison::less},
    {">=", Comparison::at_least},
    {">", Comparison::greater},
    {"=lt=", Comparison::less},
    {"=le=", Comparison::at_most},
    {"=gt=", Comparison::greater},
    {"=ge=", Comparison::at_least},
    {"=in=", Comparison::in},
    {"=out=", Comparison::out},
}};

bool starts_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

}  // namespace

Result<Criteria> parse_criteria(std::string_view text) {
  return CriteriaParser(text).parse();
}

Result<Criteria> CriteriaParser::parse() {
  if (text_.size() > limits::criteria_bytes_max) {
    return fail(ErrorKind::invalid, fmt::format("Criteria must NOT have more than {} bytes",
                                                limits::criteria_bytes_max));
  }
  skip_blanks();
  auto criteria = parts(Joint::any);
  if (criteria && at_ < text_.size()) return refuse("';' or ',' is expected");
  return criteria;
}

Result<Criteria> CriteriaParser::parts(Joint joint) {
  std::vector<Criteria> read;
  do {
    auto part = joint == Joint::any ? parts(Joint::all) : constraint();
    if (!part) return part;
    read.push_back(*std::move(part));
  } while (joins(joint));
  if (read.size() == 1) return std::move(read.front());
  if (joint == Joint::all) return Criteria{Criteria::All{std::move(read)}};
  return Criteria{Criteria::Any{std::move(read)}};
}

Result<Criteria> CriteriaParser::constraint() {
  if (accept('(')) return group();
  auto read = condition();
  if (!read) return std::unexpected(std::move(read.error()));
  return Criteria{*std::move(read)};
}

Result<Criteria> CriteriaParser::group() {
  if (depth_ == limits::criteria_depth_max) {
    return refuse(fmt::format("groups must NOT be deeper than {}", limits::criteria_depth_max));
  }
  ++depth_;
  auto inner = parts(Joint::any);
  --depth_;
  if (inner && !accept(')')) return refuse("')' is expected");
  return inner;
}

Result<Condition> CriteriaParser::condition() {
  if (conditions_ == limits::criteria_conditions_max) {
    return refuse(
        fmt::format("there must NOT be more than {} conditions", limits::criteria_conditions_max));
  }
  ++conditions_;
  Condition read;
  read.selector = unreserved();
  if (read.selector.empty()) return refuse("a selector is expected");
  auto compared = comparison();
  if (!compared) return std::unexpected(std::move(compared.error()));
  read.comparison = *compared;
  auto values = operands(*compared);
  if (!values) return std::unexpected(std::move(values.error()));
  read.operands = *std::move(values);
  return read;
}

Result<Comparison> CriteriaParser::comparison() {
  const auto rest = text_.substr(at_);
  for (const auto& [written, meant] : comparisons) {
    if (!rest.starts_with(written)) continue;
    at_ += written.size();
    skip_blanks();
    return meant;
  }
  return refuse("one of == != < <= > >= =in= =out= is expected");
}

Result<std::vector<Operand>> CriteriaParser::operands(Comparison comparison) {
  const bool several = comparison == Comparison::in || comparison == Comparison::out;
  const bool grouped = accept('(');
  std::vector<Operand> read;
  do {
    if (operands_ == limits::criteria_operands_max) {
      return refuse(
          fmt::format("there must NOT be more than {} values", limits::criteria_operands_max));
    }
    ++operands_;
    auto one = operand();
    if (!one) return std::unexpected(std::move(one.error()));
    read.push_back(*std::move(one));
  } while (grouped && several && accept(','));
  if (grouped && !accept(')')) {
    return refuse(several
                      ? "',' or ')' is expected"
                      : fmt::format("')' is expected: '{}' takes one value", symbol(comparison)));
  }
  return read;
}

Result<Operand> CriteriaParser::operand() {
  const char next = at_ < text_.size() ? text_[at_] : '\0';
  if (next == '\'' || next == '"') return quoted(next);
  const auto read = unreserved();
  if (read.empty()) return refuse("a value is expected");
  return Operand{Json(read), false};
}

Result<Operand> CriteriaParser::quoted(char quote) {
  std::string read;
  for (auto i = at_ + 1; i < text_.size(); ++i) {
    if (text_[i] == quote) {
      at_ = i + 1;
      return Operand{Json(read), true};
    }
    if (text_[i] == '\\' && ++i == text_.size()) break;
    read += text_[i];
  }
  return refuse(fmt::format("the text that begins with {} does not end", quote));
}

bool CriteriaParser::joins(Joint joint) {
  return joint == Joint::all ? accept(';') || accept_word("and") : accept(',') || accept_word("or");
}

bool CriteriaParser::accept(char c) {
  skip_blanks();
  if (at_ == text_.size() || text_[at_] != c) return false;
  ++at_;
  skip_blanks();
  return true;
}

bool CriteriaParser::accept_word(std::string_view word) {
  const auto rest = text_.substr(at_);
  const bool apart = at_ > 0 && blanks.contains(text_[at_ - 1]) && rest.starts_with(word) &&
                     rest.size() > word.size() && blanks.contains(rest[word.size()]);
  if (!apart) return false;
  at_ += word.size();
  skip_blanks();
  return true;
}

std::string_view CriteriaParser::unreserved() {
  const auto end = std::min(text_.find_first_of(reserved, at_), text_.size());
  const auto read = text_.substr(at_, end - at_);
  at_ = end;
  skip_blanks();
  return read;
}

void CriteriaParser::skip_blanks() {
  at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
}

std::unexpected<Error> CriteriaParser::refuse(std::string_view why) const {
  const auto before = text_.substr(0, at_);
  const auto place = std::ranges::count_if(before, starts_character) + 1;
  return fail(ErrorKind::invalid,
              fmt::format("Criteria cannot be read at character {}: {}", place, why));
}

}  // namespace toa
