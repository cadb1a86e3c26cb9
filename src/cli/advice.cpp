#include "cli/advice.hpp"

namespace toa::cli {
namespace {

struct Advice {
  std::string_view page;
  std::string_view says;
};

/// Codes that nothing raises by itself are told to look at their page, like those of a newer
/// program.
Advice of(Code code) {
  switch (code) {
    case Code::request_syntax:
      return {"request_syntax", "make the request of what JSON can hold"};
    case Code::request_contract:
      return {"request_contract",
              "compare the request with the operation in `toa export manifest`"};
    case Code::response_contract:
      return {"response_contract", "make the operation and its `output` or `errors` agree"};
    case Code::entity_contract:
      return {"entity_contract", "make the operation leave what the entity declares"};
    case Code::entity_guard:
      return {"entity_guard", "look into the guard of this name; the cause is the refused object"};
    case Code::query_syntax:
      return {"query_syntax", "mend the criteria, `sort` or `projection` of the query"};
    case Code::state_not_found:
      return {"state_not_found", "create the object first, or look for it by what is stored"};
    case Code::state_precondition:
      return {"state_precondition", "read the object again, and decide again"};
    case Code::state_concurrency:
      return {"state_concurrency", "make the call again where another writer came first"};
    case Code::duplicate:
      return {"duplicate", "look for the object that has the value; it stays"};
    case Code::transmission:
      return {"transmission", "make the call again, under the same `id`"};
    case Code::endpoint:
      return {"endpoint", "mend the address; `toa export manifest` lists what there is"};
    case Code::loop:
      return {"loop", "find the hop of the trail that should not call back"};
    case Code::safety:
      return {"safety", "let an effect or a transition make this call"};
    case Code::unrepeatable:
      return {"unrepeatable", "make the call from an effect, or without `concurrency: retry`"};
    case Code::misuse:
      return {"misuse", "declare or leave out what the message names"};
    case Code::system:
      return {"system", "look at the stack in the log: `toa logs`"};
    default:
      return {"README", "see what the name means"};
  }
}

}  // namespace

std::string advice(Code code) {
  const auto [page, says] = of(code);
  return "What to do: " + std::string(says) + " (docs/errors/" + std::string(page) + ".md)";
}

}  // namespace toa::cli
