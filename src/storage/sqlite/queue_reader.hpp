#pragma once

#include <optional>
#include <vector>

#include "storage/queue.hpp"
#include "storage/sqlite/connection.hpp"
#include "storage/sqlite/statement.hpp"

namespace toa::storage::sqlite {

/// Reads the outbox and the queue on the reader's connection. Everything throws Failed.
class QueueReader {
 public:
  explicit QueueReader(Connection& connection);

  std::vector<Record> records(const std::optional<Identity>& after, std::size_t limit);
  std::vector<Message> due(const ComponentId& component, Place after, EpochMs now,
                           std::size_t limit);
  std::optional<EpochMs> next_due(const ComponentId& component, EpochMs now);
  MessageNumber last_number();
  std::size_t waiting();
  Backlog backlog();
  std::vector<ParkedMessage> parked(const ParkedFilter& filter, MessageNumber after,
                                    std::size_t limit);

 private:
  struct Page {
    std::vector<Message> messages;
    std::size_t limit = 0;
    std::size_t bytes = 0;

    bool full() const;
  };

  void read_on(Page& page, Run& run);

  Statement records_, due_together_, due_later_, next_due_, last_number_, waiting_, parked_;
  Statement waiting_of_each_, records_waiting_;
};

}  // namespace toa::storage::sqlite
