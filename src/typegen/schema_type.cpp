#include "typegen/schema_type.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "typegen/comment.hpp"

namespace toa::typegen {
namespace {

/// A schema that refers to itself has to end somewhere.
constexpr int references_max = 8;

bool is_identifier(std::string_view name) {
  const auto starts = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  };
  return !name.empty() && starts(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return starts(c) || (c >= '0' && c <= '9'); });
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (const auto& part : parts) {
    if (!out.empty()) out += between;
    out += part;
  }
  return out;
}

/// One type of several, with what is named twice named once.
std::string any_of(std::vector<std::string> types) {
  std::vector<std::string> distinct;
  for (auto& type : types) {
    if (type == "unknown") return type;
    if (std::ranges::find(distinct, type) == distinct.end()) distinct.push_back(std::move(type));
  }
  return distinct.empty() ? "never" : joined(distinct, " | ");
}

std::string grouped(std::string type) {
  return type.contains(" | ") || type.contains(" & ") ? "(" + type + ")" : type;
}

std::string all_of(const std::vector<std::string>& types) {
  std::vector<std::string> telling;
  std::ranges::copy_if(types, std::back_inserter(telling),
                       [](const std::string& type) { return type != "unknown"; });
  if (telling.empty()) return "unknown";
  if (telling.size() == 1) return telling.front();
  std::ranges::transform(telling, telling.begin(), grouped);
  return joined(telling, " & ");
}

class Printer {
 public:
  explicit Printer(const Json& root) : root_(root) {}

  std::string type(const Json& schema, std::size_t indent) {
    if (const auto* flag = schema.if_bool()) return *flag ? "unknown" : "never";
    const auto* words = schema.if_object();
    if (words == nullptr) return "unknown";
    if (const auto* reference = words->if_contains("$ref")) return referred(*reference, indent);
    if (const auto* constant = words->if_contains("const")) return value(*constant);
    if (const auto* allowed = words->if_contains("enum"); allowed != nullptr && allowed->is_array())
      return values(allowed->get_array());

    std::vector<std::string> all{own(*words, indent)};
    for (const auto* word : {"anyOf", "oneOf"}) {
      if (auto found = types(*words, word, indent)) all.push_back(any_of(std::move(*found)));
    }
    if (auto found = types(*words, "allOf", indent))
      all.insert(all.end(), found->begin(), found->end());
    return all_of(all);
  }

 private:
  std::string referred(const Json& reference, std::size_t indent) {
    const auto* text = reference.if_string();
    if (text == nullptr || text->empty() || text->front() != '#') return "unknown";
    boost::system::error_code ec;
    const auto* target = root_.find_pointer(std::string_view(*text).substr(1), ec);
    if (target == nullptr || references_ >= references_max) return "unknown";
    ++references_;
    auto out = type(*target, indent);
    --references_;
    return out;
  }

  std::string value(const Json& value) { return json::print(value); }

  std::string values(const JsonArray& allowed) {
    std::vector<std::string> out;
    for (const auto& one : allowed)
      out.push_back(one.is_string() ? literal(one.get_string()) : value(one));
    return any_of(std::move(out));
  }

  std::optional<std::vector<std::string>> types(const JsonObject& words, std::string_view word,
                                                std::size_t indent) {
    const auto* list = words.if_contains(word);
    if (list == nullptr || !list->is_array()) return std::nullopt;
    std::vector<std::string> out;
    for (const auto& part : list->get_array()) out.push_back(type(part, indent));
    return out;
  }

  /// What the schema's own words say, those that combine others apart.
  std::string own(const JsonObject& words, std::size_t indent) {
    const auto* stated = words.if_contains("type");
    if (stated == nullptr) return untyped(words, indent);
    if (const auto* name = stated->if_string()) return named(*name, words, indent);
    std::vector<std::string> out;
    if (const auto* names = stated->if_array()) {
      for (const auto& name : *names) {
        if (name.is_string()) out.push_back(named(name.get_string(), words, indent));
      }
    }
    return any_of(std::move(out));
  }

  /// Words of objects and arrays say nothing about other values: without `type` they still tell
  /// what was meant.
  std::string untyped(const JsonObject& words, std::size_t indent) {
    if (words.contains("properties") || words.contains("additionalProperties"))
      return object(words, indent);
    return words.contains("items") ? array(words, indent) : "unknown";
  }

  std::string named(std::string_view name, const JsonObject& words, std::size_t indent) {
    if (name == "integer" || name == "number") return "number";
    if (name == "boolean" || name == "null") return std::string(name);
    if (name == "string") {
      const auto* format = words.if_contains("format");
      return format != nullptr && *format == "secret" ? "Secret" : "string";
    }
    if (name == "array") return array(words, indent);
    return name == "object" ? object(words, indent) : "unknown";
  }

  std::string array(const JsonObject& words, std::size_t indent) {
    const auto* items = words.if_contains("items");
    if (items == nullptr) return "unknown[]";
    if (items->is_array()) return tuple(words, items->get_array(), indent);
    return grouped(type(*items, indent)) + "[]";
  }

  std::string tuple(const JsonObject& words, const JsonArray& items, std::size_t indent) {
    const auto* least = words.if_contains("minItems");
    const auto needed = least != nullptr && least->is_int64() ? least->get_int64() : 0;
    std::vector<std::string> out;
    for (const auto& item : items) {
      const bool optional = static_cast<std::int64_t>(out.size()) >= needed;
      out.push_back(optional ? grouped(type(item, indent)) + "?" : type(item, indent));
    }
    const auto* rest = words.if_contains("additionalItems");
    if (rest == nullptr || *rest != Json(false))
      out.push_back("..." + (rest == nullptr ? "unknown" : grouped(type(*rest, indent))) + "[]");
    return "[" + joined(out, ", ") + "]";
  }

  std::string object(const JsonObject& words, std::size_t indent) {
    const auto* declared = words.if_contains("properties");
    const auto* others = words.if_contains("additionalProperties");
    const bool closed = others != nullptr && *others == Json(false);
    if (declared == nullptr || !declared->is_object() || declared->get_object().empty()) {
      if (closed && !words.contains("patternProperties")) return "Record<string, never>";
      return "Record<string, " +
             (others != nullptr && others->is_object() ? type(*others, indent) : "unknown") + ">";
    }
    return members(declared->get_object(), required_of(words), indent);
  }

  static std::vector<std::string_view> required_of(const JsonObject& words) {
    std::vector<std::string_view> out;
    const auto* required = words.if_contains("required");
    if (required == nullptr || !required->is_array()) return out;
    for (const auto& name : required->get_array()) {
      if (name.is_string()) out.push_back(name.get_string());
    }
    return out;
  }

  std::string members(const JsonObject& properties, const std::vector<std::string_view>& required,
                      std::size_t indent) {
    const std::string margin(indent + 2, ' ');
    std::string out = "{\n";
    for (const auto& [name, schema] : properties) {
      const bool needed = std::ranges::find(required, std::string_view(name)) != required.end();
      out += comment(description_of(schema), indent + 2);
      out += margin + property_name(name) + (needed ? ": " : "?: ") + type(schema, indent + 2);
      out += '\n';
    }
    return out + std::string(indent, ' ') + "}";
  }

  const Json& root_;
  int references_ = 0;
};

}  // namespace

std::string schema_type(const Json& schema, std::size_t indent) {
  return Printer(schema).type(schema, indent);
}

std::string literal(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string property_name(std::string_view name) {
  return is_identifier(name) ? std::string(name) : literal(name);
}

}  // namespace toa::typegen
