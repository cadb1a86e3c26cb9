#include "model/exception.hpp"

#include <array>
#include <utility>

namespace toa {
namespace {

constexpr std::array<std::pair<Code, std::string_view>, 25> names{{
    {Code::system, "SystemException"},
    {Code::contract, "ContractException"},
    {Code::request_syntax, "RequestSyntaxException"},
    {Code::request_contract, "RequestContractException"},
    {Code::request_conflict, "RequestConflictException"},
    {Code::response_contract, "ResponseContractException"},
    {Code::entity_contract, "EntityContractException"},
    {Code::entity_guard, "EntityGuardException"},
    {Code::query_syntax, "QuerySyntaxException"},
    {Code::state, "StateException"},
    {Code::state_not_found, "StateNotFoundException"},
    {Code::state_precondition, "StatePreconditionException"},
    {Code::state_concurrency, "StateConcurrencyException"},
    {Code::state_initialization, "StateInitializationException"},
    {Code::duplicate, "DuplicateException"},
    {Code::communication, "CommunicationException"},
    {Code::transmission, "TransmissionException"},
    {Code::endpoint, "EndpointException"},
    {Code::addressee, "AddresseeException"},
    {Code::abandoned, "AbandonedException"},
    {Code::loop, "LoopException"},
    {Code::safety, "SafetyException"},
    {Code::unrecordable, "UnrecordableException"},
    {Code::unrepeatable, "UnrepeatableException"},
    {Code::misuse, "MisuseException"},
}};

}  // namespace

std::string_view exception_name(Code code) {
  for (const auto& [known, name] : names) {
    if (known == code) return name;
  }
  return "Exception";
}

std::optional<Code> code_of(int number) {
  for (const auto& [known, name] : names) {
    if (static_cast<int>(known) == number) return known;
  }
  return std::nullopt;
}

bool is_permanent(Code code) {
  switch (code) {
    case Code::system:
    case Code::state_not_found:
    case Code::state_concurrency:
    case Code::communication:
    case Code::transmission:
      return false;
    default:
      return true;
  }
}

bool is_permanent(const Exception& exception) {
  return exception.for_good || is_permanent(exception.code);
}

}  // namespace toa
