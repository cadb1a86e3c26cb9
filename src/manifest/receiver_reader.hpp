#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "manifest/read.hpp"
#include "manifest/section.hpp"

namespace toa::manifest {

/// Reads what a component receives into it and into the draft. Its operations are known by then;
/// whether the events exist is judged once all components are.
class ReceiverReader {
 public:
  /// `next_number` is that of the next file of the application.
  ReceiverReader(Draft& draft, Component& component, std::uint32_t& next_number)
      : draft_(draft), component_(component), next_number_(next_number) {}

  void read(const Section& manifest);

 private:
  void read_one(const Section& manifest, const Section& declared);
  std::optional<Receiver> read_declared(const Section& manifest, const Section& declared);
  void check_operation(const Section& manifest, const Section& at, const std::string& operation);
  void attach_file(const std::string& written, Receiver& receiver);

  Draft& draft_;
  Component& component_;
  std::uint32_t& next_number_;
  std::map<std::string, std::string> files_;  // by the event as written; those not declared so far
};

}  // namespace toa::manifest
