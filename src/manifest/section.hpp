#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "manifest/problem.hpp"
#include "manifest/yaml.hpp"

namespace toa::manifest {

/// A part of a YAML file that reports what is wrong with it under its file, line and key. Borrows
/// the file's value and lines, and the list of problems. What it reads and finds wrong is reported
/// and then absent.
class Section {
 public:
  Section(std::string file, const Yaml& yaml, std::vector<Problem>& problems)
      : file_(std::move(file)), value_(&yaml.value), lines_(&yaml.lines), problems_(&problems) {}

  const Json& value() const { return *value_; }
  const std::string& key() const { return key_; }
  const std::string& file() const { return file_; }
  int line() const { return lines_->line; }
  const Lines& lines() const { return *lines_; }

  void report(std::string message) const;
  /// Under the deepest part that `path` leads to; what is missing is reported where it should
  /// stand.
  void report_at(const std::vector<std::string>& path, std::string message) const;

  /// A member, also one that is null; nothing where it is absent or this is no map.
  std::optional<Section> find(std::string_view name) const;
  /// Members of a map in the order of the file; items of a list.
  std::vector<Section> parts() const;
  /// The last part of the key.
  const std::string& name() const { return name_; }

  bool must_be_object() const;
  std::optional<std::string> text(std::string_view name) const;
  std::optional<bool> flag(std::string_view name) const;
  /// A list of strings without repetitions.
  std::vector<std::string> texts(std::string_view name) const;

  /// Reports every member whose name is not among these, with the likely one.
  void refuse_unknown(std::initializer_list<std::string_view> known) const;

 private:
  Section within(std::string name, const Json& value, const Lines& lines) const;

  std::string file_;
  std::string key_;
  std::string name_;
  const Json* value_;
  const Lines* lines_;
  std::vector<Problem>* problems_;
};

/// ` (did you mean 'x'?)`, or nothing where none of `known` is near.
std::string suggestion(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace toa::manifest
