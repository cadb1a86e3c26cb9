#include "manifest/section.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace toa::manifest {
namespace {

/// How many letters have to be inserted, removed or changed.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view word, const std::vector<std::string_view>& known) {
  constexpr std::size_t near = 2;
  constexpr std::size_t word_size_max = 64;
  if (word.size() > word_size_max || known.empty()) return "";
  const auto far = [&](std::string_view other) { return distance(word, other); };
  const auto nearest = std::ranges::min(known, {}, far);
  if (far(nearest) > near || far(nearest) >= word.size()) return "";
  return fmt::format(" (did you mean '{}'?)", nearest);
}

Section Section::within(std::string name, const Json& value, const Lines& lines) const {
  Section inner = *this;
  inner.key_ = key_.empty() ? name : key_ + "." + name;
  inner.name_ = std::move(name);
  inner.value_ = &value;
  inner.lines_ = &lines;
  if (lines.file) inner.file_ = *lines.file;
  return inner;
}

void Section::report(std::string message) const {
  problems_->push_back({file_, lines_->line, key_, std::move(message)});
}

void Section::report_at(const std::vector<std::string>& path, std::string message) const {
  Section at = *this;
  for (const auto& step : path) {
    const auto parts = at.parts();
    const auto found = std::ranges::find(parts, step, &Section::name);
    if (found == parts.end()) break;
    at = *found;
  }
  at.report(std::move(message));
}

std::optional<Section> Section::find(std::string_view name) const {
  const auto* member = json::find(*value_, name);
  if (member == nullptr) return std::nullopt;
  return within(std::string(name), *member, lines_->of(name));
}

std::vector<Section> Section::parts() const {
  std::vector<Section> parts;
  if (const auto* object = value_->if_object()) {
    for (const auto& [name, member] : *object)
      parts.push_back(within(name, member, lines_->of(name)));
  } else if (const auto* array = value_->if_array()) {
    for (std::size_t i = 0; i < array->size(); ++i) {
      parts.push_back(within(std::to_string(i), (*array)[i], lines_->of(i)));
    }
  }
  return parts;
}

bool Section::must_be_object() const {
  if (!value_->is_object()) report("must be object");
  return value_->is_object();
}

std::optional<std::string> Section::text(std::string_view name) const {
  const auto found = find(name);
  if (!found) return std::nullopt;
  if (const auto* text = found->value().if_string()) return std::string(*text);
  found->report("must be string");
  return std::nullopt;
}

std::optional<bool> Section::flag(std::string_view name) const {
  const auto found = find(name);
  if (!found) return std::nullopt;
  if (const auto* flag = found->value().if_bool()) return *flag;
  found->report("must be boolean");
  return std::nullopt;
}

std::vector<std::string> Section::texts(std::string_view name) const {
  std::vector<std::string> texts;
  const auto found = find(name);
  if (found && !found->value().is_array()) found->report("must be array");
  for (const auto& item :
       found && found->value().is_array() ? found->parts() : std::vector<Section>{}) {
    const auto* text = item.value().if_string();
    if (text == nullptr || text->empty()) {
      item.report("must be string");
    } else if (std::ranges::find(texts, std::string_view(*text)) != texts.end()) {
      item.report(fmt::format("'{}' is named twice", std::string_view(*text)));
    } else {
      texts.emplace_back(*text);
    }
  }
  return texts;
}

void Section::refuse_unknown(std::initializer_list<std::string_view> known) const {
  for (const auto& part : parts()) {
    if (std::ranges::find(known, std::string_view(part.name())) != known.end()) continue;
    part.report(fmt::format("unknown key '{}'{}", part.name(), suggestion(part.name(), known)));
  }
}

}  // namespace toa::manifest
