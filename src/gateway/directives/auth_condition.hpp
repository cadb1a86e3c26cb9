#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/directive.hpp"
#include "gateway/exchange.hpp"

namespace toa::gateway {

/// What one directive of the family `auth` says of a request.
enum class Says {
  no,
  yes,
  broken,  // the route lacks what it asks for (G201)
};

/// Something that may admit a request. Immutable.
class Condition {
 public:
  virtual ~Condition() = default;
  virtual Says admits(const Exchange& exchange) const = 0;
  /// Whether discovery shows the method to this caller, whose request may lack variables (G165).
  virtual bool shows(const Exchange& exchange) const { return admits(exchange) == Says::yes; }
  /// What discovery calls such methods (G164); empty for nothing.
  virtual std::string_view mark() const = 0;
  /// The input property that it fills with the caller; null for none.
  virtual const std::string* delegates() const { return nullptr; }
  /// The output property that is the id of a new identity; null where it makes none.
  virtual const std::string* incepts() const { return nullptr; }
};

using Conditions = std::vector<std::unique_ptr<const Condition>>;

/// Whose roles a route may ask for: those within `system` open nothing of an application (G210).
enum class Routes { application, own };

std::unique_ptr<const Condition> anonymous_condition();
std::unique_ptr<const Condition> anyone_condition();
/// By the name of a route's variable.
std::unique_ptr<const Condition> id_condition(std::string variable);
/// Any of these; parts in braces are variables.
std::unique_ptr<const Condition> role_condition(std::vector<std::string> roles, Routes routes);
/// All of these.
std::unique_ptr<const Condition> rule_condition(Conditions conditions);
std::unique_ptr<const Condition> incept_condition(std::string property);
std::unique_ptr<const Condition> delegate_condition(std::string property);
/// Admits everybody; for the gateway's own resources.
std::unique_ptr<const Condition> everybody_condition();
/// Admits nobody.
std::unique_ptr<const Condition> nobody_condition();

}  // namespace toa::gateway
