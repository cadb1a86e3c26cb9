#include "gateway/access/permissions.hpp"

#include <algorithm>

#include "base/limits.hpp"

namespace toa::gateway {
namespace {

std::optional<std::vector<std::string>> read_methods(const Json& value) {
  std::vector<std::string> methods;
  if (value.is_string() && value.get_string() == "*") return methods;
  const auto* listed = value.if_array();
  if (listed == nullptr || listed->empty()) return std::nullopt;
  for (const auto& one : *listed) {
    if (!one.is_string()) return std::nullopt;
    if (one.get_string() == "*") return std::vector<std::string>{};
    methods.emplace_back(one.get_string());
  }
  return methods;
}

}  // namespace

// One pass over the glob keeps the set of places in the path that it may have come to, so that many
// stars cost no more than their number times the length.
bool fits_glob(std::string_view glob, std::string_view path) {
  std::vector<bool> reached(path.size() + 1, false);
  reached[0] = true;
  for (std::size_t at = 0; at < glob.size(); ++at) {
    if (glob[at] != '*') {
      for (std::size_t i = path.size(); i > 0; --i)
        reached[i] = reached[i - 1] && path[i - 1] == glob[at];
      reached[0] = false;
      continue;
    }
    const bool deep = at + 1 < glob.size() && glob[at + 1] == '*';
    if (deep) ++at;
    for (std::size_t i = 1; i <= path.size(); ++i)
      reached[i] = reached[i] || (reached[i - 1] && (deep || path[i - 1] != '/'));
  }
  return reached[path.size()];
}

std::optional<Permissions> Permissions::read(const Json& value) {
  const auto* object = value.if_object();
  if (object == nullptr || object->size() > limits::permissions_max) return std::nullopt;
  Permissions read;
  for (const auto& [glob, methods] : *object) {
    auto known = read_methods(methods);
    if (!known || glob.size() > limits::permission_glob_bytes_max) return std::nullopt;
    read.rules_.emplace_back(glob, std::move(*known));
  }
  read.written_ = value;
  return read;
}

bool Permissions::allow(std::string_view method, std::string_view path) const {
  return std::ranges::any_of(rules_, [&](const auto& rule) {
    const auto& [glob, methods] = rule;
    const bool named = methods.empty() || std::ranges::find(methods, method) != methods.end();
    return named && fits_glob(glob, path);
  });
}

}  // namespace toa::gateway
