#pragma once

#include <optional>
#include <string>
#include <vector>

namespace toa::bench {

/// A column: how JSON and how people name it, and the digits that mean something.
struct Column {
  std::string key;
  std::string heading;
  int decimals = 0;
};

struct Row {
  std::string name;
  std::vector<std::optional<double>> values;
};

struct Table {
  std::string key;
  std::string title;
  std::vector<Column> columns;
  std::vector<Row> rows = {};
};

/// What a figure must not exceed.
struct Bar {
  std::string name;
  double measured = 0;
  double most = 0;
  std::string unit;

  bool met() const { return measured <= most; }
};

/// For people, aligned.
std::string print(const Table& table);
std::string print(const std::vector<Bar>& bars);
/// One JSON object of all tables and bars.
std::string print_json(const std::vector<Table>& tables, const std::vector<Bar>& bars);

}  // namespace toa::bench
