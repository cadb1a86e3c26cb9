#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace toa::storage::sqlite {

/// A value for a parameter of a statement.
using Bound = std::variant<std::int64_t, std::string>;

/// SQL in the making. What came from outside is never part of its text: it is bound, but where
/// SQLite takes no parameters, in the definition of an index, whose text it is quoted into.
class Sql {
 public:
  enum class Values { bound, literal };

  explicit Sql(Values values = Values::bound) : mode_(values) {}

  Sql& operator+=(std::string_view text) {
    text_ += text;
    return *this;
  }
  /// A parameter, or a literal where there are none.
  Sql& value(Bound value);
  /// A number of JSON, read by SQLite as it reads those of documents: equal texts are equal
  /// numbers.
  Sql& number(std::string json);

  const std::string& text() const { return text_; }
  const std::vector<Bound>& values() const { return values_; }
  bool literal() const { return mode_ == Values::literal; }

 private:
  Values mode_;
  std::string text_;
  std::vector<Bound> values_;
};

/// `'it''s'`. A text that holds a zero character ends there.
std::string quoted(std::string_view text);

}  // namespace toa::storage::sqlite
