#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "kill/call.hpp"

namespace toa::kill {

/// What clients know: every call that was made and the first reply to it. Judges each answer as it
/// comes, and the whole when nothing is unanswered. Thread-safe.
///
/// (1) A call that was acknowledged is answered by the same bytes ever after, and marked as a
/// repeat. (2) Of all answers to one call at most one is not a repeat. (3) The replies of a
/// counter, in the order of their versions, are an unbroken chain from 1, each total the one before
/// plus what
///     was added; its end is what is stored. So each call counted exactly once, and no reply told
///     of a state that was lost.
class Ledger {
 public:
  /// A request on its way. Whether its call was acknowledged before it went out decides what the
  /// answer must be.
  struct Sent {
    std::size_t call = 0;
    bool acknowledged = false;
  };

  Sent make(Random& random);
  Sent make(Call call);
  /// One of the calls made last, whoever made it and whether or not it was answered; nothing where
  /// none was made.
  std::optional<Sent> repeat(Random& random) const;
  std::string line(std::uint64_t n, const Sent& sent) const;
  void answered(const Sent& sent, const Answer& answer);

  std::vector<Sent> unanswered() const;
  /// Those acknowledged for the first time since the last `turn_page`.
  std::vector<Sent> acknowledged_on_page() const;
  std::vector<Sent> acknowledged() const;
  void turn_page();

  /// Holds all replies against each other and against what is stored. Only where nothing is
  /// unanswered.
  void check(const std::map<std::string, Count>& stored);

  /// What the end of a chain counted of a counter's changes, once nothing is under way any more.
  void followed(const std::string& follower, const std::string& counter, std::int64_t changes,
                std::int64_t counted);

  static std::vector<std::string> counters();
  std::size_t calls() const;
  std::vector<std::string> violations() const;

 private:
  struct Entry {
    Call call;
    std::optional<std::string> reply = {};
    std::size_t fresh_answers = 0;
    std::size_t page = 0;
  };
  struct Step {
    Count after;
    std::int64_t by = 0;
    std::string id;
  };

  void violated(std::string what);
  std::vector<Step> steps_of(const std::string& counter);
  void check_chain(const std::string& counter, const std::vector<Step>& steps, Count stored);
  template <class Matches>
  std::vector<Sent> select(Matches matches) const;

  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
  std::size_t page_ = 0;
  std::vector<std::string> violations_;
};

}  // namespace toa::kill
