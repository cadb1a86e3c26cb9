#pragma once

#include <vector>

#include "kill/ledger.hpp"
#include "kill/line_client.hpp"

namespace toa::kill {

/// Sends all at once and hands every answer to the ledger. False where the connection broke before
/// the last of them.
bool exchange(LineClient& client, Ledger& ledger, const std::vector<Ledger::Sent>& requests);

}  // namespace toa::kill
