#include "operation/steps/chain.hpp"

#include <algorithm>

namespace toa::operation {
namespace {

std::string joined(const Trail& trail) {
  std::string text;
  for (const auto& hop : trail) text += (text.empty() ? "" : " > ") + hop;
  return text;
}

}  // namespace

std::optional<Exception> check_loop(const Trail& passed, std::string_view hop, ChainLimits limits) {
  const auto entered = std::ranges::count(passed, hop) + 1;
  const auto number = static_cast<int>(passed.size()) + 1;
  const bool circle = limits.repeats > 0 && entered >= limits.repeats;
  if (!circle && number < limits.depth) return std::nullopt;

  Exception refused{.code = Code::loop};
  refused.trail = passed;
  refused.trail.emplace_back(hop);
  refused.message = "'" + std::string(hop) + "' is hop " + std::to_string(number) +
                    " of this chain\ntrail: " + joined(refused.trail);
  return refused;
}

std::optional<Exception> check_safety(const Trail& passed, Readonly readonly,
                                      const manifest::Operation& called) {
  if (readonly == Readonly::no || manifest::only_reads(called.type)) return std::nullopt;
  Exception refused{.code = Code::safety};
  refused.message = "'" + called.label + "' may change state, and this call may only read";
  refused.trail = passed;
  refused.trail.push_back(called.label);
  return refused;
}

std::optional<Exception> check_repeatable(const manifest::Operation& caller,
                                          const manifest::Operation& called) {
  const bool retried = caller.type == manifest::Type::transition &&
                       caller.concurrency == manifest::Concurrency::retry;
  if (!retried || !called.once_window_s) return std::nullopt;
  Exception refused{.code = Code::unrepeatable};
  refused.message = "'" + called.label +
                    "' is made once, and a transition retried on a lost write would make it again";
  return refused;
}

Trail trail_beneath(const Trail& passed, const manifest::Operation& serving) {
  Trail trail = serving.unchained ? Trail{} : passed;
  trail.push_back(serving.label);
  return trail;
}

Readonly readonly_beneath(Readonly above, const manifest::Operation& serving) {
  return manifest::only_reads(serving.type) ? Readonly::yes : above;
}

}  // namespace toa::operation
