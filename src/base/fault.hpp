#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace toa {

/// Named places where a crash, a failure or a delay matters, armed for tests and drills by
/// `TOA_FAULT='commit.after:3=crash,ack.before:1=delay:50'`: the third time `commit.after` is
/// reached, and so on. Not armed, a place costs one comparison. Thread-safe after construction.
class Faults {
 public:
  enum class Verdict { go_on, fail };

  /// Asked wherever a place is reached, for a simulation whose crashes are its own.
  using Judge = std::function<Verdict(std::string_view place)>;

  Faults();
  explicit Faults(Judge judge);
  ~Faults();
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;

  /// Reads the value of TOA_FAULT. Invalid text is refused, naming the part.
  Result<void> arm(std::string_view text);
  bool armed() const { return !armed_.empty(); }

  /// Crashes (SIGKILL to itself), waits, or tells the caller to fail, if armed for this occurrence.
  Verdict reach(std::string_view place) {
    if (judge_) return judge_(place);
    return armed_.empty() ? Verdict::go_on : act(place);
  }

 private:
  struct Armed;
  Verdict act(std::string_view place);

  Judge judge_;
  std::vector<std::unique_ptr<Armed>> armed_;
};

}  // namespace toa
