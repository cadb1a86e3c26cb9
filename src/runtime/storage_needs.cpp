#include "runtime/storage_needs.hpp"

#include <algorithm>

namespace toa::runtime {

std::int64_t longest_window_s(const manifest::Application& application) {
  auto window = application.context.inbox_retention_s;
  for (const auto& [id, component] : application.components) {
    for (const auto& [name, operation] : component.operations)
      window = std::max(window, operation.once_window_s.value_or(0));
  }
  return window;
}

std::vector<storage::Collection> kept_components(const manifest::Application& application) {
  std::vector<storage::Collection> kept;
  for (const auto& [id, component] : application.components) {
    if (component.entity && !component.entity->storage.empty())
      kept.emplace_back(id, component.migrations);
  }
  return kept;
}

std::vector<storage::Collection> kept_as_they_are(const manifest::Application& application) {
  auto kept = kept_components(application);
  for (auto& collection : kept) collection.migrations.clear();
  return kept;
}

}  // namespace toa::runtime
