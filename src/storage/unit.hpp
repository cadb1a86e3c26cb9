#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.hpp"
#include "model/identity.hpp"
#include "model/message.hpp"
#include "model/names.hpp"
#include "model/object.hpp"
#include "storage/acceptance.hpp"

namespace toa::storage {

using toa::Object;

/// Stores `next` if and only if the object is at version `base`; a base of 0 means that it must not
/// exist. `next.version` is `base + 1`.
struct Write {
  ComponentId component;
  Version base;
  Object next;
  /// The unit that made the base, where it was not durable when it was read (`Storage::head`): the
  /// write stands and falls with that unit, whatever is at the same version.
  Accepted on = {};
};

/// That a call was made, with its first reply: JSON text, or nothing where the operation returned
/// nothing. It answers for `window` from the moment at which the storage takes it, by the storage's
/// clock: a moment taken by the caller could be before a jump of the wall clock, and long past.
struct Remembered {
  std::string endpoint;
  Identity identity;
  std::chrono::milliseconds window{};
  std::optional<std::string> reply = {};
};

using toa::Acknowledge;
using toa::Discard;
using toa::Fate;
using toa::KeepChain;
using toa::Park;
using toa::Retry;
using toa::Return;

/// Everything that one operation promises, stored whole or not at all (D3).
struct Unit {
  std::vector<Write> writes = {};
  std::optional<Remembered> remembered = {};
  /// Changes to make events of.
  std::vector<Record> records = {};
  /// Messages to put into the queue.
  std::vector<Message> messages = {};
  /// Records whose messages are made: they leave the outbox, or stay as history where retention is
  /// stated. Where one is not in the outbox any more, its messages were made before, and the unit
  /// is lost.
  std::vector<Identity> published = {};
  std::vector<Fate> fates = {};
  /// Called where the storage took the unit and lets others build on its one write before it is
  /// durable; before `commit` returns, at most once.
  std::function<void()> on_accepted = {};
};

/// The first reply to a call that was made before.
struct FirstReply {
  std::optional<std::string> reply = {};
};

/// The unit is durable.
struct Stored {};
/// An object was at another version (or existed), or a record was published before; nothing of the
/// unit was stored. `write` is the object's place in the unit.
struct Lost {
  std::size_t write = 0;
  /// No race was lost: what the unit was based on was rejected. It counts as no attempt (D5).
  bool taken_back = false;
};

/// Another object holds values that a unique index keeps apart (R188); nothing of the unit was
/// stored. `write` is its place in the unit, `index` the name that a migration gave.
struct Clash {
  std::size_t write = 0;
  std::string index;
};

/// What became of a unit. A known identity comes before a lost race: a repeat is answered, never
/// run again.
using Commit = std::variant<Stored, Lost, FirstReply, Clash>;

}  // namespace toa::storage
