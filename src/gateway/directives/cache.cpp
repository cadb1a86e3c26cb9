#include "gateway/directives/cache.hpp"

#include "gateway/exchange.hpp"
#include "gateway/formats/media.hpp"
#include "gateway/tree/resource.hpp"

namespace toa::gateway {
namespace {

bool holds(std::string_view value, std::string_view word) {
  while (!value.empty()) {
    if (same_media(trimmed(take_part(value, ',')), word)) return true;
  }
  return false;
}

class Control final : public Directive {
 public:
  explicit Control(std::string value)
      : value_(std::move(value)),
        identified_(value_),
        is_public_(holds(value_, "public")),
        is_private_(holds(value_, "private")) {
    if (is_public_ && !holds(value_, "no-cache")) identified_ += ", no-cache";
    if (!is_public_ && !is_private_) identified_ = "private, " + value_;
  }

  Verdict conclude(Exchange& exchange) override {
    const auto verb = exchange.method->verb;
    if (verb != Verb::get && verb != Verb::head) return {};
    exchange.cache_control = exchange.caller ? identified_ : value_;
    // What is kept for one client must not be given to another, on the same client's machine
    // either.
    if (is_private_ || (exchange.caller && !is_public_))
      exchange.vary.emplace_back("authorization");
    return {};
  }

 private:
  std::string value_;
  /// For a request with an identity (G126).
  std::string identified_;
  bool is_public_;
  bool is_private_;
};

class Exact final : public Directive {
 public:
  explicit Exact(std::string value) : value_(std::move(value)) {}

  Verdict conclude(Exchange& exchange) override {
    exchange.cache_control = value_;
    return {};
  }

 private:
  std::string value_;
};

/// The nearest of either kind: one replaces the other (G124).
const Stated* nearest_of_both(const std::vector<Stated>& stated) {
  return stated.empty() ? nullptr : &stated.back();
}

}  // namespace

void CacheFamily::make(const std::vector<Stated>& stated, MethodSite site) const {
  refuse_unknown(stated, {"control", "exact"});
  const auto* own = nearest_of_both(stated);
  if (own == nullptr) return;
  const auto* value = own->value.value().if_string();
  if (value == nullptr || value->empty())
    return own->value.report("must be a value of cache-control");
  if (own->name == "exact") {
    site.method.directives.push_back(std::make_unique<Exact>(std::string(*value)));
  } else {
    site.method.directives.push_back(std::make_unique<Control>(std::string(*value)));
  }
}

}  // namespace toa::gateway
