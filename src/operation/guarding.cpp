#include "operation/guarding.hpp"

#include "operation/steps/state.hpp"

namespace toa::operation {
namespace {

/// Guards only judge: they make no calls, and are in no turn.
class GuardHost final : public bridge::Host {
 public:
  void restarted() override {}
  void leave() override {}
  Task<Outcome> call(bridge::Where, std::string endpoint, Document) override {
    co_return Exception{
        .code = Code::misuse,
        .message = "'" + endpoint + "' was called from a guard, and guards make no calls"};
  }
};

Exception broken(const manifest::Component& component, const std::string& why) {
  return {.message = component.id.value + ": its guards " + why};
}

std::optional<Exception> refused(const manifest::Component& component, const Json& verdict,
                                 const std::vector<Change>& changes) {
  if (verdict.is_null()) return std::nullopt;
  const auto* name = json::find(verdict, "guard");
  const auto* place = json::find(verdict, "change");
  const bool known = name != nullptr && name->is_string() && place != nullptr &&
                     place->is_int64() && place->get_int64() >= 0 &&
                     static_cast<std::size_t>(place->get_int64()) < changes.size();
  if (!known) return broken(component, "gave no verdict");
  const auto& change = changes[static_cast<std::size_t>(place->get_int64())];
  return Exception{.code = Code::entity_guard,
                   .message = std::string(name->get_string()),
                   .cause = state_of(change.after).value()};
}

}  // namespace

Task<std::optional<Exception>> guard(bridge::Bridge& bridge, const manifest::Component& component,
                                     const std::vector<Change>& changes,
                                     const bridge::Host* caller) {
  if (component.guards.empty() || changes.empty()) co_return std::nullopt;
  GuardHost host;
  bridge::Run run{.operation = bridge::OperationNumber(component.guards_number),
                  .input = Document::of_text(text_of_guarded(changes)),
                  .state = {},
                  .readonly = Readonly::yes,
                  .caller = caller};
  auto ran = co_await bridge.run(std::move(run), host);
  if (auto* thrown = std::get_if<Exception>(&ran)) co_return std::move(*thrown);
  if (std::holds_alternative<Refusal>(ran)) co_return broken(component, "answered an error");
  const auto& reply = std::get<bridge::Returned>(ran).reply;
  co_return refused(component, reply ? reply->value() : Json(), changes);
}

}  // namespace toa::operation
