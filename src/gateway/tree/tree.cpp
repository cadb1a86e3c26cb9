#include "gateway/tree/tree.hpp"

#include <algorithm>
#include <functional>

#include "base/limits.hpp"

namespace toa::gateway {

struct Tree::Node {
  std::map<std::string, std::unique_ptr<Node>, std::less<>> literals;
  /// By the whole name; in the order of declaration.
  std::vector<std::pair<std::string, std::unique_ptr<Node>>> variables;
  std::unique_ptr<Node> any;
  std::unique_ptr<Node> tail;
  std::unique_ptr<Resource> resource;

  Node& child(const std::string& segment) {
    if (segment == "**") return made(tail);
    if (segment == "*") return made(any);
    if (!segment.starts_with(':')) return made(literals[segment]);
    const auto name = segment.substr(1);
    const auto found = std::ranges::find(variables, name, &decltype(variables)::value_type::first);
    if (found != variables.end()) return *found->second;
    return *variables.emplace_back(name, std::make_unique<Node>()).second;
  }

  static Node& made(std::unique_ptr<Node>& node) {
    if (!node) node = std::make_unique<Node>();
    return *node;
  }
};

namespace {

std::string joined(std::span<const std::string> segments) {
  std::string text;
  for (const auto& segment : segments) {
    if (!text.empty()) text += '/';
    text += segment;
  }
  return text;
}

}  // namespace

const Method* Resource::find(Verb verb) const {
  const auto found = std::ranges::find(methods, verb, &Method::verb);
  if (found != methods.end()) return &*found;
  return verb == Verb::head ? find(Verb::get) : nullptr;
}

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> segments;
  while (!path.empty()) {
    const auto segment = path.substr(0, path.find('/'));
    if (!segment.empty()) segments.emplace_back(segment);
    path.remove_prefix(std::min(segment.size() + 1, path.size()));
  }
  return segments;
}

Tree::Tree() : root_(std::make_unique<Node>()) {}
Tree::~Tree() = default;
Tree::Tree(Tree&&) noexcept = default;
Tree& Tree::operator=(Tree&&) noexcept = default;

Resource* Tree::add(std::unique_ptr<Resource> resource) {
  auto* node = root_.get();
  for (const auto& segment : split_path(resource->path)) node = &node->child(segment);
  if (!node->resource) {
    node->resource = std::move(resource);
    resources_.push_back(node->resource.get());
  }
  return node->resource.get();
}

const Resource* Tree::find(const Node& node, Segments segments, std::vector<Variable>& variables) {
  if (segments.empty()) return node.resource.get();
  const auto rest = segments.subspan(1);
  if (const auto found = node.literals.find(segments.front()); found != node.literals.end()) {
    if (const auto* resource = find(*found->second, rest, variables)) return resource;
  }
  for (const auto& [name, child] : node.variables) {
    variables.push_back({name, segments.front()});
    if (const auto* resource = find(*child, rest, variables)) return resource;
    variables.pop_back();
  }
  if (node.any) {
    if (const auto* resource = find(*node.any, rest, variables)) return resource;
  }
  if (!node.tail || !node.tail->resource) return nullptr;
  variables.push_back({"**", joined(segments)});
  return node.tail->resource.get();
}

std::optional<Match> Tree::match(Segments segments) const {
  return match(segments, limits::route_forwards_max);
}

std::optional<Match> Tree::match(Segments segments, int hops) const {
  Match match;
  match.resource = find(*root_, segments, match.variables);
  if (match.resource == nullptr) return std::nullopt;
  if (match.resource->forward.empty()) return match;
  return forward(std::move(match), hops);
}

std::optional<Match> Tree::forward(Match match, int hops) const {
  if (hops == 0) return std::nullopt;
  auto segments = match.resource->forward;
  for (auto& segment : segments) {
    if (!segment.starts_with(':')) continue;
    const auto found =
        std::ranges::find(match.variables, segment.substr(1),
                          [](const Variable& variable) { return std::string(variable.name); });
    if (found != match.variables.end()) segment = found->value;
  }
  return this->match(segments, hops - 1);
}

}  // namespace toa::gateway
