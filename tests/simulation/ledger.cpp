#include "simulation/ledger.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "simulation/shop.hpp"

namespace toa::simulation {
namespace {

// A call may be repeated for as long as it is remembered; its record may be as old as its first
// request.
constexpr std::chrono::seconds repeatable_for{3'500};

std::string wallet(std::uint64_t n) {
  return "w" + std::to_string(n);
}

}  // namespace

void Books::enter(const std::string& component, const std::string& id, const std::string& tag,
                  std::int64_t amount) {
  auto& page = pages["sim." + component][id];
  page.tags.push_back(tag);
  page.balance += amount;
}

Ledger::Ledger(Random& random, const SimTime& time, const Plan& plan)
    : random_(random), time_(time), plan_(plan) {
  for (int n = 0; n < plan.credits; ++n) {
    const auto tag = fmt::format("c{}", n);
    const auto to = any_wallet();
    const auto cents = amount();
    add(random.below(2) == 0 ? "wallets.credit" : "wallets.raise", to, tag, {{"amount", cents}});
    books_.enter("wallets", to, tag, cents);
  }
  for (int n = 0; n < plan.payments; ++n) add_payment(n, any_wallet());
  for (int n = 0; n < plan.tallies; ++n) {
    const auto tag = fmt::format("t{}", n);
    add("tallies.tally", "all", tag, {});
    books_.enter("tallies", "all", tag, 0);
  }
  for (int n = 0; n < plan.notes; ++n) add_note(n);
  for (int n = 0; n < plan.crossings; ++n) add_crossing(n);
}

std::string Ledger::any_wallet() {
  return wallet(random_.below(static_cast<std::uint64_t>(plan_.wallets)));
}

std::int64_t Ledger::amount() {
  return 1 + static_cast<std::int64_t>(random_.below(1'000));
}

void Ledger::add(const std::string& endpoint, const std::string& object, const std::string& tag,
                 JsonObject input) {
  Errand errand{.endpoint = "sim." + endpoint, .object = object, .tag = tag, .request = {}};
  input["tag"] = tag;
  JsonObject request{{"id", Identity(new_uuid7(time_, random_)).hex()},
                     {"query", JsonObject{{"id", object}}},
                     {"input", std::move(input)}};
  errand.is_task = endpoint == "tallies.tally";
  if (errand.is_task) request["task"] = true;
  errand.request = json::print(request);
  errand.behind = errand.calls = errands_.size();
  errands_.push_back(std::move(errand));
}

void Ledger::add_payment(int n, const std::string& to) {
  const auto tag = fmt::format("p{}", n);
  const auto payment = tag;
  const auto cents = amount();
  const auto dice = random_.below(1'000);
  const auto* kind = dice < plan_.bad                    ? "bad"
                     : dice < plan_.bad + plan_.poisoned ? "poisoned"
                                                         : "good";
  const JsonObject input{{"wallet", to}, {"amount", cents}, {"kind", kind}, {"status", "made"}};
  add("payments.make", payment, tag, input);
  const auto made = errands_.size() - 1;
  auto closing = input;
  closing["amount"] = 0;
  closing["status"] = "closed";
  add("payments.close", payment, tag + ":close", closing);
  errands_.back().behind = made;

  books_.enter("payments", payment, tag, cents);
  books_.enter("payments", payment, tag + ":close", 0);
  books_.enter("books", to, tag, cents);
  books_.enter("totals", "all", tag, cents);
  for (const auto* suffix : {tags::reward, tags::points, tags::audit})
    books_.enter("wallets", to, tag + suffix, cents);
  books_.enter("tallies", "all", tag + tags::tally, 0);
  books_.enter("parcels", payment, tag + tags::plan, cents);
  books_.enter("parcels", payment, tag + ":close" + tags::ship, 0);
  books_.pages["sim.parcels"][payment].order = Books::Page::Order::as_listed;
}

void Ledger::add_note(int n) {
  const auto tag = fmt::format("n{}", n);
  add("notes.write", "note", tag, {});
  auto request = json::parse(errands_.back().request)->as_object();
  request["query"].as_object()["version"] = n;
  errands_.back().request = json::print(request);
  // Its client knows the version from the reply to the write before.
  if (n > 0) errands_.back().behind = errands_.size() - 2;
  books_.enter("notes", "note", tag, 0);
  books_.pages["sim.notes"]["note"].order = Books::Page::Order::as_listed;
}

/// Two calls, each of which makes the other under the other's own identity.
void Ledger::add_crossing(int n) {
  const auto east = errands_.size();
  for (const auto* way : {"east", "west"}) {
    const auto tag = fmt::format("x{}:{}", n, way);
    add(fmt::format("crossings.{}", way), tag, tag, {});
    books_.enter("crossings", tag, tag, 0);
  }
  const auto tell = [this, east](std::size_t of, const Errand& other, const std::string& request) {
    auto told = json::parse(errands_[of].request)->as_object();
    told["input"].as_object()["other"] =
        JsonObject{{"endpoint", other.endpoint}, {"request", *json::parse(request)}};
    errands_[of].request = json::print(told);
    errands_[of].calls = of == east ? east + 1 : east;
  };
  const auto plainly = errands_[east].request;
  tell(east, errands_[east + 1], errands_[east + 1].request);
  tell(east + 1, errands_[east], plainly);
}

bool Ledger::may_go(std::size_t place) const {
  const auto behind = errands_[place].behind;
  return behind == place || errands_[behind].reply.has_value();
}

bool Ledger::may_be_repeated(const Errand& errand) const {
  return errand.first_sent && time_.furthest() - *errand.first_sent < repeatable_for;
}

std::optional<std::size_t> Ledger::choose(Permille again) {
  const bool any = random_.below(1'000) < again;
  std::vector<std::size_t> candidates;
  for (std::size_t place = 0; place < errands_.size(); ++place) {
    const auto& errand = errands_[place];
    if (!may_go(place)) continue;
    const bool waits = !errand.reply && errand.in_flight == 0;
    if (waits || (any && may_be_repeated(errand))) candidates.push_back(place);
  }
  if (candidates.empty()) return std::nullopt;
  return candidates[random_.below(candidates.size())];
}

std::vector<std::size_t> Ledger::repeatable() const {
  std::vector<std::size_t> all;
  for (std::size_t place = 0; place < errands_.size(); ++place)
    if (errands_[place].reply && may_be_repeated(errands_[place])) all.push_back(place);
  return all;
}

void Ledger::sent(std::size_t place) {
  auto& errand = errands_[place];
  auto& called = errands_[errand.calls];
  for (auto* each : {&errand, &called})
    if (!each->first_sent) each->first_sent = time_.furthest();
  ++errand.in_flight;
}

std::optional<std::string> Ledger::answered(std::size_t place, const Reply& reply, bool heard) {
  auto& errand = errands_[place];
  --errand.in_flight;
  if (std::holds_alternative<Exception>(reply.outcome)) return std::nullopt;
  const auto* output = std::get_if<Output>(&reply.outcome);
  if (output == nullptr) return errand.tag + " was refused";
  if (!errand.is_task && reply.replay == Replay::no && ++errand.fresh_answers > 1)
    return errand.tag + " was carried out twice";
  if (!heard) return std::nullopt;
  const auto text = output->value ? output->value->text() : "undefined";
  if (!errand.reply) {
    errand.reply = text;
  } else if (*errand.reply != text) {
    return fmt::format("{} was answered by {}, and first by {}", errand.tag, text, *errand.reply);
  }
  return std::nullopt;
}

void Ledger::looked(const std::string& wallet, const Reply& reply) {
  const auto* output = std::get_if<Output>(&reply.outcome);
  if (output != nullptr && output->value) looks_.push_back({wallet, output->value->text()});
}

void Ledger::hung_up() {
  for (auto& errand : errands_) errand.in_flight = 0;
}

bool Ledger::all_answered() const {
  return std::ranges::all_of(errands_, [](const Errand& e) { return e.reply.has_value(); });
}

bool Ledger::none_in_doubt() const {
  return std::ranges::none_of(
      errands_, [](const Errand& e) { return e.in_flight > 0 || (e.first_sent && !e.reply); });
}

}  // namespace toa::simulation
