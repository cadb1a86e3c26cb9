#pragma once

#include <optional>
#include <string>

#include "base/json.hpp"
#include "manifest/schema.hpp"

namespace toa::manifest {

/// Checks one value against one schema, and words the first misfit. Its stack is bounded by the
/// depth of documents times limits::schema_chain_max; its work by limits::contract_steps_max,
/// beyond which the value is refused.
class SchemaJudge {
 public:
  std::optional<std::string> misfit(const SchemaNode& schema, const Json& value);

 private:
  /// The way to the value, from the inside out.
  struct Place {
    const Place* outer = nullptr;
    std::string_view key = {};
    std::size_t index = 0;
  };

  bool fits(const SchemaNode& node, const Json& value, const Place& place);
  bool fits_quietly(const SchemaNode& node, const Json& value, const Place& place);
  bool type_fits(const SchemaNode& node, const Json& value, const Place& place);
  bool number_fits(const SchemaNode& node, double value, const Place& place);
  bool string_fits(const SchemaNode& node, std::string_view value, const Place& place);
  bool values_fit(const SchemaNode& node, const Json& value, const Place& place);
  bool combinations_fit(const SchemaNode& node, const Json& value, const Place& place);
  bool condition_fits(const SchemaNode& node, const Json& value, const Place& place);
  bool array_fits(const SchemaNode& node, const JsonArray& value, const Place& place);
  bool items_fit(const SchemaNode& node, const JsonArray& value, const Place& place);
  bool object_fits(const SchemaNode& node, const JsonObject& value, const Place& place);
  bool dependencies_fit(const SchemaNode& node, const JsonObject& value, const Place& place);
  bool members_fit(const SchemaNode& node, const JsonObject& value, const Place& place);
  bool other_members_fit(const SchemaNode& node, const JsonObject& value, const Place& place);

  template <class Words>
  bool refuse(const Place& place, Words words);
  bool exhausted(const Place& place);

  std::string misfit_;
  // Above zero while a misfit is an answer and no message.
  int quiet_ = 0;
  std::size_t steps_left_ = limits::contract_steps_max;
  bool exhausted_ = false;
};

}  // namespace toa::manifest
