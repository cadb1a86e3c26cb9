#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gateway/directive.hpp"
#include "gateway/tree/tree.hpp"
#include "manifest/application.hpp"

namespace toa::gateway {

/// Reads the routes of an application into a tree: the Context's first, whose directives reach
/// those of all components (G5–G7). Every mistake of every file is reported.
class Builder {
 public:
  /// All outlive the builder, and the application outlives the tree.
  Builder(const manifest::Application& application, std::span<const Family* const> families,
          std::vector<manifest::Problem>& problems)
      : application_(application), families_(families), problems_(problems) {}

  Tree build();

 private:
  /// Where a node stands, and what reaches it.
  struct Place {
    std::string path;
    const manifest::Component* component = nullptr;
    std::vector<Stated> stated;
    /// The roots of trees may have directives alone.
    bool is_root = false;
  };

  void read_context_routes();
  void read_node(const manifest::Section& node, Place place);
  void read_route(const manifest::Section& route, const Place& place);
  void read_forward(const manifest::Section& route, std::string path);
  void read_methods(const std::vector<manifest::Section>& methods, const Place& place);
  void read_method(const manifest::Section& declared, const Place& place, Resource& resource);
  void find_operation(const manifest::Section& endpoint, const Place& place, Method& method);
  std::optional<Stated> read_directive(const manifest::Section& declared, const Place& place,
                                       bool in_method);
  void make_directives(const std::vector<Stated>& stated, MethodSite site);

  const manifest::Application& application_;
  std::span<const Family* const> families_;
  std::vector<manifest::Problem>& problems_;
  Tree tree_;
  std::vector<Stated> everywhere_;
};

}  // namespace toa::gateway
