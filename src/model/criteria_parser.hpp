#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "model/criteria.hpp"

namespace toa {

/// Reads one text of RSQL, the grammar of jirutka/rsql-parser. (1) `at_` is behind what was read
/// and before no blank, except inside a value. (2) No recursion goes deeper than
/// limits::criteria_depth_max groups.
class CriteriaParser {
 public:
  explicit CriteriaParser(std::string_view text) : text_(text) {}

  Result<Criteria> parse();

 private:
  enum class Joint { all, any };

  Result<Criteria> parts(Joint joint);
  Result<Criteria> constraint();
  Result<Criteria> group();
  Result<Condition> condition();
  Result<Comparison> comparison();
  Result<std::vector<Operand>> operands(Comparison comparison);
  Result<Operand> operand();
  Result<Operand> quoted(char quote);

  bool joins(Joint joint);
  bool accept(char c);
  bool accept_word(std::string_view word);
  std::string_view unreserved();
  void skip_blanks();
  std::unexpected<Error> refuse(std::string_view why) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::size_t conditions_ = 0;
  std::size_t operands_ = 0;
};

}  // namespace toa
