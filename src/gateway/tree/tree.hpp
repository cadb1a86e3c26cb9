#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gateway/tree/match.hpp"
#include "gateway/tree/resource.hpp"

namespace toa::gateway {

/// All routes of an application, and how a path finds its own (G32–G38). At every segment a literal
/// is tried before a variable, a variable before `*`, and `**` last; what leads nowhere further
/// down is left for the next (G36).
class Tree {
 public:
  Tree();
  ~Tree();
  Tree(Tree&&) noexcept;
  Tree& operator=(Tree&&) noexcept;

  /// Adds a resource at its path; the one that is there already where there is one, which wins
  /// (G6).
  Resource* add(std::unique_ptr<Resource> resource);

  /// Nothing where no route leads there. A forwarded one is followed.
  std::optional<Match> match(std::span<const std::string> segments) const;

  /// Every resource, in the order of adding.
  const std::vector<const Resource*>& resources() const { return resources_; }

 private:
  struct Node;
  using Segments = std::span<const std::string>;

  static const Resource* find(const Node& node, Segments segments,
                              std::vector<Variable>& variables);
  std::optional<Match> forward(Match match, int hops) const;
  std::optional<Match> match(Segments segments, int hops) const;

  std::unique_ptr<Node> root_;
  std::vector<const Resource*> resources_;
};

/// `/a/:b/c` as its segments.
std::vector<std::string> split_path(std::string_view path);

}  // namespace toa::gateway
