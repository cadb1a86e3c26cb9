#include "simulation/oracle.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

#include "base/limits.hpp"

namespace toa::simulation {
namespace {

constexpr int attempts_max = 5;

struct Found {
  Version version;
  std::vector<std::string> tags;
  std::int64_t balance = 0, seen = 0;
  std::string status = "none";
};

std::vector<std::string> tags_of(const Json& state) {
  std::vector<std::string> tags;
  for (const auto& tag : state.at("tags").as_array()) tags.emplace_back(tag.as_string());
  return tags;
}

Task<Result<Found>> find(storage::Storage& storage, std::string component, std::string id) {
  auto loaded = co_await storage.load(ComponentId(component), EntityId(id));
  if (!loaded) co_return std::unexpected(loaded.error());
  Found found;
  if (!*loaded) co_return found;
  const auto state = json::parse((*loaded)->properties);
  found.version = (*loaded)->version;
  found.tags = tags_of(*state);
  found.balance = state->at("balance").as_int64();
  found.seen = state->at("seen").as_int64();
  found.status = state->at("status").as_string();
  co_return found;
}

void compare(Violations& out, const std::string& name, const Books::Page& page,
             const Found& found) {
  auto expected = page.tags;
  auto there = found.tags;
  if (page.order == Books::Page::Order::any) {
    std::ranges::sort(expected);
    std::ranges::sort(there);
  }
  if (there != expected) {
    out.push_back(
        fmt::format("{} has {}, not {}", name, fmt::join(there, " "), fmt::join(expected, " ")));
  } else if (found.balance != page.balance) {
    out.push_back(fmt::format("{} adds up to {}, not {}", name, found.balance, page.balance));
  }
}

/// Every write adds one tag, so that a reply shows how the object began.
bool begins_as(const std::vector<std::string>& told, const Found& found) {
  return told.size() <= found.tags.size() &&
         std::equal(told.begin(), told.end(), found.tags.begin());
}

void compare_look(Violations& out, const Ledger::Look& look, const Found& found) {
  const auto told = tags_of(*json::parse(look.told));
  if (begins_as(told, found)) return;
  out.push_back(fmt::format("{} was shown in a state that was not to last: {}", look.wallet,
                            fmt::join(told, " ")));
}

void compare_reply(Violations& out, const Ledger::Errand& errand, const Found& found) {
  const auto reply = json::parse(*errand.reply);
  const auto told = tags_of(*reply);
  if (begins_as(told, found) && !told.empty() && told.back() == errand.tag) return;
  out.push_back(fmt::format("{} was told of a state that was not to last: {}", errand.tag,
                            fmt::join(told, " ")));
}

void compare_ends(Violations& out, const std::string& component, const std::string& id,
                  const Found& found) {
  const auto* end = component == "sim.parcels"    ? "shipped"
                    : component == "sim.payments" ? "closed"
                                                  : "none";
  // Both may come in any order to a payment's own calls, but the last of them is made last.
  if (found.status != end)
    out.push_back(fmt::format("{} {} ended as {}", component, id, found.status));
}

void compare_mirror(Violations& out, const std::string& id, const Found& wallet,
                    const Found& mirror) {
  if (mirror.seen == wallet.version.value && mirror.tags == wallet.tags &&
      mirror.balance == wallet.balance)
    return;
  out.push_back(fmt::format("the mirror of {} shows version {}, not {}", id, mirror.seen,
                            wallet.version.value));
}

}  // namespace

Task<Violations> audit(storage::Storage& storage, const Ledger& ledger) {
  Violations out;
  for (const auto& [component, pages] : ledger.expected().pages) {
    for (const auto& [id, page] : pages) {
      const auto found = co_await find(storage, component, id);
      if (!found) co_return Violations{found.error().message};
      compare(out, component + " " + id, page, *found);
      compare_ends(out, component, id, *found);
      if (component != "sim.wallets") continue;
      const auto mirror = co_await find(storage, "sim.mirrors", id);
      if (mirror) compare_mirror(out, id, *found, *mirror);
    }
  }
  for (std::size_t place = 0; place < ledger.size(); ++place) {
    const auto& errand = ledger.at(place);
    if (errand.is_task || !errand.reply) continue;
    const auto component = Endpoint::parse(errand.endpoint)->component.value;
    const auto found = co_await find(storage, component, errand.object);
    if (found) compare_reply(out, errand, *found);
  }
  for (const auto& look : ledger.looks()) {
    const auto found = co_await find(storage, "sim.wallets", look.wallet);
    if (found) compare_look(out, look, *found);
  }
  co_return out;
}

Task<Violations> audit_parked(storage::Queue& queue, const Ledger& ledger, bool mended) {
  Violations out;
  const auto parked = co_await queue.parked({}, MessageNumber(-1'000'000'000), 10'000);
  if (!parked) co_return Violations{parked.error().message};
  std::set<std::string> audits;
  for (const auto& [message, at, failure] : *parked) {
    if (failure.reason.empty() || (message.attempt != attempts_max && !is_permanent(failure.code)))
      out.push_back(fmt::format("{} is parked at attempt {}: {}", message.id.hex(), message.attempt,
                                failure.reason));
    if (message.component.value == "sim.audits")
      audits.emplace(json::parse(message.body)->at("tag").as_string());
  }
  if (mended) co_return out;
  for (std::size_t place = 0; place < ledger.size(); ++place) {
    const auto& errand = ledger.at(place);
    if (errand.endpoint != "sim.payments.make") continue;
    const auto request = json::parse(errand.request);
    const bool hopeless = request->at("input").at("kind").as_string() != "good";
    if (hopeless && !audits.contains(errand.tag))
      out.push_back("the audit of " + errand.tag + " fails for good, and is not parked");
  }
  co_return out;
}

}  // namespace toa::simulation
