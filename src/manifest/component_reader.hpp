#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "manifest/read.hpp"
#include "manifest/section.hpp"

namespace toa::manifest {

/// Reads the components of an application, one folder after the other, into the draft.
class ComponentReader {
 public:
  /// `stated` is the Context's `configuration`, if it has one.
  ComponentReader(Draft& draft, std::optional<Section> stated, const Variables& variables);

  /// Nothing but problems where the folder is no component.
  void read(const std::string& folder);

  /// Reports parts of the Context's `configuration` that none of the components read wants.
  void refuse_unwanted_configuration() const;

 private:
  void read_manifest(Component component, const Section& manifest);
  std::optional<Section> stated_for(const ComponentId& id) const;

  Draft& draft_;
  std::optional<Section> stated_;
  const Variables& variables_;
  std::uint32_t next_number_ = 0;
};

}  // namespace toa::manifest
