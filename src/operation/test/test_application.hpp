#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/manual_loop.hpp"
#include "async/scope.hpp"
#include "base/random.hpp"
#include "bridge/test/test_bridge.hpp"
#include "manifest/application.hpp"
#include "operation/router.hpp"
#include "operation/test/delaying_storage.hpp"
#include "storage/memory/memory_storage.hpp"
#include "storage/memory/null_storage.hpp"

namespace toa::operation::testing {

using bridge::Host;
using bridge::Ran;
using bridge::Returned;
using bridge::Run;
using bridge::TestBridge;
using bridge::Where;
using manifest::Concurrency;
using manifest::Inherited;
using manifest::QueryRule;
using manifest::Scope;
using manifest::Type;
using std::chrono::milliseconds;

/// What a manifest would say of an operation.
struct Declared {
  Type type = Type::transition;
  Scope scope = Scope::entry;
  Concurrency concurrency = Concurrency::retry;
  std::optional<std::int64_t> once_window_s = {};
  QueryRule query = QueryRule::may;
  bool unchained = false;
  /// JSON Schemas; empty for none.
  std::string input = "";
  std::string output = "";
  std::vector<std::string> errors = {};
};

/// An input `{ amount }`.
inline constexpr const char* amount_schema =
    R"({"type":"object","properties":{"amount":{"type":"integer"}},"required":["amount"]})";

inline Declared once() {
  return {.once_window_s = 3'600, .input = amount_schema};
}
inline Declared effect() {
  return {.type = Type::effect, .scope = Scope::none};
}
inline Declared computation() {
  return {.type = Type::computation, .scope = Scope::none};
}
inline Declared observation(Scope scope = Scope::entry) {
  return {.type = Type::observation, .scope = scope};
}
inline Declared assignment() {
  return {.type = Type::assignment,
          .scope = Scope::changeset,
          .concurrency = Concurrency::unstated,
          .input = R"({"type":"object"})"};
}

/// Notes what leaves; nothing of it is handled.
class NotedOutgoing final : public Outgoing {
 public:
  void stored(Record record) override { records.push_back(std::move(record)); }
  Task<Result<void>> hand_over(Call task) override {
    tasks.push_back(std::move(task));
    co_return Result<void>{};
  }

  std::vector<Record> records;
  std::vector<Call> tasks;
};

/// An application whose operations are C++ functions, over a storage in memory, with a time that
/// moves as it is needed.
class TestApplication {
 public:
  explicit TestApplication(std::uint64_t seed = 1, ChainLimits chain = {})
      : random_(seed),
        router_({.application = application_,
                 .storage = storage,
                 .nowhere = nowhere_,
                 .bridge = bridge,
                 .outgoing = outgoing,
                 .loop = loop,
                 .clock = clock,
                 .random = random_,
                 .chain = chain}) {}

  /// A component whose objects have `properties` (JSON Schemas by name), all of them associated.
  manifest::Component& component(const std::string& id, std::string_view properties,
                                 std::string_view blank = "{}") {
    manifest::Component made;
    made.id = ComponentId(id);
    auto all = json::parse(properties)->as_object();
    if (!all.contains("id")) all["id"] = JsonObject{{"type", "string"}};
    const JsonObject schema{
        {"type", "object"}, {"properties", all}, {"additionalProperties", false}};
    made.entity.emplace(manifest::Entity{.properties = all,
                                         .required = {},
                                         .blank = json::parse(blank)->as_object(),
                                         .associated = true,
                                         .storage = "sqlite",
                                         .moments = {},
                                         .contract = *manifest::Contract::compile(schema)});
    return application_.components.insert_or_assign(made.id, std::move(made)).first->second;
  }

  void add(const std::string& endpoint, Declared declared, TestBridge::Operation code) {
    auto& operation = declare(endpoint, std::move(declared));
    operation.implementation.number = ++last_number_;
    auto counted = [this, endpoint, run = std::move(code)](Run what, Host& host) {
      ++runs[endpoint];
      return run(std::move(what), host);
    };
    bridge.add(bridge::OperationNumber(last_number_), {"", std::nullopt, std::move(counted)});
  }

  /// Guards that are one function.
  void guard(const std::string& component, TestBridge::Guards guards) {
    auto& guarded = application_.components[ComponentId(component)];
    guarded.guards["all"] = "/nowhere/guards/all.js";
    guarded.guards_number = ++last_number_;
    bridge.add_guards(bridge::OperationNumber(last_number_), std::move(guards));
  }

  void inherit(const std::string& endpoint, Declared declared, Inherited what) {
    declare(endpoint, std::move(declared)).implementation.inherited = what;
  }

  Task<Reply> call(std::string endpoint, std::string_view request = "{}") {
    return router_.originate(std::move(endpoint), *Request::read(*json::parse(request)));
  }

  /// The reply to a call that nothing else runs beside; time moves as it waits.
  Reply reply(std::string endpoint, std::string_view request = "{}") {
    return loop.run_until(call(std::move(endpoint), request), ManualLoop::Idle::jump);
  }

  std::optional<storage::Object> object(const std::string& component, const std::string& id) {
    return *loop.run_until(kept_.load(ComponentId(component), EntityId(id)));
  }

  Router& router() { return router_; }

  NotedOutgoing outgoing;
  ManualClock clock{1'700'000'000'000};
  ManualLoop loop{clock};
  TestBridge bridge{loop};
  /// How often each operation ran.
  std::map<std::string, int> runs;

 private:
  manifest::Operation& declare(const std::string& endpoint, Declared declared) {
    const auto parsed = *Endpoint::parse(endpoint);
    auto& component = application_.components[parsed.component];
    component.id = parsed.component;
    auto& made = component.operations[parsed.operation];
    made.endpoint = parsed;
    made.label = parsed.str();
    made.type = declared.type;
    made.scope = declared.scope;
    made.query = declared.query;
    made.concurrency = declared.concurrency;
    made.once_window_s = declared.once_window_s;
    made.unchained = declared.unchained;
    made.errors = std::move(declared.errors);
    made.input = contract(declared.input);
    made.output = contract(declared.output);
    return made;
  }

  static std::optional<manifest::Contract> contract(const std::string& schema) {
    if (schema.empty()) return std::nullopt;
    return *manifest::Contract::compile(*json::parse(schema));
  }

  manifest::Application application_;
  SeededRandom random_;
  storage::MemoryStorage kept_{loop, clock};
  storage::NullStorage nowhere_;
  std::uint32_t last_number_ = 0;

 public:
  DelayingStorage storage{kept_, loop, random_};

 private:
  Router router_;
};

/// Calls made side by side; time moves until all are answered.
class Callers {
 public:
  explicit Callers(TestApplication& application)
      : application_(application), scope_(application.loop) {}

  void call(std::string endpoint, std::string request) {
    replies.emplace_back();
    scope_.spawn(answer(replies.size() - 1, std::move(endpoint), std::move(request)));
  }

  void finish() { application_.loop.run_until(scope_.close(), ManualLoop::Idle::jump); }

  std::vector<std::optional<Reply>> replies;

 private:
  Task<void> answer(std::size_t place, std::string endpoint, std::string request) {
    auto reply = co_await application_.call(std::move(endpoint), request);
    replies[place] = std::move(reply);
  }

  TestApplication& application_;
  toa::Scope scope_;
};

/// `{"balance":1}` or `undefined`, `!CODE` for a refusal, `#302` for an exception.
inline std::string shown(const Outcome& outcome) {
  if (const auto* output = std::get_if<Output>(&outcome)) {
    return output->value ? output->value->text() : "undefined";
  }
  if (const auto* refusal = std::get_if<Refusal>(&outcome)) return "!" + refusal->code;
  return "#" + std::to_string(static_cast<int>(std::get<Exception>(outcome).code));
}
inline std::string shown(const Reply& reply) {
  return shown(reply.outcome);
}

inline std::string message(const Reply& reply) {
  const auto* exception = std::get_if<Exception>(&reply.outcome);
  return exception == nullptr ? "" : exception->message;
}

/// What an operation that returns a value, or the state that it leaves, came to.
inline Returned replies(Document reply) {
  Returned returned;
  returned.reply = std::move(reply);
  return returned;
}
inline Returned leaves(JsonObject state) {
  Returned returned;
  returned.reply_is_state = true;
  returned.state = Document::of(std::move(state));
  return returned;
}

/// A list of entries as a transition leaves it.
inline Returned leaves_all(JsonArray states) {
  Returned returned;
  returned.reply_is_state = true;
  returned.state = Document::of(std::move(states));
  return returned;
}

/// A changeset as an assignment leaves it.
inline Returned assigns(JsonObject changeset) {
  Returned returned;
  returned.state = Document::of(std::move(changeset));
  return returned;
}

/// The state with `property` changed, as a transition leaves it.
inline Returned leaves(const Run& run, std::string_view property, Json value) {
  auto state = run.state->value().as_object();
  state[property] = std::move(value);
  return leaves(std::move(state));
}

/// Adds the input's `amount` to `balance`.
inline Ran credited(const Run& run) {
  const auto balance = run.state->value().at("balance").as_int64();
  return leaves(run, "balance", balance + run.input->value().at("amount").as_int64());
}

inline Task<Ran> credit(Run run, Host&) {
  co_return credited(run);
}

/// One component, `shop.wallets`, with a `balance` that begins at 0.
inline void add_wallets(TestApplication& application) {
  application.component("shop.wallets", R"({"balance":{"type":"integer"}})", R"({"balance":0})");
  application.add("shop.wallets.credit", once(), credit);
  application.inherit("shop.wallets.observe", observation(), Inherited::observe);
  application.inherit("shop.wallets.transit", {.input = R"({"type":"object"})"},
                      Inherited::transit);
}

inline std::int64_t balance(TestApplication& application, const std::string& id) {
  const auto object = application.object("shop.wallets", id);
  return object ? json::parse(object->properties)->at("balance").as_int64() : 0;
}

}  // namespace toa::operation::testing
