#pragma once

#include <string>
#include <unordered_set>

#include "async/loop.hpp"
#include "storage/sqlite/object_cache.hpp"
#include "storage/storage.hpp"

namespace toa::storage::sqlite {

/// The states that were accepted and are not durable yet, the last of each object (D5). Loop thread
/// only; as many as units wait for their commit.
///
/// (1) A state is known by the unit that made it, never by its version. (2) What was accepted on a
/// head becomes the head. (3) A component whose objects a unique index keeps apart has no heads:
/// what may clash is no base.
class Heads {
 public:
  /// `durable` outlives it.
  Heads(Loop& loop, ObjectCache& durable) : loop_(loop), durable_(durable) {}

  /// Of these components nothing is accepted early.
  void leave_out(std::unordered_set<std::string> components) { left_out_ = std::move(components); }

  /// Nothing where the last state of the object is durable.
  const Head* find(const ObjectKeyView& key) const;

  /// Why the unit cannot be accepted, whatever is durable by then: its base is not the head, was
  /// rejected, or is older than what is known to be durable. As a head it would take with it
  /// everybody who builds on it.
  std::optional<Lost> refused(const Unit& unit);

  /// Makes what the unit writes the head. Nothing for a unit on which others must not build.
  Accepted accept(const Unit& unit);

  /// It is durable or rejected: no head any more.
  void settled(const Write& write, const Accepted& acceptance);

 private:
  Loop& loop_;
  ObjectCache& durable_;
  std::unordered_set<std::string> left_out_;
  ByObject<Head> heads_;
};

}  // namespace toa::storage::sqlite
