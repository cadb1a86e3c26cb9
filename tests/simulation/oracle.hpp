#pragma once

#include <string>
#include <vector>

#include "simulation/ledger.hpp"
#include "storage/queue.hpp"
#include "storage/storage.hpp"

namespace toa::simulation {

/// Sentences about what is wrong; none where all is well.
using Violations = std::vector<std::string>;

/// Holds what is stored against what the clients know, once nothing is under way any more: every
/// effect is there once, none besides, the books add up, every reply told of a state that lasted,
/// and what is guarded by version or status ended where it had to.
Task<Violations> audit(storage::Storage& storage, const Ledger& ledger);

/// Each parked message has had its attempts, or bears a code that none could help; all that had to
/// be parked are.
Task<Violations> audit_parked(storage::Queue& queue, const Ledger& ledger, bool mended);

}  // namespace toa::simulation
