#include "gateway/directives/auth_condition.hpp"

#include <algorithm>

#include "gateway/access/account.hpp"
#include "gateway/access/roles.hpp"

namespace toa::gateway {
namespace {

Says says(bool yes) {
  return yes ? Says::yes : Says::no;
}

class Anonymous final : public Condition {
 public:
  Says admits(const Exchange& exchange) const override { return says(!exchange.credentials); }
  // What everybody may see once he leaves his credentials out is no secret (G165).
  bool shows(const Exchange&) const override { return true; }
  std::string_view mark() const override { return "anonymous"; }
};

class Anyone final : public Condition {
 public:
  Says admits(const Exchange& exchange) const override { return says(exchange.caller.has_value()); }
  std::string_view mark() const override { return "authenticated"; }
};

class Everybody final : public Condition {
 public:
  Says admits(const Exchange&) const override { return Says::yes; }
  std::string_view mark() const override { return "anonymous"; }
};

class Nobody final : public Condition {
 public:
  Says admits(const Exchange&) const override { return Says::no; }
  std::string_view mark() const override { return "protected"; }
};

class Id final : public Condition {
 public:
  explicit Id(std::string variable) : variable_(std::move(variable)) {}
  Says admits(const Exchange& exchange) const override {
    const auto* variable = exchange.variable(variable_);
    return says(variable != nullptr && exchange.caller &&
                exchange.caller->id == canonical_id(variable->value));
  }
  bool shows(const Exchange& exchange) const override { return exchange.caller.has_value(); }
  std::string_view mark() const override { return "private"; }

 private:
  std::string variable_;
};

/// A role with the parts that come from the route.
class RoleTemplate {
 public:
  explicit RoleTemplate(std::string text)
      : text_(std::move(text)), open_(text_.find('{') != std::string::npos) {}

  const std::string& text() const { return text_; }
  bool is_open() const { return open_; }

  /// Nothing where the route lacks a variable.
  std::optional<std::string> filled(const Exchange& exchange) const {
    std::string role;
    std::string_view rest = text_;
    for (auto brace = rest.find('{'); brace != std::string_view::npos; brace = rest.find('{')) {
      const auto end = rest.find('}', brace);
      const auto* variable = exchange.variable(rest.substr(brace + 1, end - brace - 1));
      if (variable == nullptr) return std::nullopt;
      role += rest.substr(0, brace);
      // A segment, and never two of them: who may `a` of one must not get `a` of another.
      if (variable->value.find(':') != std::string::npos) return std::string();
      role += variable->value;
      rest.remove_prefix(end + 1);
    }
    role += rest;
    return is_role(role) ? role : std::string();
  }

 private:
  std::string text_;
  bool open_;
};

class Role final : public Condition {
 public:
  Role(const std::vector<std::string>& roles, Routes routes) : routes_(routes) {
    for (const auto& role : roles) roles_.emplace_back(role);
  }

  Says admits(const Exchange& exchange) const override {
    if (!exchange.caller) return Says::no;
    auto said = Says::no;
    for (const auto& role : roles_) {
      const auto one = admits(exchange, role);
      if (one == Says::yes) return one;
      if (one == Says::broken) said = one;
    }
    return said;
  }

  bool shows(const Exchange& exchange) const override {
    if (!exchange.caller) return false;
    return std::ranges::any_of(roles_, [&](const auto& role) {
      return role.is_open() || admits(exchange, role) == Says::yes;
    });
  }

  std::string_view mark() const override {
    return std::ranges::any_of(roles_, [](const auto& role) { return is_system(role.text()); })
               ? "system"
               : "protected";
  }

 private:
  Says admits(const Exchange& exchange, const RoleTemplate& role) const {
    if (!role.is_open()) return held(exchange, role.text());
    const auto filled = role.filled(exchange);
    if (!filled) return Says::broken;
    return filled->empty() ? Says::no : held(exchange, *filled);
  }

  Says held(const Exchange& exchange, std::string_view role) const {
    if (routes_ == Routes::application && is_system(role)) return Says::no;
    return says(covers(exchange.caller->roles, role));
  }

  std::vector<RoleTemplate> roles_;
  Routes routes_;
};

class Rule final : public Condition {
 public:
  explicit Rule(Conditions conditions) : conditions_(std::move(conditions)) {}

  Says admits(const Exchange& exchange) const override {
    for (const auto& condition : conditions_) {
      const auto said = condition->admits(exchange);
      if (said != Says::yes) return said;
    }
    return Says::yes;
  }
  bool shows(const Exchange& exchange) const override {
    return std::ranges::all_of(conditions_,
                               [&](const auto& condition) { return condition->shows(exchange); });
  }
  /// Of the one that says most.
  std::string_view mark() const override {
    for (const std::string_view known : {"system", "protected", "private", "authenticated"}) {
      for (const auto& condition : conditions_) {
        if (condition->mark() == known) return known;
      }
    }
    return "anonymous";
  }
  const std::string* delegates() const override {
    return first([](const Condition& condition) { return condition.delegates(); });
  }
  const std::string* incepts() const override {
    return first([](const Condition& condition) { return condition.incepts(); });
  }

 private:
  template <class Get>
  const std::string* first(Get get) const {
    for (const auto& condition : conditions_) {
      if (const auto* found = get(*condition)) return found;
    }
    return nullptr;
  }

  Conditions conditions_;
};

class Incept final : public Condition {
 public:
  explicit Incept(std::string property) : property_(std::move(property)) {}
  // Credentials that will not do are refused with a reason of their own.
  Says admits(const Exchange& exchange) const override {
    using enum Presented;
    const auto presented = exchange.presented;
    return says(!exchange.caller &&
                (presented == nothing || presented == unclaimed || presented == unreadable));
  }
  bool shows(const Exchange& exchange) const override { return !exchange.caller; }
  std::string_view mark() const override { return "anonymous"; }
  const std::string* incepts() const override { return &property_; }

 private:
  std::string property_;
};

class Delegate final : public Condition {
 public:
  explicit Delegate(std::string property) : property_(std::move(property)) {}
  Says admits(const Exchange& exchange) const override { return says(exchange.caller.has_value()); }
  std::string_view mark() const override { return "authenticated"; }
  const std::string* delegates() const override { return &property_; }

 private:
  std::string property_;
};

}  // namespace

std::unique_ptr<const Condition> anonymous_condition() {
  return std::make_unique<Anonymous>();
}
std::unique_ptr<const Condition> anyone_condition() {
  return std::make_unique<Anyone>();
}
std::unique_ptr<const Condition> everybody_condition() {
  return std::make_unique<Everybody>();
}
std::unique_ptr<const Condition> nobody_condition() {
  return std::make_unique<Nobody>();
}
std::unique_ptr<const Condition> id_condition(std::string variable) {
  return std::make_unique<Id>(std::move(variable));
}
std::unique_ptr<const Condition> role_condition(std::vector<std::string> roles, Routes routes) {
  return std::make_unique<Role>(roles, routes);
}
std::unique_ptr<const Condition> rule_condition(Conditions conditions) {
  return std::make_unique<Rule>(std::move(conditions));
}
std::unique_ptr<const Condition> incept_condition(std::string property) {
  return std::make_unique<Incept>(std::move(property));
}
std::unique_ptr<const Condition> delegate_condition(std::string property) {
  return std::make_unique<Delegate>(std::move(property));
}

}  // namespace toa::gateway
