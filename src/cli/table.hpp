#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace toa::cli {

/// Rows of text in columns, printed as they come: a column is as wide as what it has held so far,
/// so that a table of any length needs no memory.
class Table {
 public:
  using Row = std::vector<std::string>;

  explicit Table(Row headers);

  /// The lines of these rows; before the first of them, the headers.
  std::string print(const std::vector<Row>& rows);

 private:
  void widen(const Row& row);
  std::string line(const Row& row) const;

  Row headers_;
  std::vector<std::size_t> widths_;
  bool begun_ = false;
};

/// Text of others on one line, of at most `characters`: it may hold line ends, and what a terminal
/// would obey.
std::string one_line(std::string_view text, std::size_t characters);

/// Text of others over several lines, each indented.
std::string indented(std::string_view text, std::size_t columns);

}  // namespace toa::cli
