#pragma once

#include <cstdint>
#include <string>

#include "storage/sqlite/connection.hpp"

namespace toa::bench {

/// The file of an application's state and messages, looked at from outside: what is seen there is
/// durable. Used beside the application to count, and while it is stopped to lay a backlog.
class Backlog {
 public:
  explicit Backlog(const std::string& data);

  /// Messages of `bench.sinks`, each to be applied to one of 1,000 objects.
  void add_messages(std::uint64_t count);
  /// Changes of `bench.sources` whose events are not made.
  void add_records(std::uint64_t count);

  /// How many deliveries `bench.sinks` has applied: each is one version of one object.
  std::uint64_t applied();
  /// Messages and changes that wait.
  std::uint64_t waiting();

 private:
  std::uint64_t ask(const std::string& sql);
  void run(const std::string& sql);

  storage::sqlite::Connection connection_;
};

}  // namespace toa::bench
