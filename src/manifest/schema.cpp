#include "manifest/schema.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/hex.hpp"

namespace toa::manifest {
namespace {

// Documents nest less; references add to it, since what they name is read on the way.
constexpr std::size_t compile_depth_max = 10 * limits::document_depth_max;

}  // namespace

/// Reads schemas into nodes, each value once, so that references may form cycles.
class SchemaCompiler {
 public:
  SchemaCompiler(Schema& out, const Json& root) : out_(out), root_(root) {}

  SchemaNode::Pointer compile(const Json& json);
  void check_chains();

 private:
  using Words = void (SchemaCompiler::*)(SchemaNode&, const Json&);

  void word(SchemaNode& node, std::string_view key, const Json& value);
  static const std::map<std::string_view, Words>& words();

  void type(SchemaNode& node, const Json& value);
  void enumeration(SchemaNode& node, const Json& value);
  void constant(SchemaNode& node, const Json& value) { node.constant = &value; }
  void pattern(SchemaNode& node, const Json& value);
  void format(SchemaNode& node, const Json& value);
  void unique(SchemaNode& node, const Json& value);
  void items(SchemaNode& node, const Json& value);
  void required(SchemaNode& node, const Json& value) { node.required = texts(value); }
  void properties(SchemaNode& node, const Json& value);
  void pattern_properties(SchemaNode& node, const Json& value);
  void dependencies(SchemaNode& node, const Json& value);
  void definitions(SchemaNode&, const Json& value);
  void reference(SchemaNode& node, const Json& value);
  void identifier(SchemaNode& node, const Json& value);
  void annotation(SchemaNode&, const Json&) {}

  template <std::optional<SchemaNode::Bound> SchemaNode::* member>
  void bound(SchemaNode& node, const Json& value) {
    if (!value.is_number()) return problem("must be number");
    node.*member = SchemaNode::Bound{value.to_number<double>(), json::print(value)};
  }
  template <std::optional<std::size_t> SchemaNode::* member>
  void count(SchemaNode& node, const Json& value) {
    const auto* number = value.if_int64();
    if (number == nullptr || *number < 0) return problem("must be a whole number from 0");
    node.*member = static_cast<std::size_t>(*number);
  }
  template <SchemaNode::Pointer SchemaNode::* member>
  void single(SchemaNode& node, const Json& value) {
    node.*member = compile(value);
  }
  template <std::vector<SchemaNode::Pointer> SchemaNode::* member>
  void list(SchemaNode& node, const Json& value) {
    if (!value.is_array() || value.get_array().empty()) return problem("must be a list of schemas");
    node.*member = schemas(value.get_array());
  }

  std::vector<SchemaNode::Pointer> schemas(const JsonArray& array);
  std::vector<std::string> texts(const Json& value);
  const Json* resolve(std::string_view pointer) const;
  bool chain_ends(const SchemaNode& node, std::size_t length);

  void problem(std::string message) { out_.problems_.push_back({path_, std::move(message)}); }
  template <class Body>
  void within(std::string_view key, Body body) {
    path_.emplace_back(key);
    body();
    path_.pop_back();
  }

  Schema& out_;
  const Json& root_;
  std::vector<std::string> path_;
  std::unordered_map<const Json*, SchemaNode::Pointer> done_;
  std::unordered_map<const SchemaNode*, std::size_t> heights_;
};

Schema::Schema(const Json& json) {
  SchemaCompiler compiler(*this, json);
  root_ = compiler.compile(json);
  if (problems_.empty()) compiler.check_chains();
}

SchemaNode::Pointer SchemaCompiler::compile(const Json& json) {
  if (const auto known = done_.find(&json); known != done_.end()) return known->second;
  auto& node = out_.nodes_.emplace_back();
  done_.emplace(&json, &node);
  if (path_.size() > compile_depth_max) {
    problem("is nested too deep");
  } else if (const auto* flag = json.if_bool()) {
    node.refuses_all = !*flag;
  } else if (const auto* object = json.if_object()) {
    for (const auto& [key, value] : *object) {
      within(key, [&] { word(node, key, value); });
    }
  } else {
    problem("must be a schema: an object, true or false");
  }
  return &node;
}

const std::map<std::string_view, SchemaCompiler::Words>& SchemaCompiler::words() {
  using C = SchemaCompiler;
  using N = SchemaNode;
  static const std::map<std::string_view, Words> words{
      {"type", &C::type},
      {"enum", &C::enumeration},
      {"const", &C::constant},
      {"minimum", &C::bound<&N::minimum>},
      {"maximum", &C::bound<&N::maximum>},
      {"exclusiveMinimum", &C::bound<&N::above>},
      {"exclusiveMaximum", &C::bound<&N::below>},
      {"multipleOf", &C::bound<&N::multiple_of>},
      {"minLength", &C::count<&N::length_min>},
      {"maxLength", &C::count<&N::length_max>},
      {"pattern", &C::pattern},
      {"format", &C::format},
      {"minItems", &C::count<&N::items_min>},
      {"maxItems", &C::count<&N::items_max>},
      {"uniqueItems", &C::unique},
      {"items", &C::items},
      {"additionalItems", &C::single<&N::rest>},
      {"contains", &C::single<&N::contains>},
      {"minProperties", &C::count<&N::members_min>},
      {"maxProperties", &C::count<&N::members_max>},
      {"required", &C::required},
      {"properties", &C::properties},
      {"patternProperties", &C::pattern_properties},
      {"additionalProperties", &C::single<&N::additional>},
      {"propertyNames", &C::single<&N::names>},
      {"dependencies", &C::dependencies},
      {"definitions", &C::definitions},
      {"$defs", &C::definitions},
      {"$ref", &C::reference},
      {"$id", &C::identifier},
      {"not", &C::single<&N::negated>},
      {"if", &C::single<&N::condition>},
      {"then", &C::single<&N::then>},
      {"else", &C::single<&N::otherwise>},
      {"allOf", &C::list<&N::all>},
      {"anyOf", &C::list<&N::any>},
      {"oneOf", &C::list<&N::one>},
      {"title", &C::annotation},
      {"description", &C::annotation},
      {"default", &C::annotation},
      {"examples", &C::annotation},
      {"readOnly", &C::annotation},
      {"writeOnly", &C::annotation},
      {"deprecated", &C::annotation},
      {"contentEncoding", &C::annotation},
      {"contentMediaType", &C::annotation},
      {"$schema", &C::annotation},
      {"$comment", &C::annotation},
  };
  return words;
}

void SchemaCompiler::word(SchemaNode& node, std::string_view key, const Json& value) {
  const auto found = words().find(key);
  if (found != words().end()) return (this->*found->second)(node, value);
  if (!key.starts_with("x-")) problem("unknown word of JSON Schema (draft 7)");
}

void SchemaCompiler::type(SchemaNode& node, const Json& value) {
  constexpr std::array<std::string_view, 7> names{"null",   "boolean", "integer", "number",
                                                  "string", "array",   "object"};
  const auto given = value.is_array() ? texts(value) : std::vector<std::string>{};
  const auto add = [&](std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return problem("'" + std::string(name) + "' is no type");
    node.types = static_cast<std::uint8_t>(node.types | 1u << (found - names.begin()));
    node.types_text += (node.types_text.empty() ? "" : ",") + std::string(name);
  };
  if (value.is_string()) return add(value.get_string());
  if (given.empty()) return problem("must be the name of a type or a list of them");
  std::ranges::for_each(given, add);
}

void SchemaCompiler::enumeration(SchemaNode& node, const Json& value) {
  node.allowed = value.if_array();
  if (node.allowed == nullptr || node.allowed->empty()) problem("must be a list of values");
}

void SchemaCompiler::pattern(SchemaNode& node, const Json& value) {
  if (!value.is_string()) return problem("must be string");
  auto compiled = Pattern::compile(value.get_string());
  if (!compiled) return problem(compiled.error().message);
  node.pattern = *std::move(compiled);
}

void SchemaCompiler::format(SchemaNode& node, const Json& value) {
  if (!value.is_string()) return problem("must be string");
  node.format = format_of(value.get_string());
}

void SchemaCompiler::unique(SchemaNode& node, const Json& value) {
  if (!value.is_bool()) return problem("must be boolean");
  node.unique = value.get_bool();
}

void SchemaCompiler::items(SchemaNode& node, const Json& value) {
  node.is_tuple = value.is_array();
  if (node.is_tuple) {
    node.tuple = schemas(value.get_array());
  } else {
    node.items = compile(value);
  }
}

void SchemaCompiler::properties(SchemaNode& node, const Json& value) {
  if (!value.is_object()) return problem("must be object");
  for (const auto& [name, schema] : value.get_object()) {
    within(name, [&] { node.properties.emplace_back(name, compile(schema)); });
  }
}

void SchemaCompiler::pattern_properties(SchemaNode& node, const Json& value) {
  if (!value.is_object()) return problem("must be object");
  for (const auto& [name, schema] : value.get_object()) {
    within(name, [&] {
      auto pattern = Pattern::compile(name);
      if (!pattern) return problem(pattern.error().message);
      node.pattern_properties.emplace_back(*std::move(pattern), compile(schema));
    });
  }
}

void SchemaCompiler::dependencies(SchemaNode& node, const Json& value) {
  if (!value.is_object()) return problem("must be object");
  for (const auto& [name, needs] : value.get_object()) {
    within(name, [&] {
      if (needs.is_array()) return void(node.required_with.emplace_back(name, texts(needs)));
      node.schema_with.emplace_back(name, compile(needs));
    });
  }
}

void SchemaCompiler::definitions(SchemaNode&, const Json& value) {
  if (!value.is_object()) return problem("must be object");
  for (const auto& [name, schema] : value.get_object()) {
    within(name, [&] { compile(schema); });
  }
}

void SchemaCompiler::reference(SchemaNode& node, const Json& value) {
  if (!value.is_string()) return problem("must be string");
  const std::string_view text = value.get_string();
  if (text != "#" && !text.starts_with("#/")) {
    return problem("'" + std::string(text) +
                   "' points outside; only '#/…' within the same schema is followed");
  }
  const auto* target = resolve(text.substr(1));
  if (target == nullptr) return problem("'" + std::string(text) + "' points at nothing");
  node.reference = compile(*target);
}

void SchemaCompiler::identifier(SchemaNode&, const Json& value) {
  if (!value.is_string()) return problem("must be string");
  if (path_.size() > 1) problem("is not supported inside a schema");
}

std::vector<SchemaNode::Pointer> SchemaCompiler::schemas(const JsonArray& array) {
  std::vector<SchemaNode::Pointer> nodes;
  for (std::size_t i = 0; i < array.size(); ++i) {
    within(std::to_string(i), [&] { nodes.push_back(compile(array[i])); });
  }
  return nodes;
}

std::vector<std::string> SchemaCompiler::texts(const Json& value) {
  std::vector<std::string> texts;
  if (!value.is_array()) problem("must be array");
  for (const auto& item : value.is_array() ? value.get_array() : JsonArray{}) {
    if (!item.is_string()) {
      problem("must hold strings");
    } else if (std::ranges::find(texts, std::string_view(item.get_string())) != texts.end()) {
      problem("names '" + std::string(item.get_string()) + "' twice");
    } else {
      texts.emplace_back(item.get_string());
    }
  }
  return texts;
}

namespace {

/// One step of a JSON pointer in a URI fragment: `%25`, then `~1` and `~0`.
std::string decoded(std::string_view step) {
  std::string plain;
  for (std::size_t i = 0; i < step.size(); ++i) {
    std::array<std::uint8_t, 1> byte{};
    if (step[i] == '%' && from_hex(step.substr(i + 1, 2), byte)) {
      plain.push_back(static_cast<char>(byte[0]));
      i += 2;
    } else {
      plain.push_back(step[i]);
    }
  }
  std::string out;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const bool escape =
        plain[i] == '~' && i + 1 < plain.size() && (plain[i + 1] == '0' || plain[i + 1] == '1');
    out.push_back(!escape ? plain[i] : plain[++i] == '0' ? '~' : '/');
  }
  return out;
}

const Json* step_into(const Json& at, const std::string& step) {
  if (at.is_object()) return at.get_object().if_contains(step);
  if (!at.is_array() || step.empty() || step.size() > 6) return nullptr;
  if (!std::ranges::all_of(step, [](char c) { return c >= '0' && c <= '9'; })) return nullptr;
  return at.get_array().if_contains(std::stoul(step));
}

std::vector<const SchemaNode*> in_place(const SchemaNode& node) {
  std::vector<const SchemaNode*> found;
  for (const auto* list : {&node.all, &node.any, &node.one}) {
    found.insert(found.end(), list->begin(), list->end());
  }
  for (const auto* one :
       {node.reference, node.negated, node.condition, node.then, node.otherwise}) {
    if (one != nullptr) found.push_back(one);
  }
  for (const auto& [name, schema] : node.schema_with) found.push_back(schema);
  return found;
}

}  // namespace

const Json* SchemaCompiler::resolve(std::string_view pointer) const {
  const Json* at = &root_;
  while (!pointer.empty() && at != nullptr) {
    pointer.remove_prefix(1);
    const auto slash = pointer.find('/');
    at = step_into(*at, decoded(pointer.substr(0, slash)));
    pointer = slash == std::string_view::npos ? "" : pointer.substr(slash);
  }
  return at;
}

void SchemaCompiler::check_chains() {
  for (const auto& node : out_.nodes_) {
    if (chain_ends(node, 0)) continue;
    return problem("refers to itself, or through too many schemas, without going into the value");
  }
}

// Heights are remembered, so that each node is visited once; `length` bounds the recursion, also on
// a cycle.
bool SchemaCompiler::chain_ends(const SchemaNode& node, std::size_t length) {
  if (length > limits::schema_chain_max) return false;
  if (const auto known = heights_.find(&node); known != heights_.end()) {
    return length + known->second <= limits::schema_chain_max;
  }
  std::size_t height = 0;
  for (const auto* next : in_place(node)) {
    if (!chain_ends(*next, length + 1)) return false;
    height = std::max(height, heights_.at(next) + 1);
  }
  heights_.emplace(&node, height);
  return true;
}

}  // namespace toa::manifest
