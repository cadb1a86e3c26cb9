#include "figures.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <fmt/format.h>

#include "base/json.hpp"

namespace toa::bench {
namespace {

std::string grouped(std::string digits) {
  auto place = std::min(digits.find('.'), digits.size());
  while (place > 3 && digits[place - 4] != '-') digits.insert(place -= 3, ",");
  return digits;
}

std::string cell(const std::optional<double>& value, const Column& column) {
  return value ? grouped(fmt::format("{:.{}f}", *value, column.decimals)) : "";
}

double rounded(double value, int decimals) {
  const auto scale = std::pow(10, decimals);
  return std::round(value * scale) / scale;
}

std::size_t name_width(const Table& table) {
  std::size_t width = 0;
  for (const auto& row : table.rows) width = std::max(width, row.name.size());
  return width;
}

std::size_t width_of(const Table& table, std::size_t column) {
  auto width = table.columns[column].heading.size();
  for (const auto& row : table.rows)
    width = std::max(width, cell(row.values[column], table.columns[column]).size());
  return width;
}

JsonObject to_json(const Table& table) {
  JsonArray rows;
  for (const auto& row : table.rows) {
    JsonObject out{{"name", row.name.substr(row.name.find_first_not_of(' '))}};
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const auto& [key, heading, decimals] = table.columns[i];
      if (row.values[i]) out[key] = rounded(*row.values[i], decimals);
    }
    rows.push_back(std::move(out));
  }
  return {{"title", table.title}, {"rows", std::move(rows)}};
}

}  // namespace

std::string print(const Table& table) {
  const auto names = name_width(table);
  auto out = fmt::format("\n{}\n  {:{}}", table.title, "", names);
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    out += fmt::format("  {:>{}}", table.columns[i].heading, width_of(table, i));
  out += '\n';
  for (const auto& row : table.rows) {
    out += fmt::format("  {:{}}", row.name, names);
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      out += fmt::format("  {:>{}}", cell(row.values[i], table.columns[i]), width_of(table, i));
    out += '\n';
  }
  return out;
}

std::string print(const std::vector<Bar>& bars) {
  std::string out = "\nBars\n";
  for (const auto& bar : bars)
    out += fmt::format("  {:8} {}: {:.3g} {} (at most {:g})\n", bar.met() ? "met" : "NOT MET",
                       bar.name, bar.measured, bar.unit, bar.most);
  return out;
}

std::string print_json(const std::vector<Table>& tables, const std::vector<Bar>& bars) {
  JsonObject out;
  for (const auto& table : tables) out[table.key] = to_json(table);
  JsonArray judged;
  for (const auto& bar : bars)
    judged.push_back({{"name", bar.name},
                      {"measured", bar.measured},
                      {"most", bar.most},
                      {"unit", bar.unit},
                      {"met", bar.met()}});
  out["bars"] = std::move(judged);
  return json::print(out);
}

}  // namespace toa::bench
