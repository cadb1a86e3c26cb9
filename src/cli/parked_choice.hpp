#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "base/result.hpp"

namespace toa::cli {

/// Which messages an operator means by the ids he wrote: whole ones or how they begin. An id with
/// an endpoint is one call, however often it waits; two components that receive one event have two
/// calls under one id.
class ParkedChoice {
 public:
  /// Refuses what is no beginning of an id. Dashes and capitals are as good.
  static Result<ParkedChoice> of(const std::vector<std::string>& written);

  /// What to ask for.
  std::vector<std::string> starts() const;
  /// Parked messages, page by page.
  void meet(const JsonArray& items);
  /// The whole ids; fails where one of those written means nothing, or several calls, naming them.
  Result<std::vector<std::string>> decide() const;

 private:
  using Call = std::pair<std::string, std::string>;  // id, endpoint

  std::map<std::string, std::set<Call>> found_;  // by what was written
};

}  // namespace toa::cli
