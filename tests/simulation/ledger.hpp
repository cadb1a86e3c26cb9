#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "model/reply.hpp"
#include "model/request.hpp"
#include "simulation/plan.hpp"

namespace toa::simulation {

/// The tags that every object has to have in the end, by component and id, with the sum of what
/// they added.
struct Books {
  struct Page {
    std::vector<std::string> tags;
    std::int64_t balance = 0;
    enum class Order { any, as_listed } order = Order::any;
  };
  std::map<std::string, std::map<std::string, Page>> pages;

  void enter(const std::string& component, const std::string& id, const std::string& tag,
             std::int64_t amount);
};

/// What the clients know: every call that they make, and the first reply to it. It outlives the
/// process that it calls.
///
/// (1) A call that was acknowledged is answered by the same bytes ever after. (2) Of all answers to
/// one call at most one is not a repeat. (3) A reply told of the object as it was, and it still
/// begins like that in the end.
class Ledger {
 public:
  Ledger(Random& random, const SimTime& time, const Plan& plan);

  struct Errand {
    std::string endpoint, object, tag;
    /// As a client writes it, with its id.
    std::string request;
    /// What has to be acknowledged first; its own place where nothing has.
    std::size_t behind = 0;
    /// What it calls in its turn, under that one's own id; its own place where nothing.
    std::size_t calls = 0;
    bool is_task = false;
    std::optional<nanoseconds> first_sent = {};
    std::optional<std::string> reply = {};
    int in_flight = 0;
    int fresh_answers = 0;
  };

  const Errand& at(std::size_t errand) const { return errands_[errand]; }
  std::size_t size() const { return errands_.size(); }

  /// A call to make now: a new one, one not answered, or, by chance, one made before.
  std::optional<std::size_t> choose(Permille again);
  /// All of those that may be made again and are acknowledged.
  std::vector<std::size_t> repeatable() const;
  void sent(std::size_t errand);
  /// A sentence about what is wrong with the answer, if anything is. `heard` is false where the
  /// client never got it.
  std::optional<std::string> answered(std::size_t errand, const Reply& reply, bool heard);
  /// A wallet was shown to somebody: what it was told must last as well.
  void looked(const std::string& wallet, const Reply& reply);
  struct Look {
    std::string wallet, told;
  };
  const std::vector<Look>& looks() const { return looks_; }
  /// A wallet that somebody may want to look at.
  std::string any_wallet();
  /// The process that was called is gone.
  void hung_up();

  bool all_answered() const;
  /// Nobody waits for an answer that may or may not have been earned already.
  bool none_in_doubt() const;
  const Books& expected() const { return books_; }

 private:
  void add(const std::string& endpoint, const std::string& object, const std::string& tag,
           JsonObject input);
  void add_payment(int n, const std::string& wallet);
  void add_note(int n);
  void add_crossing(int n);
  std::int64_t amount();
  bool may_go(std::size_t errand) const;
  bool may_be_repeated(const Errand& errand) const;

  Random& random_;
  const SimTime& time_;
  const Plan& plan_;
  std::vector<Errand> errands_;
  std::vector<Look> looks_;
  Books books_;
};

}  // namespace toa::simulation
