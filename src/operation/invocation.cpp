#include "operation/invocation.hpp"

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "operation/ensuring.hpp"
#include "operation/guarding.hpp"
#include "operation/inherited.hpp"
#include "operation/router.hpp"
#include "operation/steps/chain.hpp"
#include "operation/steps/check.hpp"
#include "operation/steps/ensure.hpp"
#include "operation/steps/judge.hpp"
#include "operation/steps/retry.hpp"
#include "operation/steps/state.hpp"
#include "operation/steps/trim.hpp"
#include "operation/storing.hpp"

namespace toa::operation {
namespace {

using manifest::Scope;
using manifest::Type;

Reply failed(Exception exception) {
  return {std::move(exception)};
}

bool writes(const manifest::Operation& operation) {
  return operation.type == Type::transition || operation.type == Type::assignment;
}

Exception lost_for_good(const std::string& label, int lost) {
  return {.code = Code::state_concurrency,
          .message = "'" + label + "' lost " + std::to_string(lost) +
                     (lost == 1 ? " race" : " races") + " for its object to other writers"};
}

Exception overwritten_always(const std::string& label, const std::string& by) {
  return {.code = Code::state_concurrency,
          .message = "'" + label + "' calls '" + by + "', which writes to the very object that '" +
                     label + "' is changing, in every run: make the change in one of them",
          .for_good = true};
}

std::vector<ObjectKey> keys_of(const manifest::Component& component,
                               const std::vector<Change>& changes) {
  std::vector<ObjectKey> keys;
  for (const auto& change : changes) keys.push_back({component.id, change.after.id});
  return keys;
}

Reply first_reply(storage::FirstReply first) {
  Output output;
  if (first.reply) output.value = Document::of_text(std::move(*first.reply));
  return {std::move(output), Replay::yes};
}

}  // namespace

Invocation::Invocation(Router& router, const manifest::Component& component,
                       const manifest::Operation& operation, Call call, Lineage* above,
                       bridge::Consumer* consumer)
    : router_(router),
      component_(component),
      operation_(operation),
      call_(std::move(call)),
      lineage_{.above = above,
               .call = {operation.label, call_.request.id ? *call_.request.id
                                                          : new_identity(router.world().clock,
                                                                         router.world().random)},
               .host = &host_},
      host_(router, component, operation, call_, lineage_, consumer) {}

Task<Reply> Invocation::serve() {
  if (auto refused = check()) {
    fail(std::move(*refused));
  } else {
    // Calls made beneath derive their identities from this one's, so it has one even where nobody
    // gave it any.
    call_.request.id = lineage_.call.identity;
    co_await (operation_.once_window_s ? serve_once() : serve_attempts());
  }
  finish();
  co_return std::move(reply_);
}

Invocation::Attempt Invocation::fail(Exception exception) {
  reply_ = {std::move(exception)};
  return Attempt::replied;
}

std::optional<Exception> Invocation::check() const {
  const Trail fresh;
  const auto& passed = operation_.unchained ? fresh : call_.trail;
  if (auto refused = check_loop(passed, operation_.label, router_.world().chain)) return refused;
  if (auto refused = check_safety(call_.trail, call_.readonly, operation_)) return refused;
  if (auto refused = check_entity(operation_, call_.request)) return refused;
  if (auto refused = check_envelope(operation_, call_.request)) return refused;
  return component_.entity ? check_id(*component_.entity, call_.request) : std::nullopt;
}

Task<void> Invocation::serve_once() {
  auto seat = co_await router_.repeats().enter(lineage_);
  if (seat.first_reply()) {
    reply_ = first_reply(*seat.first_reply());
    co_return;
  }

  auto& storage = storage_of(router_.world(), component_);
  auto known = co_await storage.recall(operation_.label, lineage_.call.identity);
  if (!known) {
    fail(storage_failed(known.error()));
    co_return;
  }
  if (*known) {
    seat.leaves(**known);
    reply_ = first_reply(std::move(**known));
    co_return;
  }

  co_await serve_attempts();
  // The same call may have left its reply while this one ran, and what this one was refused for may
  // be what that left.
  if (!left_) {
    auto meanwhile = co_await storage.recall(operation_.label, lineage_.call.identity);
    if (meanwhile) left_ = std::move(*meanwhile);
    if (left_) reply_ = first_reply(*left_);
  }
  if (left_) seat.leaves(std::move(*left_));
}

Task<void> Invocation::serve_attempts() {
  if (auto refused = check_input(operation_, call_.request)) {
    fail(std::move(*refused));
    co_return;
  }
  for (int lost = 0;;) {
    auto attempted = co_await attempt(lost);
    turn_.end();
    if (saw_) attempted = co_await held_to(std::exchange(saw_, nullptr), attempted);
    lineage_.objects.clear();
    lineage_.holds = false;
    if (attempted == Attempt::replied) co_return;
    if (attempted == Attempt::taken_back) {
      ++taken_back_;
      // Its calls were refused, and what it set may follow from that. A run of an earlier attempt
      // made its calls: run again, it would make them a second time, under other identities.
      if (ran_) assigned_.reset();
      continue;
    }

    ++lost;
    // What an assignment fills in is applied to the newer state, without running it again.
    const bool in_vain = lineage_.overwritten_beneath && !assigned_;
    if (in_vain && !lineage_.overwritten_always_by.empty()) {
      fail(overwritten_always(operation_.label, lineage_.overwritten_always_by));
      co_return;
    }
    const auto again = after_lost_race(operation_, lost, router_.world().random);
    if (!again || in_vain) {
      fail(lost_for_good(operation_.label, lost));
      co_return;
    }
    co_await pause(router_.world().loop, again->pause);
  }
}

/// What was concluded from a state without a commit, a refusal say, holds where the state does.
Task<Invocation::Attempt> Invocation::held_to(storage::Accepted saw, Attempt attempted) {
  if (!co_await saw->stored()) {
    host_.saw_in_vain();
    co_return Attempt::taken_back;
  }
  host_.saw_what_holds();
  co_return attempted;
}

Task<Invocation::Attempt> Invocation::attempt(int lost) {
  lineage_.overwritten_beneath = false;
  lineage_.overwritten_always_by.clear();
  ran_ = false;
  if (takes_turns()) co_await take_turn(lost);
  auto given = co_await load();
  if (!given) co_return fail(std::move(given.error()));
  works_on(*given);

  ran_ = !assigned_;
  auto ran = assigned_ ? *assigned_ : co_await run(*given);
  if (operation_.type == Type::assignment) assigned_ = ran;
  auto changes = judge(std::move(ran), *given);
  if (changes.empty()) co_return Attempt::replied;
  if (!component_.guards.empty()) {
    auto refused = co_await guard(router_.world().bridge, component_, changes, caller());
    if (refused) co_return fail(std::move(*refused));
  }
  co_return co_await commit(std::move(changes));
}

bool Invocation::takes_turns() const {
  const bool one = operation_.scope == Scope::entry || operation_.scope == Scope::changeset;
  const auto& query = call_.request.query;
  return writes(operation_) && one && query && is_by_id_alone(*query);
}

Task<void> Invocation::take_turn(int lost) {
  const ObjectKey key{component_.id, *call_.request.query->id};
  const auto kind = lost >= limits::races_lost_before_hold ? Turns::Kind::hold : Turns::Kind::turn;
  turn_ = co_await router_.turns().take(key, lineage_, kind);
  lineage_.objects = {key};
  lineage_.holds = kind == Turns::Kind::hold;
  host_.in_turn(&turn_);
}

Task<Given> Invocation::load() {
  const auto& world = router_.world();
  const bool often = taken_back_ >= limits::taken_back_max;
  if (takes_turns() && (call_.request.entity || often)) co_await wait_for_durable_head();
  if (!call_.request.entity && takes_turns()) {
    auto start = co_await load_accepted(world, component_, operation_, *call_.request.query);
    saw_ = std::move(start.made_by);
    if (saw_) host_.saw(saw_);
    co_return std::move(start.given);
  }
  if (!call_.request.entity)
    co_return co_await operation::load(world, component_, operation_, call_.request);
  auto ensured = co_await ensure(world, component_, operation_, call_, caller());
  if (!ensured) co_return std::unexpected(std::move(ensured.error()));
  co_return std::vector<Object>{std::move(*ensured)};
}

Task<void> Invocation::wait_for_durable_head() {
  const auto head = co_await storage_of(router_.world(), component_)
                        .head(component_.id, *call_.request.query->id);
  if (head && head->made_by) co_await head->made_by->stored();
}

void Invocation::works_on(const std::vector<Object>& given) {
  if (!writes(operation_) || !lineage_.objects.empty()) return;
  for (const auto& object : given) lineage_.objects.push_back({component_.id, object.id});
}

std::optional<Document> Invocation::state_for_code(const std::vector<Object>& given) const {
  if (operation_.scope == Scope::none) return std::nullopt;
  if (operation_.scope == Scope::stream) return Document::of("stream");
  if (operation_.scope == Scope::changeset) return Document::of(JsonObject{});
  const auto& query = call_.request.query;
  const auto shown = [&query](const Object& object) {
    return query && query->projection ? project(state_of(object), *query->projection)
                                      : state_of(object);
  };
  if (operation_.scope == Scope::entry)
    return given.empty() ? Document::of(nullptr) : shown(given.front());
  std::string all = "[";
  for (const auto& object : given) {
    if (all.size() > 1) all += ',';
    all += shown(object).text();
  }
  return Document::of_text(all + ']');
}

Task<Invocation::Ran> Invocation::run(const std::vector<Object>& given) {
  const auto& world = router_.world();
  auto state = state_for_code(given);
  if (operation_.implementation.inherited == manifest::Inherited::stream)
    co_return co_await host_.pass_stream();
  if (const auto& inherited = operation_.implementation.inherited)
    co_return run_inherited(*inherited, state, call_.request.input, world.clock.now());

  bridge::Run run{.operation = bridge::OperationNumber(operation_.implementation.number),
                  .input = call_.request.input,
                  .state = std::move(state),
                  .readonly = readonly_beneath(call_.readonly, operation_),
                  .early = saw_ && saw_->is_pending(),
                  .caller = caller()};
  co_return co_await world.bridge.run(std::move(run), host_);
}

std::vector<Change> Invocation::judge(Ran ran, const std::vector<Object>& given) {
  if (auto* thrown = std::get_if<Exception>(&ran)) {
    thrown->for_good = host_.is_for_good(*thrown);
    fail(std::move(*thrown));
    return {};
  }
  if (auto* refusal = std::get_if<Refusal>(&ran)) {
    auto undeclared = operation::judge(operation_, *refusal, router_.world().judge_replies);
    reply_ = undeclared ? failed(std::move(*undeclared)) : Reply{std::move(*refusal)};
    return {};
  }
  return judge(std::get<bridge::Returned>(std::move(ran)), given);
}

std::vector<Change> Invocation::judge(bridge::Returned returned, const std::vector<Object>& given) {
  const bool stores = writes(operation_) && !returned.discard;
  std::vector<Change> changes;
  if (stores) {
    require(!given.empty() && returned.state, "it ran without an object, or left no state");
    auto left = changes_of(component_, operation_, given, {*returned.state, returned.trailers},
                           router_.world().clock.now());
    if (!left) return fail(std::move(left.error())), std::vector<Change>{};
    changes = std::move(*left);
  }
  Output output{std::move(returned.reply)};
  if (returned.reply_is_state)
    output.value = stores ? stored_state(operation_, changes, output.value) : returned.state;
  if (!returned.streamed) {
    auto misfit = operation::judge(operation_, output, router_.world().judge_replies);
    if (misfit) return fail(std::move(*misfit)), std::vector<Change>{};
  }
  reply_ = {std::move(output)};
  return returned.streamed ? std::vector<Change>{} : changes;
}

storage::Unit Invocation::unit_of(std::vector<Change> changes) {
  const auto& world = router_.world();
  storage::Unit unit;
  put(unit, world, component_, operation_, call_, std::move(changes));
  if (operation_.once_window_s) {
    const auto& value = std::get<Output>(reply_.outcome).value;
    unit.remembered = storage::Remembered{operation_.label, lineage_.call.identity,
                                          std::chrono::seconds(*operation_.once_window_s),
                                          value ? std::optional(value->text()) : std::nullopt};
  }
  if (call_.serves) unit.fates.push_back(storage::Acknowledge{*call_.serves});
  if (takes_turns() && unit.writes.size() == 1) {
    unit.writes.front().on = saw_;
    unit.on_accepted = [this] { turn_.end(); };
  }
  return unit;
}

Task<Invocation::Attempt> Invocation::commit(std::vector<Change> changes) {
  const auto keys = keys_of(component_, changes);
  auto unit = unit_of(std::move(changes));
  auto committed = co_await store(router_.world(), std::move(unit));
  if (!committed) co_return fail(storage_failed(committed.error()));
  if (const auto* clash = std::get_if<storage::Clash>(&*committed))
    co_return fail(duplicate(component_, *clash));
  if (const auto* lost = std::get_if<storage::Lost>(&*committed))
    co_return co_await settled(*lost, keys.front());
  if (auto* known = std::get_if<storage::FirstReply>(&*committed))
    co_return settled(std::move(*known));

  const auto again = operation_.once_window_s ? Lineage::Again::no : Lineage::Again::yes;
  for (const auto& key : keys) lineage_.tell_above_of_write(key, again);
  if (operation_.once_window_s) {
    const auto& value = std::get<Output>(reply_.outcome).value;
    left_ = storage::FirstReply{value ? std::optional(value->text()) : std::nullopt};
  }
  reply_.acknowledged = call_.serves.has_value();
  co_return Attempt::replied;
}

Task<Invocation::Attempt> Invocation::settled(const storage::Lost& lost, const ObjectKey& key) {
  if (lost.taken_back) co_return Attempt::taken_back;
  if (call_.request.query) co_return Attempt::lost_race;
  // A new object meets nobody but one that has its id: another run would lose as well.
  co_return fail(co_await id_taken(router_.world(), component_, key.id, "exists already"));
}

Invocation::Attempt Invocation::settled(storage::FirstReply known) {
  left_ = known;
  saw_ = nullptr;  // it was given before, whatever becomes of what this run saw
  reply_ = first_reply(std::move(known));
  return Attempt::replied;
}

void Invocation::finish() {
  if (auto* exception = std::get_if<Exception>(&reply_.outcome)) {
    // What a call beneath ended with says already where it began.
    if (exception->operation.empty()) exception->operation = operation_.label;
    return;
  }
  auto* output = std::get_if<Output>(&reply_.outcome);
  if (output != nullptr && call_.request.output)
    *output = trim(std::move(*output), *call_.request.output);
}

const bridge::Host* Invocation::caller() const {
  return lineage_.above == nullptr ? nullptr : lineage_.above->host;
}

}  // namespace toa::operation
