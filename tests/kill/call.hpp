#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toa::kill {

/// A call that a client makes, again and again if need be, always under the same identity.
struct Call {
  std::string id;
  /// One is added to directly (`kill.counters.add`), two through an effect (`kill.transfers.make`).
  std::vector<std::string> counters;
  int by = 1;

  bool direct() const { return counters.size() == 1; }
};

/// The lines of the control protocol that make a call, and that read a counter.
std::string call_line(std::uint64_t n, const Call& call);
std::string observe_line(std::uint64_t n, const std::string& counter);

/// A line that came back: the number of its request, and the reply byte for byte, without the mark
/// of a repeat.
struct Answer {
  std::uint64_t n = 0;
  std::string reply;
  bool replayed = false;
};
std::optional<Answer> read_answer(std::string_view line);

/// A counter as a reply tells it.
struct Count {
  std::int64_t version = 0;
  std::int64_t total = 0;

  friend bool operator==(const Count&, const Count&) = default;
};

/// The counts that a reply tells, one for each counter of the call; none where it is not the output
/// of such a call.
std::vector<Count> counts_of(std::string_view reply);

}  // namespace toa::kill
