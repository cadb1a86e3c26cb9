#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gateway/directive.hpp"
#include "gateway/directives/auth_condition.hpp"

namespace toa::gateway {

/// Properties that only some may send (G205).
struct GuardedInput {
  std::vector<std::string> properties;
  Conditions conditions;
};

/// Everything that the family `auth` says of one method.
struct Admissions {
  /// One is enough (G196).
  Conditions alternatives = {};
  /// The scheme that the caller has to have shown himself by (G198).
  std::optional<std::string> scheme = {};
  std::vector<GuardedInput> guarded = {};
};

/// Admits requests, or refuses them: 401 where nobody is known, 403 where somebody is (G197).
class Admission final : public Directive {
 public:
  explicit Admission(Admissions admissions) : admissions_(std::move(admissions)) {}

  Verdict admit(Exchange& exchange) override;
  Verdict prepare(Exchange& exchange) override;
  Verdict conclude(Exchange& exchange) override;
  bool shows(const Exchange& exchange) const override;
  void describe(JsonObject& entry) const override;

 private:
  Verdict check_guarded(const Exchange& exchange) const;
  Verdict fill_delegated(Exchange& exchange) const;

  Admissions admissions_;
};

}  // namespace toa::gateway
