#include "gateway/directives/io_input.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "gateway/directives/names.hpp"
#include "gateway/exchange.hpp"
#include "gateway/tree/resource.hpp"

namespace toa::gateway {
namespace {

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

class Input final : public Directive {
 public:
  explicit Input(std::vector<std::string> names) : names_(std::move(names)) {}

  Verdict prepare(Exchange& exchange) override {
    if (!exchange.input.has_value()) return {};
    const auto& input = exchange.input.value();
    if (const auto* items = input.if_array()) {
      for (const auto& item : *items) {
        if (auto refused = check(item, exchange)) return refused;
      }
      return {};
    }
    return check(input, exchange);
  }

  void describe(JsonObject& entry) const override {
    auto* input = entry.if_contains("input");
    auto* properties = input != nullptr && input->is_object()
                           ? input->get_object().if_contains("properties")
                           : nullptr;
    if (properties == nullptr || !properties->is_object()) return;
    keep_only(properties->get_object(), names_);
  }

 private:
  Verdict check(const Json& value, const Exchange& exchange) const {
    const auto* members = value.if_object();
    if (members == nullptr) return Refused{400, "must be object"};
    for (const auto& member : *members) {
      const auto name = std::string_view(member.key());
      if (!holds(names_, name) && !holds(exchange.filled, name))
        return Refused{400, fmt::format("Unexpected input: {}", name)};
    }
    return {};
  }

  std::vector<std::string> names_;
};

void check_names(const Stated& stated, const std::vector<std::string>& names,
                 const manifest::Operation& operation) {
  const auto* properties =
      operation.input ? json::find(operation.input->schema(), "properties") : nullptr;
  for (const auto& name : names) {
    if (properties != nullptr && json::find(*properties, name) != nullptr) continue;
    stated.value.report(
        fmt::format("'{}' has no input property '{}'", operation.endpoint.operation, name));
  }
}

}  // namespace

std::unique_ptr<Directive> make_input(const std::vector<Stated>& stated, MethodSite site) {
  const auto* own = nearest(stated, "input");
  if (own == nullptr) return nullptr;
  auto names = read_names(own->value);
  if (!names) return nullptr;
  check_names(*own, *names, *site.method.operation);
  return std::make_unique<Input>(std::move(*names));
}

}  // namespace toa::gateway
