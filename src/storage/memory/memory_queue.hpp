#pragma once

#include <map>
#include <optional>

#include "async/loop.hpp"
#include "storage/queue.hpp"
#include "storage/unit.hpp"

namespace toa::storage {

/// The outbox and the queue in memory, for tests. It answers in a later turn of the loop, by what
/// is there when it answers.
class MemoryQueue final : public Queue {
 public:
  explicit MemoryQueue(Loop& loop) : loop_(loop) {}

  /// Whether the records are all in the outbox.
  bool holds(const std::vector<Identity>& records) const;
  /// What a unit that was stored asks for.
  void apply(const Unit& unit);

  Task<Result<std::vector<Record>>> records(std::optional<Identity> after,
                                            std::size_t limit) override;
  Task<Result<std::vector<Message>>> due(ComponentId component, Place after, EpochMs now,
                                         std::size_t limit) override;
  Task<Result<std::optional<EpochMs>>> next_due(ComponentId component, EpochMs now) override;
  Task<Result<MessageNumber>> last_number() override;
  Task<Result<std::size_t>> waiting() override;
  Task<Result<Backlog>> backlog() override;
  Task<Result<std::vector<ParkedMessage>>> parked(ParkedFilter filter, MessageNumber after,
                                                  std::size_t limit) override;

 private:
  using Number = MessageNumber;

  void wait(Message message);
  std::optional<Message> stop_waiting(Number number);
  void settle(const Acknowledge& fate);
  void settle(const Retry& fate);
  void settle(const Park& fate);
  void settle(const Return& fate);
  void settle(const Discard& fate);
  void settle(const KeepChain& fate);

  Loop& loop_;
  std::map<Identity, Record> records_;
  std::map<ComponentId, std::map<Place, Message>> lines_;
  std::map<Number, std::pair<ComponentId, Place>> places_;
  std::map<Number, ParkedMessage> parked_;
  Number last_;
};

}  // namespace toa::storage
