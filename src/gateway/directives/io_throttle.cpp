#include "gateway/directives/io_throttle.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/limits.hpp"
#include "gateway/directives/buckets.hpp"
#include "gateway/directives/names.hpp"
#include "gateway/exchange.hpp"
#include "gateway/tree/resource.hpp"

namespace toa::gateway {
namespace {

using manifest::Section;

/// What a bucket is told apart by (G137).
struct Part {
  enum class Kind { ip, path, route, identity, segment } kind;
  std::string segment = {};
};

class Throttle final : public Directive {
 public:
  Throttle(std::vector<Part> parts, Buckets buckets, std::vector<int> statuses, const Clock& clock)
      : parts_(std::move(parts)),
        buckets_(std::move(buckets)),
        statuses_(std::move(statuses)),
        clock_(clock) {}

  Verdict admit(Exchange& exchange) override {
    const auto key = key_of(exchange);
    if (!key) return {};
    const auto now = clock_.steady();
    if (const auto wait = buckets_.wait(*key, now)) return Refused{429, {}, *wait};
    if (statuses_.empty()) buckets_.charge(*key, now);
    return {};
  }

  void settle(Exchange& exchange) override {
    if (std::ranges::find(statuses_, exchange.response.status) == statuses_.end()) return;
    if (const auto key = key_of(exchange)) buckets_.charge(*key, clock_.steady());
  }

 private:
  /// Nothing where the address is a part of it and not known.
  std::optional<std::string> key_of(const Exchange& exchange) const {
    std::string key;
    for (const auto& part : parts_) {
      std::string_view value;
      switch (part.kind) {
        case Part::Kind::ip:
          if (!exchange.address) return std::nullopt;
          value = *exchange.address;
          break;
        case Part::Kind::path:
          value = exchange.path;
          break;
        case Part::Kind::route:
          value = exchange.resource->path;
          break;
        case Part::Kind::identity:
          if (exchange.caller) value = exchange.caller->id;
          break;
        case Part::Kind::segment:
          if (const auto* variable = exchange.variable(part.segment)) value = variable->value;
          break;
      }
      key += fmt::format("{}:{}", value.size(), value);
    }
    return key;
  }

  std::vector<Part> parts_;
  Buckets buckets_;
  std::vector<int> statuses_;
  const Clock& clock_;
};

std::optional<Part> read_part(const Section& at, const Resource& resource) {
  using enum Part::Kind;
  static const std::map<std::string_view, Part::Kind> words{
      {"ip", ip}, {"path", path}, {"route", route}, {"identity", identity}};
  if (const auto* word = at.value().if_string()) {
    const auto found = words.find(std::string_view(*word));
    if (found != words.end()) return Part{found->second};
  }
  const auto* name = json::find(at.value(), "segment");
  if (name != nullptr && name->is_string()) {
    const std::string variable(name->get_string());
    if (std::ranges::find(resource.variables, variable) != resource.variables.end())
      return Part{segment, variable};
    at.report(fmt::format("the route has no variable '{}'", variable));
    return std::nullopt;
  }
  at.report("must be ip, path, route, identity, or { segment: <variable> }");
  return std::nullopt;
}

std::vector<Part> read_parts(const Section& throttle, const Resource& resource) {
  std::vector<Part> parts;
  const auto key = throttle.find("key");
  if (!key) {
    throttle.report("must have required property 'key'");
    return parts;
  }
  for (const auto& at : key->value().is_array() ? key->parts() : std::vector{*key}) {
    if (auto part = read_part(at, resource)) parts.push_back(std::move(*part));
  }
  return parts;
}

std::vector<int> read_statuses(const Section& throttle) {
  std::vector<int> statuses;
  const auto condition = throttle.find("condition");
  if (!condition || !condition->must_be_object()) return statuses;
  condition->refuse_unknown({"status"});
  const auto status = condition->find("status");
  if (!status) {
    condition->report("must have required property 'status'");
    return statuses;
  }
  for (const auto& at : status->value().is_array() ? status->parts() : std::vector{*status}) {
    const auto* number = at.value().if_int64();
    if (number == nullptr || *number < 100 || *number > 599) {
      at.report("must be a status");
    } else {
      statuses.push_back(static_cast<int>(*number));
    }
  }
  return statuses;
}

}  // namespace

std::unique_ptr<Directive> make_throttle(const std::vector<Stated>& stated, MethodSite site,
                                         const Clock& clock) {
  const auto* own = nearest(stated, "throttle");
  if (own == nullptr || !own->value.must_be_object()) return nullptr;
  own->value.refuse_unknown({"key", "requests", "interval", "condition"});
  auto parts = read_parts(own->value, site.resource);
  const auto requests = read_count(own->value, "requests");
  const auto interval = read_count(own->value, "interval");
  auto statuses = read_statuses(own->value);
  if (!requests || !interval) return nullptr;
  return std::make_unique<Throttle>(
      std::move(parts),
      Buckets(*requests, std::chrono::seconds(*interval), limits::throttle_buckets_max),
      std::move(statuses), clock);
}

}  // namespace toa::gateway
