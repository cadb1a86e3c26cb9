#pragma once

#include <string>

#include "bridge/test/test_bridge.hpp"
#include "manifest/application.hpp"
#include "simulation/chaos.hpp"

namespace toa::simulation {

/// The application that is simulated. Everything stored bears the tag of the call that caused it,
/// so that what is missing or doubled has a name.
///
///   wallets    credit, raise: `once`, without and with retries; their changes go to mirrors.
///              look: changes nothing and tells what is there
///   payments   make, close: announce `made`, `closed`
///     made →   books.enter, which relies on its commit alone → `entered` → totals.count
///              rewards.grant, points.grant: effects that credit the same wallet; points makes a
///              task
///              audits.check: an effect that credits, then throws for some payments until mended
///              parcels.plan
///     closed → parcels.ship: only what is planned, so it waits for `made` (guarded by status)
///   mirrors    reflect: keeps the newest version of a wallet, whatever comes last (guarded by
///              version)
///   notes      write: only over the version that its caller knows
///   tallies    tally: `once`, reached as a task
///   crossings  east, west: `once`, each calls the other under the identity by which the other was
///              called, so that they may wait for one another
manifest::Application make_shop();

/// What its files would hold.
void add_code(bridge::TestBridge& bridge, Loop& loop, Chaos& chaos);

namespace tags {
/// Suffixes by which effects of one payment are told apart.
inline constexpr const char* reward = ":reward";
inline constexpr const char* points = ":points";
inline constexpr const char* audit = ":audit";
inline constexpr const char* tally = ":tally";
inline constexpr const char* plan = ":plan";
inline constexpr const char* ship = ":ship";
}  // namespace tags

}  // namespace toa::simulation
