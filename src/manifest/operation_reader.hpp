#pragma once

#include <cstdint>
#include <optional>

#include "manifest/read.hpp"
#include "manifest/section.hpp"

namespace toa::manifest {

/// Reads the operations of a component into it and into the draft: those of its files, those that
/// its manifest declares, and those that it inherits. Types and scopes stay open until the code is
/// known.
class OperationReader {
 public:
  struct Subject {
    Component& component;
    /// The whole manifest.
    const Section& manifest;
  };

  /// `next_number` is that of the next file of the application.
  OperationReader(Draft& draft, Subject subject, std::uint32_t& next_number);

  void read();

 private:
  void read_one(const std::string& name, const std::optional<Section>& declared);
  std::optional<Implementation> implementation(const std::string& name,
                                               const std::optional<Section>& declared);
  std::optional<Implementation> forwarded(const Section& forward, std::vector<std::string> passed);
  std::optional<Implementation> inherited(const std::string& name) const;
  bool file_wins(const Implementation& file, const Section& forward) const;
  void read_declared(Operation& operation, Declaration& declaration, const Section& declared);
  bool is_forward(const Operation& operation) const;
  void read_contracts(Operation& operation, const Section& declared);
  void read_query(Operation& operation, const Section& declared);
  std::optional<std::int64_t> read_once(const Section& declared);

  Draft& draft_;
  Subject subject_;
  std::uint32_t& next_number_;
  std::optional<Section> operations_;
  std::map<std::string, Implementation> files_;
};

}  // namespace toa::manifest
