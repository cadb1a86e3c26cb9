#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "base/document.hpp"
#include "base/named.hpp"
#include "bridge/bridge.hpp"
#include "bridge/node/frame.hpp"

namespace toa::bridge::node {

/// The number of a run towards one worker; each attempt has its own.
using RunNumber = Named<struct RunNumberTag, std::uint64_t>;
/// The number of a call within one attempt of a run, from 0.
using CallNumber = Named<struct CallNumberTag, std::uint64_t>;

/// The number of a question of a worker's, unique over its life.
using AskNumber = Named<struct AskNumberTag, std::uint64_t>;

/// What the worker is told a call came to.
struct Answer {
  std::string_view kind;
  std::optional<Document> document;
};
Answer answer_of(const Outcome& outcome);

/// Messages for a worker, gathered into frames: everything added between two `take`s travels
/// together, split only where it would be over the limit of a frame.
class Outbox {
 public:
  void load(std::string_view application);
  void run(RunNumber number, const Run& run);
  void answer(RunNumber run, CallNumber call, const Answer& answer);
  void told(AskNumber ask, const Answer& answer);
  /// Of the streamed reply to a call.
  /// Answers `settle`; with what is thrown where the state was taken back.
  void settled(RunNumber run, const std::optional<Exception>& why_not);
  void begin(RunNumber run, CallNumber call);
  void part(RunNumber run, CallNumber call, const Document& part);
  /// Of the run's own streamed reply: a part was taken; no more are wanted.
  void more(RunNumber run);
  void cancel(RunNumber run);
  void ping(std::uint64_t number);
  void stop();

  bool empty() const { return frames_.empty(); }
  /// Of all frames that have not been taken.
  std::size_t bytes() const { return bytes_; }

  struct Frame {
    std::array<char, frame_prefix_bytes> prefix{};
    std::string head;
    std::string body;
  };
  /// The next frame, ready to be written. Not on an empty outbox.
  Frame take();

 private:
  Frame& frame_for(std::size_t document_bytes);
  void add(std::string head, std::initializer_list<const std::string*> documents);

  std::deque<Frame> frames_;
  std::size_t bytes_ = 0;
};

/// Whether what a run is given fits one frame.
bool fits_frame(const Run& run);

}  // namespace toa::bridge::node
