#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "async/completion.hpp"
#include "bridge/bridge.hpp"
#include "bridge/node/outbox.hpp"

namespace toa::bridge::node {

struct ActiveRun;

/// A run's reply that is a stream: parts that came from its worker and were not taken yet, at most
/// `limits::stream_parts_max`. Each is taken in its turn, and acknowledged to the worker, which
/// sends no more than that unacknowledged.
struct ReplyStream {
  bool begun = false;
  bool taking = false;
  /// Its consumer wants no more: what still comes is dropped.
  bool unwanted = false;
  std::vector<std::string> parts;
  /// A part was no document, so that the whole cannot be right.
  std::optional<Exception> spoiled;
};

/// Gives the parts that came to the run's host, one after another.
Task<void> take_parts(ActiveRun& run);

/// The streamed reply to a call of `run`, as its worker reads it: at most
/// `limits::stream_parts_max` parts are on their way there. It ends with its reader, with the run
/// and with the worker.
class Reading final : public Consumer {
 public:
  Reading(ActiveRun& run, CallNumber call);
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() override;

  void begin() override;
  Task<bool> take(Document part) override;

  /// The worker took a part; it wants no more.
  void more();
  void cancel();

 private:
  bool lasts() const;
  void wake();

  ActiveRun& run_;
  const CallNumber call_;
  const RunNumber number_;
  std::size_t under_way_ = 0;
  bool cancelled_ = false;
  Completion<bool>* waiting_ = nullptr;
};

}  // namespace toa::bridge::node
