#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "kill/ledger.hpp"
#include "kill/line_client.hpp"
#include "kill/victim_process.hpp"
#include "storage/sqlite/temporary_folder.hpp"

namespace toa::kill {

/// One data folder through many lives of the program. Every life begins with a reckoning: what was
/// left unanswered is asked again, what was acknowledged in the life before is asked again, and the
/// ledger is held against what is stored.
class Drill {
 public:
  struct Kill {
    /// The process may take its own life before the harness does: the value of TOA_FAULT.
    std::string fault = {};
    /// Killed once so many answers came under load, and this much later.
    std::size_t answers = 0;
    std::chrono::microseconds then{};
  };
  struct Tally {
    std::size_t lives = 0;
    std::size_t killed_under_load = 0;
    std::size_t killed_while_starting = 0;
    std::size_t killed_by_fault = 0;
    std::size_t stopped = 0;
  };

  Drill(std::string storage, std::uint64_t seed);

  /// A life under load, up to its violent end. True where the fault ended it.
  bool live(const Kill& kill);
  /// A life with nothing but the reckoning, which a fault may cut short. True where it did.
  bool reckon(const std::string& fault = {});
  /// A life that ends before it served, perhaps: killed so much after its start.
  void die_starting(std::chrono::microseconds after);
  /// A life that is asked to end in the midst of the load, and does.
  void stop_under_load(std::size_t answers);
  /// A life in peace: the reckoning of all calls ever made.
  void finish();

  Ledger& ledger() { return ledger_; }
  Random& random() { return random_; }
  const Tally& tally() const { return tally_; }
  /// What kept the drill from judging, such as a process that did not start; never what a mutant is
  /// caught by.
  const std::vector<std::string>& troubles() const { return troubles_; }

 private:
  enum class Asked { last_life, ever };

  VictimProcess::Options options(std::string fault) const;
  bool settle(const std::string& socket, Asked asked);
  bool ask_again(LineClient& client, std::vector<Ledger::Sent> requests);
  bool check_stored(LineClient& client);
  bool check_followed(LineClient& client);
  bool check_failing(LineClient& client, const std::string& socket);
  bool end(VictimProcess& victim, bool by_fault);
  void expect(int status, bool as_expected, const VictimProcess& victim);

  storage::sqlite::TemporaryFolder folder_;
  std::string storage_;
  SeededRandom random_;
  Ledger ledger_;
  Tally tally_;
  std::vector<std::string> troubles_;
};

}  // namespace toa::kill
