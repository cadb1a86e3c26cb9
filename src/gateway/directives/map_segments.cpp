#include "gateway/directives/map_segments.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "gateway/directives/fill.hpp"
#include "gateway/directives/names.hpp"
#include "gateway/tree/resource.hpp"

namespace toa::gateway {
namespace {

struct Mapped {
  std::string property;
  std::string variable;
  bool takes = false;
};

class Segments final : public Directive {
 public:
  explicit Segments(std::vector<Mapped> mapped) : mapped_(std::move(mapped)) {}

  Verdict prepare(Exchange& exchange) override {
    for (const auto& [property, variable, takes] : mapped_) {
      const auto found = std::ranges::find(exchange.variables, variable, &Variable::name);
      if (found == exchange.variables.end()) continue;
      if (auto refused = fill_input(exchange, property, Json(found->value))) return refused;
      found->taken = found->taken || takes;
    }
    return {};
  }

  void describe(JsonObject& entry) const override {
    for (const auto& one : mapped_) hide_input(entry, one.property);
  }

 private:
  std::vector<Mapped> mapped_;
};

}  // namespace

std::unique_ptr<Directive> make_segments(const std::vector<Stated>& stated, MethodSite site) {
  const auto* own = nearest(stated, "segments");
  const auto pairs = own == nullptr ? std::nullopt : read_name_pairs(own->value);
  if (!pairs) return nullptr;
  std::vector<Mapped> mapped;
  for (const auto& [property, written] : *pairs) {
    const bool takes = written.starts_with('~');
    auto variable = takes ? written.substr(1) : written;
    const auto& known = site.resource.variables;
    if (std::ranges::find(known, variable) == known.end())
      own->value.report(fmt::format("the route has no variable '{}'", variable));
    // The tail of a wildcard is no property of anything.
    mapped.push_back({property, variable, takes || variable == "**"});
  }
  return std::make_unique<Segments>(std::move(mapped));
}

}  // namespace toa::gateway
