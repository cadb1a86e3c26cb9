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

Exception id_taken(const ObjectKey& key) {
  return {.code = Code::state_concurrency,
          .message = key.component.value + " '" + key.id.value + "' exists already"};
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
  if (auto refused = check()) co_return named(failed(std::move(*refused)));
  // Calls made beneath derive their identities from this one's, so it has one even where nobody
  // gave it any.
  call_.request.id = lineage_.call.identity;
  auto reply = operation_.once_window_s ? co_await serve_once() : co_await serve_attempts();
  co_return trimmed(named(std::move(reply)));
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

Task<Reply> Invocation::serve_once() {
  auto seat = co_await router_.repeats().enter(lineage_);
  if (seat.first_reply()) co_return first_reply(*seat.first_reply());

  auto known = co_await storage_of(router_.world(), component_)
                   .recall(operation_.label, lineage_.call.identity);
  if (!known) co_return failed(storage_failed(known.error()));
  if (*known) {
    seat.leaves(**known);
    co_return first_reply(std::move(**known));
  }

  auto reply = co_await serve_attempts();
  // The same call may have left its reply while this one ran, and what this one was refused for may
  // be what that left.
  if (!left_) {
    auto meanwhile = co_await storage_of(router_.world(), component_)
                         .recall(operation_.label, lineage_.call.identity);
    if (meanwhile) left_ = std::move(*meanwhile);
    if (left_) reply = first_reply(*left_);
  }
  if (left_) seat.leaves(*left_);
  co_return reply;
}

Task<Reply> Invocation::serve_attempts() {
  if (auto refused = check_input(operation_, call_.request)) co_return failed(std::move(*refused));
  for (int lost = 0;;) {
    auto attempted = co_await attempt(lost);
    turn_.end();
    attempted = co_await held_to_what_it_saw(std::move(attempted));
    lineage_.objects.clear();
    lineage_.holds = false;
    if (attempted) co_return std::move(*attempted);
    if (attempted.error() == Vain::taken_back) {
      ++taken_back_;
      continue;
    }

    ++lost;
    // What an assignment fills in is applied to the newer state, without running it again.
    const bool in_vain = lineage_.overwritten_beneath && !assigned_;
    if (in_vain && !lineage_.overwritten_always_by.empty())
      co_return failed(overwritten_always(operation_.label, lineage_.overwritten_always_by));
    const auto again = after_lost_race(operation_, lost, router_.world().random);
    if (!again || in_vain) co_return failed(lost_for_good(operation_.label, lost));
    co_await pause(router_.world().loop, again->pause);
  }
}

/// What was concluded from a state without a commit, a refusal say, holds where the state does.
Task<Invocation::Attempt> Invocation::held_to_what_it_saw(Attempt attempted) {
  const auto saw = std::exchange(saw_, nullptr);
  if (!saw) co_return attempted;
  if (!co_await saw->stored()) {
    host_.saw_in_vain();
    co_return std::unexpected(Vain::taken_back);
  }
  host_.saw_what_holds();
  co_return attempted;
}

Task<Invocation::Attempt> Invocation::attempt(int lost) {
  lineage_.overwritten_beneath = false;
  lineage_.overwritten_always_by.clear();
  if (takes_turns()) co_await take_turn(lost);
  auto given = co_await load();
  if (!given) co_return failed(std::move(given.error()));
  works_on(*given);

  auto ran = assigned_ ? *assigned_ : co_await run(*given);
  if (operation_.type == Type::assignment) assigned_ = ran;
  auto judged = judge(std::move(ran), *given);
  if (judged.changes.empty()) co_return std::move(judged.reply);
  auto refused = co_await guard(router_.world().bridge, component_, judged.changes, caller());
  if (refused) co_return failed(std::move(*refused));
  co_return co_await commit(std::move(judged));
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

Invocation::Judged Invocation::judge(Ran ran, const std::vector<Object>& given) const {
  const auto judged = router_.world().judge_replies;
  if (auto* thrown = std::get_if<Exception>(&ran)) {
    thrown->for_good = host_.is_for_good(*thrown);
    return {failed(std::move(*thrown))};
  }
  if (auto* refusal = std::get_if<Refusal>(&ran)) {
    auto undeclared = operation::judge(operation_, *refusal, judged);
    return {undeclared ? failed(std::move(*undeclared)) : Reply{std::move(*refusal)}};
  }

  auto& returned = std::get<bridge::Returned>(ran);
  const bool stores = writes(operation_) && !returned.discard;
  std::vector<Change> changes;
  if (stores) {
    require(!given.empty() && returned.state, "it ran without an object, or left no state");
    auto left = changes_of(component_, operation_, given, {*returned.state, returned.trailers},
                           router_.world().clock.now());
    if (!left) return {failed(std::move(left.error()))};
    changes = std::move(*left);
  }
  Output output{std::move(returned.reply)};
  if (returned.reply_is_state)
    output.value = stores ? stored_state(operation_, changes, output.value) : returned.state;
  if (returned.streamed) return {Reply{std::move(output)}};
  if (auto misfit = operation::judge(operation_, output, judged))
    return {failed(std::move(*misfit))};
  return {Reply{std::move(output)}, std::move(changes)};
}

storage::Unit Invocation::unit_of(const Reply& reply, std::vector<Change> changes) {
  const auto& world = router_.world();
  storage::Unit unit;
  put(unit, world, component_, operation_, call_, std::move(changes));
  if (operation_.once_window_s) {
    const auto& value = std::get<Output>(reply.outcome).value;
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

Task<Invocation::Attempt> Invocation::commit(Judged judged) {
  const auto keys = keys_of(component_, judged.changes);
  auto unit = unit_of(judged.reply, std::move(judged.changes));
  const auto remembered = unit.remembered;
  auto committed = co_await store(router_.world(), std::move(unit));
  if (!committed) co_return failed(storage_failed(committed.error()));
  if (const auto* clash = std::get_if<storage::Clash>(&*committed))
    co_return failed(duplicate(component_, *clash));
  if (const auto* lost = std::get_if<storage::Lost>(&*committed)) {
    if (lost->taken_back) co_return std::unexpected(Vain::taken_back);
    // A new object meets nobody but one that has its id for good: another run would lose as well.
    if (!call_.request.query) co_return failed(id_taken(keys.front()));
    co_return std::unexpected(Vain::lost_race);
  }
  if (auto* known = std::get_if<storage::FirstReply>(&*committed)) {
    left_ = *known;
    saw_ = nullptr;  // it was given before, whatever becomes of what this run saw
    co_return first_reply(std::move(*known));
  }
  const auto again = operation_.once_window_s ? Lineage::Again::no : Lineage::Again::yes;
  for (const auto& key : keys) lineage_.tell_above_of_write(key, again);
  if (remembered) left_ = storage::FirstReply{remembered->reply};
  judged.reply.acknowledged = call_.serves.has_value();
  co_return std::move(judged.reply);
}

/// What a call beneath ended with says already where it began.
Reply Invocation::named(Reply reply) const {
  auto* exception = std::get_if<Exception>(&reply.outcome);
  if (exception != nullptr && exception->operation.empty()) exception->operation = operation_.label;
  return reply;
}

Reply Invocation::trimmed(Reply reply) const {
  auto* output = std::get_if<Output>(&reply.outcome);
  if (output == nullptr || !call_.request.output) return reply;
  return {trim(std::move(*output), *call_.request.output), reply.replay, reply.acknowledged};
}

const bridge::Host* Invocation::caller() const {
  return lineage_.above == nullptr ? nullptr : lineage_.above->host;
}

}  // namespace toa::operation
