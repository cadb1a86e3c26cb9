#include "gateway/tree/builder.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

#include "base/limits.hpp"

namespace toa::gateway {
namespace {

using manifest::Section;

struct Shortcut {
  std::string_view name;
  std::string_view family;
};
/// Names of directives that stand without their family (G26).
constexpr std::array<Shortcut, 9> shortcuts{{{"input", "io"},
                                             {"output", "io"},
                                             {"languages", "map"},
                                             {"anonymous", "auth"},
                                             {"anyone", "auth"},
                                             {"id", "auth"},
                                             {"role", "auth"},
                                             {"rule", "auth"},
                                             {"incept", "auth"}}};
constexpr std::array<std::string_view, 6> families_elsewhere{"octets", "realtime", "flow",
                                                             "dev",    "mcp",      "vary"};

bool is_method(std::string_view key) {
  return verb_of(key).has_value() && key != "OPTIONS";
}

const Shortcut* shortcut_of(std::string_view key) {
  const auto found = std::ranges::find(shortcuts, key, &Shortcut::name);
  return found == shortcuts.end() ? nullptr : &*found;
}

/// Splits the children of a node by their kind (G10).
struct Kinds {
  std::vector<Section> routes, methods, directives;
  bool intermediate = false;
  bool isolated = false;

  explicit Kinds(const Section& node) {
    for (const auto& part : node.parts()) {
      const auto& key = part.name();
      if (key.starts_with('/')) {
        routes.push_back(part);
        intermediate = intermediate || key == "/";
      } else if (is_method(key)) {
        methods.push_back(part);
      } else if (key == "isolated") {
        isolated = part.value().is_bool() && part.value().get_bool();
        if (!part.value().is_bool()) part.report("must be boolean");
      } else if (shortcut_of(key) != nullptr || key.find(':') != std::string::npos) {
        directives.push_back(part);
      } else {
        part.report(fmt::format("RTD parse error: unknown key '{}'", key));
      }
    }
  }
};

/// What is wrong with the key of a route.
std::optional<std::string> fault_of_route(const std::string& key) {
  if (key == "/") return std::nullopt;
  if (key.ends_with('/')) return "a route has no trailing slash";
  if (key.find("//") != std::string::npos) return "a route has an empty segment";
  const auto segments = split_path(key);
  if (segments.size() > limits::path_segments_max) return "a route has too many segments";
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const auto& segment = segments[i];
    if (segment == ":") return "a variable has no name";
    if (segment == "**" && i + 1 < segments.size())
      return "'**' takes the rest of a path and ends it";
    if (segment == "." || segment == "..") return "'.' and '..' are not routed";
  }
  return std::nullopt;
}

std::vector<std::string> variables_of(const std::string& path) {
  std::vector<std::string> names;
  for (const auto& segment : split_path(path)) {
    if (segment.starts_with(':')) names.push_back(segment.substr(1));
    if (segment == "**") names.push_back(segment);
  }
  return names;
}

std::string joined(const std::string& path, const std::string& key) {
  return key == "/" ? path : path + key;
}

void drop_repetitions(std::vector<manifest::Problem>& problems) {
  // A directive is judged for every method that it reaches.
  std::set<std::tuple<std::string, int, std::string, std::string>> seen;
  std::erase_if(problems, [&seen](const manifest::Problem& problem) {
    return !seen.emplace(problem.file, problem.line, problem.key, problem.message).second;
  });
}

}  // namespace

void refuse_unknown(const std::vector<Stated>& stated,
                    std::initializer_list<std::string_view> known) {
  for (const auto& one : stated) {
    if (std::ranges::find(known, std::string_view(one.name)) != known.end()) continue;
    one.value.report(fmt::format("there is no directive '{}:{}'{}", one.family, one.name,
                                 manifest::suggestion(one.name, known)));
  }
}

Tree Builder::build() {
  read_context_routes();
  for (const auto& [id, component] : application_.components) {
    if (!component.exposition) continue;
    Place place{.path = component.space ? "/" + *component.space + "/" + component.name
                                        : "/" + component.name,
                .component = &component,
                .stated = everywhere_,
                .is_root = false};
    read_node(component.exposition->section(problems_), std::move(place));
  }
  drop_repetitions(problems_);
  return std::move(tree_);
}

void Builder::read_context_routes() {
  const auto& exposition = application_.context.exposition;
  const auto root = exposition ? exposition->section(problems_).find("/") : std::nullopt;
  if (!root || !root->must_be_object()) return;
  const Place root_place{.path = "", .component = nullptr, .stated = {}, .is_root = true};
  for (const auto& declared : Kinds(*root).directives) {
    if (auto directive = read_directive(declared, root_place, false))
      everywhere_.push_back(*directive);
  }
  read_node(*root, root_place);
}

void Builder::read_node(const Section& node, Place place) {
  if (!node.must_be_object()) return;
  const Kinds kinds(node);
  if (kinds.isolated) place.stated.clear();
  for (const auto& declared : kinds.directives) {
    if (auto directive = read_directive(declared, place, false)) place.stated.push_back(*directive);
  }
  if (kinds.intermediate) {
    for (const auto& method : kinds.methods)
      method.report("cannot be reached: the route '/' of this node answers in its place");
  } else {
    read_methods(kinds.methods, place);
  }
  if (kinds.routes.empty() && kinds.methods.empty() && !place.is_root)
    node.report("a route needs a method, or routes below it");
  place.is_root = false;
  for (const auto& route : kinds.routes) read_route(route, place);
}

void Builder::read_route(const Section& route, const Place& place) {
  if (auto fault = fault_of_route(route.name())) return route.report(std::move(*fault));
  auto path = joined(place.path, route.name());
  if (route.value().is_string()) return read_forward(route, std::move(path));
  auto inner = place;
  inner.path = std::move(path);
  read_node(route, std::move(inner));
}

void Builder::read_forward(const Section& route, std::string path) {
  const std::string destination(route.value().get_string());
  if (!destination.starts_with('/') || destination == path || fault_of_route(destination))
    return route.report("must be another path, from the root");
  auto resource = std::make_unique<Resource>();
  resource->variables = variables_of(path);
  for (const auto& name : variables_of(destination)) {
    if (std::ranges::find(resource->variables, name) == resource->variables.end())
      route.report(fmt::format("the destination's variable '{}' is none of this route", name));
  }
  resource->path = std::move(path);
  resource->forward = split_path(destination);
  tree_.add(std::move(resource));
}

void Builder::read_methods(const std::vector<Section>& methods, const Place& place) {
  if (methods.empty()) return;
  auto made = std::make_unique<Resource>();
  made->path = place.path.empty() ? "/" : place.path;
  made->variables = variables_of(place.path);
  auto& resource = *made;
  // One that is there already stays (G6, G36); this one is read for its mistakes.
  for (const auto& method : methods) read_method(method, place, resource);
  std::vector<std::string_view> names;
  for (const auto& method : resource.methods) names.push_back(name(method.verb));
  resource.allow = fmt::format("{}", fmt::join(names, ", "));
  tree_.add(std::move(made));
}

void Builder::read_method(const Section& declared, const Place& place, Resource& resource) {
  Method method;
  method.verb = *verb_of(declared.name());
  auto stated = place.stated;
  const bool is_short = declared.value().is_string();
  if (!is_short && !declared.value().is_object())
    return declared.report("must be the name of an operation, or an object with 'endpoint'");
  const auto endpoint = is_short ? std::optional(declared) : declared.find("endpoint");
  if (endpoint) {
    find_operation(*endpoint, place, method);
  } else {
    declared.report("must have required property 'endpoint'");
  }
  for (const auto& part : is_short ? std::vector<Section>{} : declared.parts()) {
    if (part.name() == "endpoint") continue;
    if (part.name() == "query") {
      method.query = read_query_rules(part, method.operation);
    } else if (auto directive = read_directive(part, place, true)) {
      stated.push_back(*directive);
    }
  }
  if (method.operation == nullptr) return;
  method.readonly = method.verb == Verb::get || method.verb == Verb::head;
  make_directives(stated, {resource, method});
  resource.methods.push_back(std::move(method));
}

void Builder::find_operation(const Section& endpoint, const Place& place, Method& method) {
  const auto* text = endpoint.value().if_string();
  if (text == nullptr) return endpoint.report("must be string");
  const std::string stated(*text);
  if (place.component != nullptr) {
    const auto found = place.component->operations.find(stated);
    if (found == place.component->operations.end()) {
      std::vector<std::string_view> known;
      for (const auto& [name, operation] : place.component->operations) known.push_back(name);
      return endpoint.report(fmt::format("'{}' has no operation '{}'{}", place.component->id.value,
                                         stated, manifest::suggestion(stated, known)));
    }
    method.component = place.component;
    method.operation = &found->second;
  } else {
    const auto parsed = Endpoint::parse(stated);
    method.component = parsed ? application_.find(parsed->component) : nullptr;
    method.operation = parsed ? application_.find(*parsed) : nullptr;
    if (method.operation == nullptr) {
      return endpoint.report(
          fmt::format("the application has no operation '{}': here it is written in full", stated));
    }
  }
  if (method.operation->implementation.inherited == manifest::Inherited::stream)
    endpoint.report(
        "an operation that answers a stream cannot be reached over HTTP in this release");
  method.endpoint = method.operation->endpoint.str();
}

std::optional<Stated> Builder::read_directive(const Section& declared, const Place& place,
                                              bool in_method) {
  const auto& key = declared.name();
  Stated stated{{}, {}, declared, place.path, in_method};
  if (const auto* shortcut = shortcut_of(key)) {
    stated.family = shortcut->family;
    stated.name = shortcut->name;
  } else if (const auto colon = key.find(':');
             colon != std::string::npos && !key.starts_with('/')) {
    stated.family = key.substr(0, colon);
    stated.name = key.substr(colon + 1);
  } else {
    declared.report(fmt::format("RTD parse error: unknown key '{}'", key));
    return std::nullopt;
  }
  if (std::ranges::find(families_, stated.family, &Family::name) != families_.end()) return stated;
  const bool later =
      std::ranges::find(families_elsewhere, stated.family) != families_elsewhere.end();
  declared.report(later ? fmt::format("'{}' is not supported by this release", key)
                        : fmt::format("RTD parse error: unknown key '{}'", key));
  return std::nullopt;
}

void Builder::make_directives(const std::vector<Stated>& stated, MethodSite site) {
  for (const auto* family : families_) {
    std::vector<Stated> own;
    for (const auto& one : stated) {
      if (one.family == family->name()) own.push_back(one);
    }
    family->make(own, site);
  }
  for (const auto& directive : site.method.directives) {
    for (auto& header : directive->reads()) {
      auto& reads = site.method.reads;
      if (std::ranges::find(reads, header) == reads.end()) reads.push_back(std::move(header));
    }
  }
}

}  // namespace toa::gateway
