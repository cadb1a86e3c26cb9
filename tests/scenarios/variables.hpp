#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace toa::scenarios {

/// What `${…}` stands for in a scenario.
class Variables {
 public:
  void set(std::string name, Json value) { values_[std::move(name)] = std::move(value); }

  /// The same value with every `${…}` in its texts filled in. Throws Failed for an unknown one.
  Json fill(const Json& value) const;
  std::string fill_text(std::string_view text) const;

 private:
  Json fill_string(std::string_view text) const;
  Json meaning(std::string_view expression) const;

  std::map<std::string, Json, std::less<>> values_;
};

}  // namespace toa::scenarios
