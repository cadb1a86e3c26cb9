#pragma once

#include "base/limits.hpp"
#include "storage/sqlite/connection.hpp"
#include "storage/sqlite/statement.hpp"
#include "storage/unit.hpp"

namespace toa::storage::sqlite {

/// How long things are kept that are done with, in milliseconds.
struct Keeping {
  /// Published records, as history; 0 for not at all.
  EpochMs history = 0;
  /// The longest window of a remembered call.
  EpochMs window = limits::inbox_window_default_s * 1'000;
};

/// The outbox, the queue and the pins, within the writer's transaction. Nothing here can reject a
/// unit: it is applied after what can. Everything throws Failed.
class QueueWriter {
 public:
  QueueWriter(Connection& connection, Keeping keeping);

  /// False where the record is not in the outbox any more.
  bool publish(const Identity& record, EpochMs now);
  /// All else that the unit asks for.
  void apply(const Unit& unit, EpochMs now);
  /// Drops history and pins whose time is over, a slice that keeps up with batches of `units`.
  void prune(EpochMs now, std::size_t units);
  /// The transaction was rolled back.
  void undone();

 private:
  void add(const Record& record);
  void add(const Message& message);
  void keep_number(MessageNumber number);
  void settle(const Acknowledge& fate, EpochMs now);
  void settle(const Retry& fate, EpochMs now);
  void settle(const Park& fate, EpochMs now);
  void settle(const Return& fate, EpochMs now);
  void settle(const Discard& fate, EpochMs now);
  void settle(const KeepChain& fate, EpochMs now);
  void leave(MessageNumber number, EpochMs now);

  Keeping keeping_;
  Statement add_record_, drop_record_, keep_record_;
  Statement add_message_, is_parked_, pin_, drop_message_, retry_, park_, return_, state_;
  Statement keep_number_, prune_history_, prune_pins_;
  /// No number above this was given.
  std::int64_t number_kept_ = 0;
};

}  // namespace toa::storage::sqlite
