#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "model/identity.hpp"
#include "model/names.hpp"

namespace toa::bridge {
class Host;
}

namespace toa::operation {

/// An object of the application.
struct ObjectKey {
  ComponentId component;
  EntityId id;

  friend bool operator==(const ObjectKey&, const ObjectKey&) = default;
};

/// A call as it is remembered: what is called, under which identity.
struct CallKey {
  std::string endpoint;
  Identity identity;

  friend bool operator==(const CallKey&, const CallKey&) = default;
};

/// What stands above a call within this process: one link for each invocation that waits for it. A
/// link lives in the frame of its invocation, which outlives everything beneath it.
struct Lineage {
  Lineage* above = nullptr;
  CallKey call;
  /// What the bridge knows this invocation's runs by.
  const bridge::Host* host = nullptr;
  /// The objects that this invocation is to change, while it works on them.
  std::vector<ObjectKey> objects = {};
  /// It keeps others from its one object; what runs beneath it passes.
  bool holds = false;
  /// Something beneath the present attempt wrote one of them, so the attempt cannot win.
  bool overwritten_beneath = false;
  /// The endpoint of what did so, where it would do so in every run: it is not `once`.
  std::string overwritten_always_by = {};

  bool works_on(const ObjectKey& key) const {
    return std::ranges::find(objects, key) != objects.end();
  }

  bool is_beneath_holder_of(const ObjectKey& key) const {
    for (auto* link = above; link != nullptr; link = link->above) {
      if (link->holds && link->works_on(key)) return true;
    }
    return false;
  }

  bool is_beneath(const CallKey& other) const {
    for (auto* link = above; link != nullptr; link = link->above) {
      if (link->call == other) return true;
    }
    return false;
  }

  /// `again`: the call would write once more where it is made again.
  enum class Again { no, yes };
  void tell_above_of_write(const ObjectKey& key, Again again) const {
    for (auto* link = above; link != nullptr; link = link->above) {
      if (!link->works_on(key)) continue;
      link->overwritten_beneath = true;
      if (again == Again::yes) link->overwritten_always_by = call.endpoint;
    }
  }
};

}  // namespace toa::operation

template <>
struct std::hash<toa::operation::ObjectKey> {
  std::size_t operator()(const toa::operation::ObjectKey& key) const noexcept {
    return std::hash<std::string>{}(key.component.value) * 31 +
           std::hash<std::string>{}(key.id.value);
  }
};

template <>
struct std::hash<toa::operation::CallKey> {
  std::size_t operator()(const toa::operation::CallKey& key) const noexcept {
    return std::hash<toa::Identity>{}(key.identity) * 31 + std::hash<std::string>{}(key.endpoint);
  }
};
