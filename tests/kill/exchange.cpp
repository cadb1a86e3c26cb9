#include "kill/exchange.hpp"

#include "base/assert.hpp"

namespace toa::kill {

bool exchange(LineClient& client, Ledger& ledger, const std::vector<Ledger::Sent>& requests) {
  std::string lines;
  for (std::size_t n = 0; n < requests.size(); ++n) lines += ledger.line(n, requests[n]) + "\n";
  if (!client.send(lines)) return false;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto line = client.receive();
    if (!line) return false;
    const auto answer = read_answer(*line);
    require(answer && answer->n < requests.size(),
            "the control socket answers what was asked, not: " + line->substr(0, 500));
    ledger.answered(requests[answer->n], *answer);
  }
  return true;
}

}  // namespace toa::kill
