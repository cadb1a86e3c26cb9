#include "manifest/yaml.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <sstream>
#include <unordered_map>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "manifest/scalar.hpp"
#include "manifest/utf8.hpp"

namespace toa::manifest {

const Lines& Lines::of(std::string_view name) const {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? *this : parts[static_cast<std::size_t>(found - names.begin())];
}

const Lines& Lines::of(std::size_t item) const {
  return names.empty() && item < parts.size() ? parts[item] : *this;
}

namespace {

/// Thrown through the parser, which has no other way out.
struct Refused {
  YamlError error;
};

int line_of(const YAML::Mark& mark) {
  return mark.line + 1;
}

/// A value with what it costs to repeat it.
struct Node {
  Json value;
  Lines lines;
  std::size_t values = 1;
  std::size_t bytes = 0;
  std::size_t depth = 0;
};

/// Builds the value from the parser's events.
class Builder final : public YAML::EventHandler {
 public:
  Node take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (awaits_key()) refuse(mark, "a key must be text");
    add(leaf(mark, nullptr), anchor, mark);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) refuse(mark, "an alias stands inside what it names");
    add(found->second, YAML::NullAnchor, mark);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    const bool plain = tag == "?";
    if (!plain && tag != "!" && !tag.empty() && tag != "tag:yaml.org,2002:str")
      refuse_tag(mark, tag);
    if (awaits_key()) return key(mark, text, plain);
    auto value = plain ? plain_scalar(text) : Json(text);
    if (!value) refuse(mark, value.error());
    auto node = leaf(mark, *std::move(value));
    node.bytes = text.size();
    add(std::move(node), anchor, mark);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, JsonArray{});
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, JsonObject{});
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Node node;
    YAML::anchor_t anchor;
    YAML::Mark mark;
    // Of a map: the key whose value comes next, and where it stands.
    std::optional<std::string> key;
    int key_line = 0;
    bool merging = false;
    std::vector<Node> merged;
  };

  [[noreturn]] static void refuse(const YAML::Mark& mark, std::string message) {
    throw Refused{{line_of(mark), std::move(message)}};
  }
  [[noreturn]] static void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    refuse(mark, "tag '" + tag + "' is not supported");
  }

  Node leaf(const YAML::Mark& mark, Json value) {
    Node node;
    node.value = std::move(value);
    node.lines.line = line_of(mark);
    return node;
  }

  bool awaits_key() const {
    return !open_.empty() && open_.back().node.value.is_object() && !open_.back().key;
  }

  void key(const YAML::Mark& mark, const std::string& text, bool plain) {
    auto& map = open_.back();
    map.merging = plain && text == "<<";
    if (!map.merging && map.node.value.as_object().contains(text)) {
      refuse(mark, "duplicate key '" + text + "'");
    }
    map.key = text;
    map.key_line = line_of(mark);
    map.node.bytes += text.size();
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Json empty) {
    if (tag != "?" && tag != "!" && !tag.empty()) refuse_tag(mark, tag);
    if (awaits_key()) refuse(mark, "a key must be text");
    if (open_.size() >= limits::document_depth_max) refuse(mark, too_deep());
    open_.push_back({leaf(mark, std::move(empty)), anchor, mark, {}, 0, false, {}});
  }

  void close() {
    auto done = std::move(open_.back());
    open_.pop_back();
    for (auto& merged : done.merged) merge(done.node, std::move(merged));
    add(std::move(done.node), done.anchor, done.mark);
  }

  void add(Node node, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (open_.size() + node.depth > limits::document_depth_max) refuse(mark, too_deep());
    if (anchor != YAML::NullAnchor) {
      count(anchored_, node, mark);  // each is a copy, also where it stands inside another
      anchors_.insert_or_assign(anchor, node);
    }
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    auto& outer = open_.back();
    count(outer.node, node, mark);
    if (outer.node.value.is_array()) {
      outer.node.value.get_array().push_back(std::move(node.value));
      outer.node.lines.parts.push_back(std::move(node.lines));
    } else if (outer.merging) {
      to_merge(outer, std::move(node), mark);
    } else {
      node.lines.line = outer.key_line;
      put(outer.node, *outer.key, std::move(node.value), std::move(node.lines));
    }
    outer.key.reset();
  }

  static void put(Node& map, const std::string& key, Json value, Lines lines) {
    map.value.as_object().emplace(key, std::move(value));
    map.lines.names.push_back(key);
    map.lines.parts.push_back(std::move(lines));
  }

  void count(Node& outer, const Node& inner, const YAML::Mark& mark) {
    outer.values += inner.values;
    outer.bytes += inner.bytes;
    outer.depth = std::max(outer.depth, inner.depth + 1);
    if (outer.values > limits::yaml_values_max || outer.bytes > limits::yaml_expanded_bytes_max) {
      refuse(mark, fmt::format("grows beyond {} values or {} bytes when its aliases are followed",
                               limits::yaml_values_max, limits::yaml_expanded_bytes_max));
    }
  }

  static void to_merge(Open& map, Node node, const YAML::Mark& mark) {
    if (node.value.is_object()) {
      map.merged.push_back(std::move(node));
    } else if (const auto* list = node.value.if_array();
               list != nullptr &&
               std::ranges::all_of(*list, [](auto& i) { return i.is_object(); })) {
      for (std::size_t i = 0; i < list->size(); ++i) {
        map.merged.push_back({(*list)[i], node.lines.of(i)});
      }
    } else {
      refuse(mark, "'<<' merges a map or a list of maps");
    }
  }

  // What the map says itself wins, then what is merged first.
  static void merge(Node& map, Node from) {
    for (auto& [key, value] : from.value.as_object()) {
      if (map.value.as_object().contains(key)) continue;
      put(map, key, std::move(value), from.lines.of(key));
    }
  }

  static std::string too_deep() {
    return fmt::format("is nested deeper than {} levels", limits::document_depth_max);
  }

  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, Node> anchors_;
  Node anchored_;
  Node root_;
};

std::optional<YamlError> unreadable(std::string_view text) {
  if (text.size() > limits::manifest_bytes_max) {
    return YamlError{0, fmt::format("YAML of {} bytes is over the limit of {}", text.size(),
                                    limits::manifest_bytes_max)};
  }
  if (!characters(text)) return YamlError{0, "is not valid UTF-8"};
  const auto is_control = [](char c) {
    return (c >= 0 && c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
  };
  const auto found = std::ranges::find_if(text, is_control);
  if (found == text.end()) return std::nullopt;
  const auto line = 1 + std::count(text.begin(), found, '\n');
  return YamlError{static_cast<int>(line), "holds a control character"};
}

}  // namespace

std::expected<Yaml, YamlError> read_yaml(std::string_view text) {
  if (auto error = unreadable(text)) return std::unexpected(*std::move(error));
  std::istringstream stream{std::string(text)};
  try {
    YAML::Parser parser(stream);
    Builder builder;
    parser.HandleNextDocument(builder);
    auto root = builder.take();
    Builder second;
    if (parser.HandleNextDocument(second)) {
      return std::unexpected(YamlError{0, "holds more than one document"});
    }
    return Yaml{std::move(root.value), std::move(root.lines)};
  } catch (const Refused& refused) {
    return std::unexpected(refused.error);
  } catch (const YAML::Exception& e) {
    return std::unexpected(
        YamlError{e.mark.is_null() ? 0 : line_of(e.mark), "is not valid YAML: " + e.msg});
  } catch (const std::exception& e) {
    return std::unexpected(YamlError{0, std::string("is not valid YAML: ") + e.what()});
  }
}

Result<Json> parse_yaml(std::string_view text) {
  // JSON first: its escapes are not all YAML's.
  if (auto json = json::parse(text)) return json;
  auto yaml = read_yaml(text);
  if (yaml) return std::move(yaml->value);
  const auto& [line, message] = yaml.error();
  return fail(ErrorKind::invalid, line > 0 ? fmt::format("line {}: {}", line, message) : message);
}

}  // namespace toa::manifest
