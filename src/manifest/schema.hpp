#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/json.hpp"
#include "manifest/contract.hpp"
#include "manifest/format.hpp"
#include "manifest/pattern.hpp"

namespace toa::manifest {

/// One schema, its words read into what a check needs. Pointers are to nodes and values of the same
/// Schema.
struct SchemaNode {
  using Pointer = const SchemaNode*;
  enum TypeBit : std::uint8_t {
    null = 1,
    boolean = 2,
    integer = 4,
    number = 8,
    string = 16,
    array = 32,
    object = 64
  };

  struct Bound {
    double value = 0;
    std::string text;  // as it was written
  };

  bool refuses_all = false;
  std::uint8_t types = 0;  // 0: any
  std::string types_text;

  std::optional<Bound> minimum, maximum, above, below, multiple_of;
  std::optional<std::size_t> length_min, length_max;
  std::optional<Pattern> pattern;
  Format format = Format::none;

  const JsonArray* allowed = nullptr;
  const Json* constant = nullptr;
  Pointer reference = nullptr, negated = nullptr;
  Pointer condition = nullptr, then = nullptr, otherwise = nullptr;
  std::vector<Pointer> all, any, one;

  std::optional<std::size_t> items_min, items_max;
  bool unique = false;
  bool is_tuple = false;
  std::vector<Pointer> tuple;
  Pointer rest = nullptr;   // of the items after the tuple
  Pointer items = nullptr;  // of all items, where there is no tuple
  Pointer contains = nullptr;

  std::optional<std::size_t> members_min, members_max;
  std::vector<std::string> required;
  std::vector<std::pair<std::string, Pointer>> properties;
  std::vector<std::pair<Pattern, Pointer>> pattern_properties;
  Pointer additional = nullptr;
  Pointer names = nullptr;
  std::vector<std::pair<std::string, std::vector<std::string>>> required_with;
  std::vector<std::pair<std::string, Pointer>> schema_with;
};

/// A schema with all that it refers to, compiled. `json` must stay where it is for as long as this
/// lives. (1) No chain of schemas that apply to one and the same value is endless or longer than
/// limits::schema_chain_max.
class Schema {
 public:
  explicit Schema(const Json& json);
  Schema(const Schema&) = delete;
  Schema& operator=(const Schema&) = delete;

  const std::vector<SchemaProblem>& problems() const { return problems_; }
  /// Only where there are no problems.
  const SchemaNode& root() const { return *root_; }

 private:
  friend class SchemaCompiler;

  std::deque<SchemaNode> nodes_;
  std::vector<SchemaProblem> problems_;
  const SchemaNode* root_ = nullptr;
};

}  // namespace toa::manifest
