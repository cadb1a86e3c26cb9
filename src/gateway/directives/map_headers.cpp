#include "gateway/directives/map_headers.hpp"

#include "gateway/directives/fill.hpp"
#include "gateway/directives/names.hpp"

namespace toa::gateway {
namespace {

class Headers final : public Directive {
 public:
  explicit Headers(Pairs pairs) : pairs_(std::move(pairs)) {}

  Verdict prepare(Exchange& exchange) override {
    for (const auto& [property, header] : pairs_) {
      auto value = exchange.request.joined(header);
      if (!value) {
        // The client's own property must not stand in for the header.
        if (exchange.input.has_value() && exchange.input.value().is_object())
          exchange.input.edit().get_object().erase(property);
        continue;
      }
      if (auto refused = fill_input(exchange, property, Json(*value))) return refused;
    }
    return {};
  }

  void describe(JsonObject& entry) const override {
    JsonObject headers;
    for (const auto& [property, header] : pairs_) {
      hide_input(entry, property);
      headers[property] = header;
    }
    entry["headers"] = std::move(headers);
  }

  std::vector<std::string> reads() const override {
    std::vector<std::string> headers;
    for (const auto& [property, header] : pairs_) headers.push_back(header);
    return lower_case(headers);
  }

 private:
  Pairs pairs_;
};

}  // namespace

std::unique_ptr<Directive> make_headers(const std::vector<Stated>& stated, MethodSite) {
  const auto* own = nearest(stated, "headers");
  if (own == nullptr) return nullptr;
  auto pairs = read_name_pairs(own->value);
  return pairs ? std::make_unique<Headers>(std::move(*pairs)) : nullptr;
}

}  // namespace toa::gateway
