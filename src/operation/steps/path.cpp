#include "operation/steps/path.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <string>

#include "base/limits.hpp"
#include "manifest/schema.hpp"

namespace toa::operation {
namespace {

using manifest::SchemaNode;
using Nodes = std::vector<const SchemaNode*>;
using Form = Destination::Form;

struct System {
  std::string_view name;
  std::uint8_t types;
  Form form;
};

constexpr std::array<System, 6> system_properties{{
    {"id", SchemaNode::string, Form::plain},
    {"VERSION", SchemaNode::integer, Form::plain},
    {"CREATED", SchemaNode::integer, Form::epoch_millis},
    {"UPDATED", SchemaNode::integer, Form::epoch_millis},
    {"DELETED", SchemaNode::integer, Form::epoch_millis},
    {"REGION", SchemaNode::integer, Form::plain},
}};

void add(Nodes& nodes, const SchemaNode* node) {
  if (node == nullptr || node->refuses_all) return;
  if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
}

/// All that speak of the same value: what they refer to, parts and alternatives.
Nodes with_parts(Nodes nodes) {
  // Grows while it is walked.
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto& node = *nodes[i];
    for (const auto* part : {node.reference, node.then, node.otherwise}) add(nodes, part);
    for (const auto* parts : {&node.all, &node.any, &node.one}) {
      for (const auto* part : *parts) add(nodes, part);
    }
  }
  return nodes;
}

const SchemaNode* member_of(const SchemaNode& node, std::string_view name) {
  const auto declared = std::ranges::find(
      node.properties, name, [](const auto& one) { return std::string_view(one.first); });
  if (declared != node.properties.end()) return declared->second;
  for (const auto& [pattern, schema] : node.pattern_properties) {
    if (pattern.search(name) == manifest::Pattern::Found::yes) return schema;
  }
  return node.additional;
}

Nodes members(const Nodes& nodes, std::string_view name) {
  Nodes found;
  for (const auto* node : nodes) add(found, member_of(*node, name));
  return with_parts(std::move(found));
}

Nodes items(const Nodes& nodes) {
  Nodes found;
  for (const auto* node : nodes) {
    add(found, node->items);
    add(found, node->rest);
    for (const auto* item : node->tuple) add(found, item);
  }
  return with_parts(std::move(found));
}

bool may_be_list(const Nodes& nodes) {
  return std::ranges::any_of(nodes, [](const auto* node) {
    return (node->types & SchemaNode::array) != 0 || node->items != nullptr || node->is_tuple;
  });
}

std::uint8_t type_of(const Json& value) {
  switch (value.kind()) {
    case boost::json::kind::null:
      return SchemaNode::null;
    case boost::json::kind::bool_:
      return SchemaNode::boolean;
    case boost::json::kind::string:
      return SchemaNode::string;
    case boost::json::kind::array:
      return SchemaNode::array;
    case boost::json::kind::object:
      return SchemaNode::object;
    default:
      return SchemaNode::number;
  }
}

/// What the schemas say of the type, or what the values say that they allow.
std::uint8_t types_of(const Nodes& nodes) {
  int types = 0;
  for (const auto* node : nodes) types |= node->types;
  if (types != 0) return static_cast<std::uint8_t>(types);
  for (const auto* node : nodes) {
    if (node->constant != nullptr) types |= type_of(*node->constant);
    if (node->allowed == nullptr) continue;
    for (const auto& value : *node->allowed) types |= type_of(value);
  }
  return static_cast<std::uint8_t>(types);
}

std::uint8_t types_at(const Nodes& nodes, bool list) {
  if (!list) return types_of(nodes);
  const auto inner = types_of(items(nodes));
  const auto own = types_of(nodes) & ~SchemaNode::array;
  return inner == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(inner | own);
}

std::optional<Destination> system_property(std::string_view path) {
  const auto found = std::ranges::find(system_properties, path, &System::name);
  if (found == system_properties.end()) return std::nullopt;
  return Destination{{Step{std::string(path)}}, found->types, found->form};
}

Form form_of(const manifest::Entity& entity, std::string_view property) {
  const auto found = std::ranges::find(entity.moments, property, &manifest::Moment::property);
  if (found == entity.moments.end()) return Form::plain;
  return found->form == manifest::Moment::Form::iso ? Form::iso : Form::epoch_millis;
}

}  // namespace

bool Destination::passes_list() const {
  return std::ranges::any_of(path, &Step::list);
}

std::optional<Destination> destination_of(const manifest::Entity& entity, std::string_view path) {
  if (auto system = system_property(path)) return system;
  Destination reached;
  auto nodes = with_parts({&entity.contract.root()});
  for (const auto name : std::views::split(path, '.')) {
    if (reached.path.size() == limits::query_path_steps_max) return std::nullopt;
    // Only what the step before led to, a list's items included, has members.
    auto holders = nodes;
    if (!reached.path.empty() && reached.path.back().list) {
      for (const auto* item : items(nodes)) add(holders, item);
    }
    nodes = members(holders, std::string_view(name));
    if (nodes.empty()) return std::nullopt;
    reached.path.push_back({std::string(std::string_view(name)), may_be_list(nodes)});
  }
  reached.types = types_at(nodes, reached.path.back().list);
  if (reached.path.size() == 1) reached.form = form_of(entity, path);
  return reached;
}

}  // namespace toa::operation
