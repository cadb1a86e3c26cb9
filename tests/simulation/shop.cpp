#include "simulation/shop.hpp"

namespace toa::simulation {
namespace {

using manifest::Concurrency;
using manifest::Scope;
using manifest::Type;

// Longer than a run without its one great jump of the clock.
constexpr std::int64_t window_s = 3'600;

constexpr const char* properties = R"({
  "balance": { "type": "integer" }, "seen": { "type": "integer" }, "status": { "type": "string" },
  "tags": { "type": "array", "items": { "type": "string" } } })";
constexpr const char* blank = R"({ "balance": 0, "seen": 0, "status": "none", "tags": [] })";

/// Writes the manifests.
class Builder {
 public:
  Builder() {
    application_.context.name = "sim";
    application_.context.outbox_interval_ms = 1'000;
  }

  void component(const std::string& id) {
    manifest::Component made;
    made.id = ComponentId("sim." + id);
    auto all = json::parse(properties)->as_object();
    all["id"] = JsonObject{{"type", "string"}};
    const JsonObject schema{
        {"type", "object"}, {"properties", all}, {"additionalProperties", false}};
    made.entity.emplace(manifest::Entity{.properties = all,
                                         .required = {},
                                         .blank = json::parse(blank)->as_object(),
                                         .associated = true,
                                         .storage = "sqlite",
                                         .moments = {},
                                         .contract = *manifest::Contract::compile(schema)});
    application_.components.emplace(made.id, std::move(made));
  }

  manifest::Operation& operation(const std::string& endpoint, Type type) {
    const auto parsed = *Endpoint::parse("sim." + endpoint);
    auto& made = application_.components.at(parsed.component).operations[parsed.operation];
    made.endpoint = parsed;
    made.label = parsed.str();
    made.type = type;
    made.scope = type == Type::effect ? Scope::none : Scope::entry;
    made.concurrency = Concurrency::retry;
    made.implementation.number = number_of(made.label);
    made.input = *manifest::Contract::compile(JsonObject{{"type", "object"}});
    return made;
  }

  void once(const std::string& endpoint, Concurrency concurrency) {
    auto& made = operation(endpoint, Type::transition);
    made.once_window_s = window_s;
    made.concurrency = concurrency;
  }

  void event(const std::string& component, const std::string& name,
             std::optional<manifest::InheritedEvent> inherited = {}) {
    auto& of = application_.components.at(ComponentId("sim." + component));
    of.events.emplace(name, manifest::Event{name, of.id.value + "." + name, inherited,
                                            inherited ? "" : name + ".ts"});
    of.events_number = number_of(of.id.value + "#events");
    of.announced = true;
  }

  enum class Adapter { none, file };
  void receiver(const std::string& component, const std::string& label,
                const std::string& operation, Adapter adapter) {
    auto& of = application_.components.at(ComponentId("sim." + component));
    const auto full = "sim." + label;
    manifest::Receiver made{.label = full, .operation = operation, .arguments = {}, .file = {}};
    if (adapter == Adapter::file) {
      made.file = label + ".ts";
      made.number = number_of(of.id.value + "<" + full);
    }
    of.receivers.emplace(full, std::move(made));
    application_.receivers[full].push_back(of.id);
  }

  /// The same number for the same name, here and where the code is added.
  static std::uint32_t number_of(const std::string& name) {
    std::uint32_t hash = 2166136261;
    for (const char c : name) hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619;
    return hash;
  }

  manifest::Application take() { return std::move(application_); }

 private:
  manifest::Application application_;
};

using bridge::Host;
using bridge::Ran;
using bridge::Returned;
using bridge::Run;

std::string text(const Json& of, std::string_view key) {
  return std::string(of.at(key).as_string());
}

std::string tag_of(const Run& run) {
  return text(run.input->value(), "tag");
}

Exception thrown(std::string why) {
  return {.code = Code::system, .message = std::move(why)};
}

Returned leaves(JsonObject state) {
  Returned returned;
  returned.reply_is_state = true;
  returned.state = Document::of(std::move(state));
  return returned;
}

Returned discards() {
  Returned returned;
  returned.discard = true;
  return returned;
}

/// The state with the tag added, and the amount if there is one.
JsonObject tagged(const Run& run, const std::string& tag) {
  auto state = run.state->value().as_object();
  state["tags"].as_array().emplace_back(tag);
  if (const auto* amount = json::find(run.input->value(), "amount"))
    state["balance"] = state["balance"].as_int64() + amount->as_int64();
  return state;
}

Json about(std::string_view id, const Json& input) {
  return JsonObject{{"query", JsonObject{{"id", id}}}, {"input", input}};
}

Json credit_of(const Json& payment, const char* suffix) {
  return about(text(payment, "wallet"), JsonObject{{"tag", text(payment, "tag") + suffix},
                                                   {"amount", payment.at("amount")}});
}

/// The code of all components, over the chances of one simulation.
class Authors {
 public:
  Authors(bridge::TestBridge& bridge, Loop& loop, Chaos& chaos)
      : bridge_(bridge), loop_(loop), chaos_(chaos) {}

  void add_transition(const std::string& endpoint, std::function<Ran(const Run&)> decide) {
    add(endpoint,
        [&chaos = chaos_, &loop = loop_, decide = std::move(decide)](Run run, Host&) -> Task<Ran> {
          co_await chaos.linger(loop);
          if (chaos.happens(chaos.plan().throws)) co_return thrown("by chance");
          co_return decide(run);
        });
  }

  /// An effect is made of calls; it throws what they threw.
  void add(const std::string& endpoint, bridge::TestBridge::Operation code) {
    bridge_.add(number("sim." + endpoint), {"", std::nullopt, std::move(code)});
  }

  void add_events(const std::string& component, bridge::TestBridge::Events events) {
    bridge_.add_events(number("sim." + component + "#events"),
                       [&chaos = chaos_, events = std::move(events)](
                           const Json& change) -> std::expected<JsonObject, Exception> {
                         if (chaos.happens(chaos.plan().throws / 4))
                           return std::unexpected(thrown("an event, by chance"));
                         return events(change);
                       });
  }

  void add_receiver(const std::string& component, const std::string& label,
                    std::function<Json(const Json&)> request) {
    bridge_.add_receiver(
        number("sim." + component + "<sim." + label),
        [request = std::move(request)](const Json& payload, const JsonArray&)
            -> std::expected<std::optional<Json>, Exception> { return request(payload); });
  }

 private:
  static bridge::OperationNumber number(const std::string& name) {
    return bridge::OperationNumber(Builder::number_of(name));
  }

  bridge::TestBridge& bridge_;
  Loop& loop_;
  Chaos& chaos_;
};

/// Credits the payment's wallet, between two chances to throw.
Task<Ran> grant(Run run, Host& host, Loop& loop, Chaos& chaos, const char* suffix) {
  if (chaos.happens(chaos.plan().throws)) co_return thrown("before its call");
  auto credited = co_await host.call(bridge::Where::remote, "sim.wallets.credit",
                                     Document::of(credit_of(run.input->value(), suffix)));
  if (auto* failed = std::get_if<Exception>(&credited)) co_return std::move(*failed);
  co_await chaos.linger(loop);
  if (chaos.happens(chaos.plan().throws)) co_return thrown("after its call");
  co_return Returned{};
}

Task<Ran> grant_points(Run run, Host& host, Loop& loop, Chaos& chaos) {
  auto tally = about("all", JsonObject{{"tag", tag_of(run) + tags::tally}}).as_object();
  tally["task"] = true;
  auto taken = co_await host.call(bridge::Where::remote, "sim.tallies.tally",
                                  Document::of(std::move(tally)));
  if (auto* failed = std::get_if<Exception>(&taken)) co_return std::move(*failed);
  co_return co_await grant(std::move(run), host, loop, chaos, tags::points);
}

Task<Ran> check(Run run, Host& host, Loop& loop, Chaos& chaos) {
  const auto kind = text(run.input->value(), "kind");
  if (kind == "poisoned" && !chaos.mended())
    co_return Exception{.code = Code::contract, .message = "poisoned"};
  auto ran = co_await grant(run, host, loop, chaos, tags::audit);
  if (std::holds_alternative<Returned>(ran) && kind == "bad" && !chaos.mended())
    co_return thrown("bad");
  co_return ran;
}

/// Calls the other one, if it is the first of the two, before it leaves its own tag.
Task<Ran> cross(Run run, Host& host, Loop& loop, Chaos& chaos) {
  co_await chaos.linger(loop);
  if (const auto* other = json::find(run.input->value(), "other")) {
    auto called = co_await host.call(bridge::Where::remote, text(*other, "endpoint"),
                                     Document::of(other->at("request")));
    if (auto* failed = std::get_if<Exception>(&called)) co_return std::move(*failed);
  }
  if (chaos.happens(chaos.plan().throws)) co_return thrown("after its call");
  co_return leaves(tagged(run, tag_of(run)));
}

/// Tells what is there, and changes nothing.
Ran look(const Run& run) {
  auto seen = leaves(run.state->value().as_object());
  seen.discard = true;
  return seen;
}

Ran enter_status(const Run& run, const std::string& from, const std::string& to,
                 const char* suffix) {
  const auto status = text(run.state->value(), "status");
  // What is further already was here before.
  if (status == to || status == "shipped") return discards();
  if (status != from)
    return Exception{.code = Code::state_not_found, .message = "it is " + status + " yet"};
  auto state = tagged(run, tag_of(run) + suffix);
  state["status"] = to;
  return leaves(std::move(state));
}

Ran reflect(const Run& run) {
  const auto& input = run.input->value();
  auto state = run.state->value().as_object();
  if (input.at("version").as_int64() <= state["seen"].as_int64()) return discards();
  state["seen"] = input.at("version");
  state["balance"] = input.at("balance");
  state["tags"] = input.at("tags");
  return leaves(std::move(state));
}

Ran make_payment(const Run& run) {
  auto state = tagged(run, tag_of(run));
  state["status"] = run.input->value().at("status");
  return leaves(std::move(state));
}

JsonObject events_of_payment(const Json& change) {
  const auto& state = change.at("state");
  auto payload = change.at("input").as_object();
  payload["payment"] = state.at("id");
  return {{text(state, "status"), payload}};
}

}  // namespace

manifest::Application make_shop() {
  using Adapter = Builder::Adapter;
  Builder shop;
  for (const auto* id : {"wallets", "payments", "books", "totals", "rewards", "points", "audits",
                         "parcels", "mirrors", "notes", "tallies", "crossings"}) {
    shop.component(id);
  }
  shop.once("wallets.credit", Concurrency::none);
  shop.once("wallets.raise", Concurrency::retry);
  shop.once("payments.make", Concurrency::none);
  shop.once("payments.close", Concurrency::retry);
  shop.once("tallies.tally", Concurrency::none);
  shop.once("notes.write", Concurrency::none);
  shop.once("crossings.east", Concurrency::none);
  shop.once("crossings.west", Concurrency::none);
  for (const auto* endpoint : {"books.enter", "totals.count", "parcels.plan", "parcels.ship"})
    shop.operation(endpoint, Type::transition);
  shop.operation("mirrors.reflect", Type::transition);
  shop.operation("wallets.look", Type::transition);
  for (const auto* endpoint : {"rewards.grant", "points.grant", "audits.check"})
    shop.operation(endpoint, Type::effect);

  shop.event("wallets", "sync", manifest::InheritedEvent::sync);
  shop.event("payments", "made");
  shop.event("payments", "closed");
  shop.event("books", "entered");
  shop.receiver("mirrors", "wallets.sync", "reflect", Adapter::file);
  shop.receiver("books", "payments.made", "enter", Adapter::file);
  shop.receiver("rewards", "payments.made", "grant", Adapter::none);
  shop.receiver("points", "payments.made", "grant", Adapter::none);
  shop.receiver("audits", "payments.made", "check", Adapter::none);
  shop.receiver("parcels", "payments.made", "plan", Adapter::file);
  shop.receiver("parcels", "payments.closed", "ship", Adapter::file);
  shop.receiver("totals", "books.entered", "count", Adapter::file);
  return shop.take();
}

void add_code(bridge::TestBridge& bridge, Loop& loop, Chaos& chaos) {
  Authors code(bridge, loop, chaos);
  const auto tag = [](const Run& run) -> Ran { return leaves(tagged(run, tag_of(run))); };
  for (const auto* endpoint : {"wallets.credit", "wallets.raise", "tallies.tally", "notes.write",
                               "books.enter", "totals.count"}) {
    code.add_transition(endpoint, tag);
  }
  code.add_transition("payments.make", make_payment);
  code.add_transition("payments.close", make_payment);
  code.add_transition("parcels.plan", [](const Run& run) {
    return enter_status(run, "none", "planned", tags::plan);
  });
  code.add_transition("parcels.ship", [](const Run& run) {
    return enter_status(run, "planned", "shipped", tags::ship);
  });
  code.add_transition("mirrors.reflect", reflect);
  code.add_transition("wallets.look", look);
  for (const auto* endpoint : {"crossings.east", "crossings.west"}) {
    code.add(endpoint,
             [&](Run run, Host& host) { return cross(std::move(run), host, loop, chaos); });
  }
  code.add("rewards.grant", [&](Run run, Host& host) {
    return grant(std::move(run), host, loop, chaos, tags::reward);
  });
  code.add("points.grant",
           [&](Run run, Host& host) { return grant_points(std::move(run), host, loop, chaos); });
  code.add("audits.check",
           [&](Run run, Host& host) { return check(std::move(run), host, loop, chaos); });

  code.add_events("payments", events_of_payment);
  code.add_events("books",
                  [](const Json& change) { return JsonObject{{"entered", change.at("input")}}; });
  const auto of_payment = [](const Json& made) { return about(text(made, "payment"), made); };
  code.add_receiver("parcels", "payments.made", of_payment);
  code.add_receiver("parcels", "payments.closed", of_payment);
  code.add_receiver("books", "payments.made",
                    [](const Json& made) { return about(text(made, "wallet"), made); });
  code.add_receiver("totals", "books.entered",
                    [](const Json& entered) { return about("all", entered); });
  code.add_receiver("mirrors", "wallets.sync", [](const Json& wallet) {
    return about(text(wallet, "id"), JsonObject{{"version", wallet.at("VERSION")},
                                                {"balance", wallet.at("balance")},
                                                {"tags", wallet.at("tags")}});
  });
}

}  // namespace toa::simulation
