#pragma once

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/manual_loop.hpp"
#include "async/scope.hpp"
#include "base/clock.hpp"
#include "storage/storage.hpp"

/// What the conformance suites stand on.
namespace toa::storage::conformance {

/// An open storage and what it stands on.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual Storage& storage() = 0;
};

/// How a storage is opened for a test; `folder` is empty and its own.
struct Kind {
  std::string name;
  std::function<std::unique_ptr<Backend>(ManualLoop&, const Clock&)> open;

  friend void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }
};

inline const ComponentId wallets{"shop.wallets"};
inline const std::string credit = "shop.wallets.credit";
inline constexpr EpochMs start = 1'700'000'000'000;
inline constexpr std::chrono::milliseconds window{3'600'000};

inline Identity identity(std::uint8_t n, std::uint8_t m = 0) {
  Identity::Bytes bytes{};
  bytes[0] = n;
  bytes[15] = m;
  return Identity(bytes);
}

inline Write write(std::string id, std::int64_t base, std::string properties) {
  return {wallets, Version(base),
          Object{.id = EntityId(std::move(id)),
                 .version = Version(base + 1),
                 .created = start,
                 .updated = start + base,
                 .deleted = std::nullopt,
                 .region = 0,
                 .properties = std::move(properties)}};
}

inline Criteria condition(std::vector<Step> path, Comparison comparison, std::vector<Json> values) {
  Condition made{.selector = {}, .comparison = comparison, .path = std::move(path)};
  for (auto& step : made.path) made.selector += (made.selector.empty() ? "" : ".") + step.name;
  for (auto& value : values) made.operands.push_back({std::move(value)});
  return {std::move(made)};
}

inline Criteria is(std::string name, Json value) {
  return condition({{std::move(name)}}, Comparison::equal, {std::move(value)});
}

class Conformance : public ::testing::TestWithParam<Kind> {
 protected:
  Conformance() : backend_(GetParam().open(loop_, clock_)) {
    EXPECT_TRUE(loop_.run_until(storage().prepare({wallets, ComponentId("shop.Wallets")})));
  }
  ~Conformance() override { loop_.run_until(storage().close()); }

  Storage& storage() { return backend_->storage(); }

  Commit commit(Unit unit) { return loop_.run_until(storage().commit(std::move(unit))).value(); }
  std::optional<Object> load(std::string id) {
    return loop_.run_until(storage().load(wallets, EntityId(std::move(id)))).value();
  }
  std::optional<FirstReply> recall(Identity id) {
    return loop_.run_until(storage().recall(credit, id)).value();
  }

  Remembered record(Identity id, std::optional<std::string> reply) {
    return {credit, id, window, std::move(reply)};
  }

  /// Commits all units at once and returns what became of each.
  std::vector<Commit> commit_at_once(std::vector<Unit> units) {
    std::vector<Commit> outcomes(units.size());
    Scope scope(loop_);
    for (std::size_t i = 0; i < units.size(); ++i)
      scope.spawn(keep(storage(), std::move(units[i]), outcomes[i]));
    loop_.run_until(scope.close());
    return outcomes;
  }

  static Task<void> keep(Storage& storage, Unit unit, Commit& outcome) {
    outcome = (co_await storage.commit(std::move(unit))).value();
  }

  ManualClock clock_{start};
  ManualLoop loop_;
  std::unique_ptr<Backend> backend_;
};

inline bool is_stored(const Commit& commit) {
  return std::holds_alternative<Stored>(commit);
}
inline bool is_lost(const Commit& commit) {
  return std::holds_alternative<Lost>(commit);
}
inline std::optional<std::string> first_reply(const Commit& commit) {
  return std::get<FirstReply>(commit).reply;
}

}  // namespace toa::storage::conformance
