#include "cli/table.hpp"

#include <algorithm>

namespace toa::cli {
namespace {

constexpr std::size_t gap = 2;

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !continues(c); }));
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
}

}  // namespace

Table::Table(Row headers) : headers_(std::move(headers)), widths_(headers_.size()) {
  widen(headers_);
}

void Table::widen(const Row& row) {
  for (std::size_t i = 0; i < row.size(); ++i)
    widths_[i] = std::max(widths_[i], characters_of(row[i]));
}

std::string Table::line(const Row& row) const {
  std::string line;
  std::size_t owed = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!row[i].empty()) line.append(std::exchange(owed, 0), ' ');
    line += row[i];
    owed += widths_[i] - characters_of(row[i]) + gap;
  }
  return line + "\n";
}

std::string Table::print(const std::vector<Row>& rows) {
  if (rows.empty()) return {};
  for (const auto& row : rows) widen(row);
  std::string lines = begun_ ? "" : line(headers_);
  begun_ = true;
  for (const auto& row : rows) lines += line(row);
  return lines;
}

std::string one_line(std::string_view text, std::size_t characters) {
  std::string out;
  std::size_t count = 0;
  for (const char c : text) {
    if (!continues(c) && count++ == characters) return out + "…";
    out += is_control(c) ? ' ' : c;
  }
  return out;
}

std::string indented(std::string_view text, std::size_t columns) {
  std::string out(columns, ' ');
  for (const char c : text) {
    if (c == '\n') {
      out += '\n';
      out.append(columns, ' ');
    } else {
      out += is_control(c) ? ' ' : c;
    }
  }
  return out;
}

}  // namespace toa::cli
