#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gateway/access/service/identity_access.hpp"
#include "gateway/directives/auth_admission.hpp"
#include "gateway/tree/resource.hpp"
#include "gateway/tree/tree.hpp"
#include "manifest/contract.hpp"

namespace toa::gateway {

/// A method of one of our own resources: a function of the requests that are admitted to it.
template <class Serve>
class OwnMethod final : public Native {
 public:
  OwnMethod(Serve serve, std::optional<manifest::Contract> input)
      : serve_(std::move(serve)), input_(std::move(input)) {}

  Task<Verdict> serve(Exchange& exchange) override {
    if (input_) {
      const Json nothing;
      const auto& value = exchange.input.has_value() ? exchange.input.value() : nothing;
      if (auto misfit = input_->misfit(value)) co_return Refused{400, std::move(*misfit)};
    }
    co_return co_await serve_(exchange);
  }

 private:
  Serve serve_;
  std::optional<manifest::Contract> input_;
};

/// Gathers the methods of one path.
class OwnResource {
 public:
  explicit OwnResource(std::string path);

  /// Who may, what the body has to be (nothing: it is not looked at), and what is done.
  template <class Serve>
  OwnResource& add(Verb verb, Admissions who, std::optional<Json> input, Serve serve) {
    Method method;
    method.verb = verb;
    method.directives.push_back(std::make_unique<Admission>(std::move(who)));
    method.native = std::make_unique<OwnMethod<Serve>>(std::move(serve), contract_of(input));
    return add(std::move(method));
  }

  void add_to(Tree& tree);

 private:
  static std::optional<manifest::Contract> contract_of(const std::optional<Json>& schema);
  OwnResource& add(Method method);

  std::unique_ptr<Resource> resource_;
};

/// The one whom the path speaks of, who holds one of these roles, or both.
Admissions self_or(std::vector<std::string> roles);
Admissions self();
Admissions holders(std::vector<std::string> roles);
Admissions nobody_known();

/// The schema of an object with these properties, and no others.
Json object_schema(JsonObject properties, std::vector<std::string> required);

/// The value of a variable of the route.
std::string variable_of(const Exchange& exchange, std::string_view name);
/// The identity that the route's path names, in its one form.
std::string identity_in(const Exchange& exchange);
/// A text of the body, which fits its schema.
std::optional<std::string> text_of(const Exchange& exchange, std::string_view name);

/// An answer with a body, and one without.
Verdict answer(Exchange& exchange, int status, Json value);
Verdict answer_nothing(Exchange& exchange);

}  // namespace toa::gateway
