#pragma once

#include <map>
#include <memory>

#include "async/completion.hpp"
#include "delivery/lane.hpp"
#include "delivery/outbox.hpp"
#include "delivery/surroundings.hpp"

namespace toa::delivery {

/// Everything that waits for nobody: changes on their way to receivers, tasks, retries. One line
/// for each component. `start`, then calls, then `close`, once each.
class Delivery {
 public:
  explicit Delivery(World world);

  /// Finds out where the queue stands; goes on with what an earlier process left.
  Task<Result<void>> start();
  /// A change is durable, and so is its record.
  void stored(Record record) { outbox_.stored(std::move(record)); }
  /// Puts a task into the queue of the component it calls. Durable when it returns.
  Task<Result<void>> hand_over(Call task);
  /// Parked messages of a component were put back.
  void returned(const ComponentId& component);
  /// Returns when nothing that this process caused is ready to run; what waits for a later attempt
  /// is left waiting.
  Task<void> settle();
  /// From here on nothing more is taken up: what is made stays in the queue.
  void stop_taking();
  /// Takes no more, and returns when what is in work is done with.
  Task<void> close();

 private:
  Task<void> warn_of_unknown_components();
  MessageNumber number(std::size_t count);
  void expected(const std::vector<Message>& messages);
  void queued(std::vector<Message> messages);
  void withdrawn(const std::vector<Message>& messages);
  Lane& lane(const ComponentId& component);
  bool idle() const;
  void check_idle();

  World world_;
  std::int64_t last_number_ = 0;
  std::map<ComponentId, std::unique_ptr<Lane>> lanes_;
  Outbox outbox_;
  bool stopping_ = false;
  Completion<bool>* idle_ = nullptr;
};

}  // namespace toa::delivery
