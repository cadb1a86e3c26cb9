#include "operation/invocation.hpp"

#include "base/assert.hpp"
#include "base/hex.hpp"
#include "operation/router.hpp"
#include "operation/steps/chain.hpp"
#include "operation/steps/change.hpp"
#include "operation/steps/check.hpp"
#include "operation/steps/judge.hpp"
#include "operation/steps/merge.hpp"
#include "operation/steps/retry.hpp"
#include "operation/steps/state.hpp"
#include "operation/steps/trim.hpp"

namespace toa::operation {
namespace {

using manifest::Inherited;
using manifest::Scope;
using manifest::Type;

Reply failed(Exception exception) {
  return {std::move(exception)};
}

/// A storage that cannot answer is like code that throws: nothing was stored, and a later try may
/// succeed.
Exception storage_failed(const Error& error) {
  return {.code = Code::system, .message = error.message};
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

Reply first_reply(storage::FirstReply first) {
  Output output;
  if (first.reply) output.value = Document::of_text(std::move(*first.reply));
  return {std::move(output), Replay::yes};
}

}  // namespace

Invocation::Invocation(Router& router, const manifest::Component& component,
                       const manifest::Operation& operation, Call call, Lineage* above)
    : router_(router),
      component_(component),
      operation_(operation),
      call_(std::move(call)),
      lineage_{.above = above,
               .call = {operation.label, call_.request.id ? *call_.request.id
                                                          : new_identity(router.world().clock,
                                                                         router.world().random)},
               .host = &host_},
      host_(router, operation, call_, lineage_) {}

Task<Reply> Invocation::serve() {
  if (auto refused = check()) co_return failed(std::move(*refused));
  // Calls made beneath derive their identities from this one's, so it has one even where nobody
  // gave it any.
  call_.request.id = lineage_.call.identity;
  auto reply = operation_.once_window_s ? co_await serve_once() : co_await serve_attempts();
  co_return trimmed(std::move(reply));
}

std::optional<Exception> Invocation::check() const {
  const Trail fresh;
  const auto& passed = operation_.unchained ? fresh : call_.trail;
  if (auto refused = check_loop(passed, operation_.label, router_.world().chain)) return refused;
  if (auto refused = check_safety(call_.trail, call_.readonly, operation_)) return refused;
  return check_envelope(operation_, call_.request);
}

Task<Reply> Invocation::serve_once() {
  auto seat = co_await router_.repeats().enter(lineage_);
  if (seat.first_reply()) co_return first_reply(*seat.first_reply());

  auto known = co_await storage().recall(operation_.label, lineage_.call.identity);
  if (!known) co_return failed(storage_failed(known.error()));
  if (*known) {
    seat.leaves(**known);
    co_return first_reply(std::move(**known));
  }

  auto reply = co_await serve_attempts();
  // The same call may have left its reply while this one ran, and what this one was refused for may
  // be what that left.
  if (!left_) {
    auto meanwhile = co_await storage().recall(operation_.label, lineage_.call.identity);
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
    lineage_.object.reset();
    lineage_.holds = false;
    if (attempted) co_return std::move(*attempted);

    ++lost;
    if (!lineage_.overwritten_always_by.empty())
      co_return failed(overwritten_always(operation_.label, lineage_.overwritten_always_by));
    const auto again = after_lost_race(operation_, lost, router_.world().random);
    if (!again || lineage_.overwritten_beneath)
      co_return failed(lost_for_good(operation_.label, lost));
    co_await pause(router_.world().loop, again->pause);
  }
}

bool Invocation::takes_turns() const {
  return operation_.type == Type::transition && operation_.scope == Scope::entry &&
         call_.request.query && call_.request.query->id;
}

Task<Invocation::Attempt> Invocation::attempt(int lost) {
  lineage_.overwritten_beneath = false;
  lineage_.overwritten_always_by.clear();
  if (takes_turns()) {
    const ObjectKey key{component_.id, *call_.request.query->id};
    const auto kind =
        lost >= limits::races_lost_before_hold ? Turns::Kind::hold : Turns::Kind::turn;
    turn_ = co_await router_.turns().take(key, lineage_, kind);
    lineage_.object = key;
    lineage_.holds = kind == Turns::Kind::hold;
    host_.in_turn(&turn_);
  }
  auto loaded = co_await load();
  if (!loaded) co_return failed(std::move(loaded.error()));

  auto ran = co_await run(*loaded);
  std::optional<Left> left;
  auto judged = judge(std::move(ran), *loaded, left);
  if (!judged || !left) co_return judged;
  co_return co_await commit(std::move(*judged), **loaded, std::move(*left));
}

Task<Invocation::Loaded> Invocation::load() {
  if (operation_.scope != Scope::entry) co_return std::nullopt;
  const auto& query = call_.request.query;
  const bool writes = operation_.type == Type::transition;
  if (!query) {
    if (!writes) co_return std::nullopt;
    const auto& world = router_.world();
    co_return unwritten(*component_.entity, EntityId(to_hex(new_uuid7(world.clock, world.random))));
  }

  auto found = co_await storage().load(component_.id, *query->id);
  if (!found) co_return std::unexpected(storage_failed(found.error()));
  std::optional<storage::Object> object = std::move(*found);
  if (!object && component_.entity->associated) object = unwritten(*component_.entity, *query->id);
  if (object && object->deleted && !query->deleted) object.reset();

  if (!object) {
    if (!writes) co_return std::nullopt;
    co_return std::unexpected(
        Exception{.code = Code::state_not_found,
                  .message = component_.id.value + " '" + query->id->value + "' not found"});
  }
  if (query->version && *query->version != object->version) {
    co_return std::unexpected(
        Exception{.code = Code::state_precondition,
                  .message = component_.id.value + " '" + query->id->value + "' is at version " +
                             std::to_string(object->version.value) + ", not " +
                             std::to_string(query->version->value)});
  }
  co_return object;
}

Task<Invocation::Ran> Invocation::run(const std::optional<storage::Object>& object) {
  std::optional<Document> state;
  const auto& query = call_.request.query;
  if (operation_.scope == Scope::entry) state = object ? state_of(*object) : Document::of(nullptr);
  if (object && query && query->projection) state = project(*state, *query->projection);
  if (operation_.implementation.inherited) co_return run_inherited(state);

  bridge::Run run{.operation = bridge::OperationNumber(operation_.implementation.number),
                  .input = call_.request.input,
                  .state = std::move(state),
                  .readonly = readonly_beneath(call_.readonly, operation_),
                  .caller = lineage_.above == nullptr ? nullptr : lineage_.above->host};
  co_return co_await router_.world().bridge.run(std::move(run), host_);
}

Invocation::Ran Invocation::run_inherited(const std::optional<Document>& state) const {
  bridge::Returned returned;
  switch (*operation_.implementation.inherited) {
    case Inherited::observe:
      returned.reply = *state;
      break;
    case Inherited::transit: {
      const auto& input = call_.request.input;
      const auto* given = input ? input->value().if_object() : nullptr;
      returned.reply_is_state = true;
      returned.state =
          Document::of(merge(state->value().as_object(), given == nullptr ? JsonObject{} : *given));
      break;
    }
  }
  return returned;
}

Invocation::Attempt Invocation::judge(Ran ran, const std::optional<storage::Object>& object,
                                      std::optional<Left>& left) const {
  const auto judged = router_.world().judge_replies;
  if (auto* thrown = std::get_if<Exception>(&ran)) {
    thrown->for_good = host_.is_for_good(*thrown);
    return failed(std::move(*thrown));
  }
  if (auto* refusal = std::get_if<Refusal>(&ran)) {
    auto undeclared = operation::judge(operation_, *refusal, judged);
    return undeclared ? failed(std::move(*undeclared)) : Reply{std::move(*refusal)};
  }

  auto& returned = std::get<bridge::Returned>(ran);
  const bool stores = operation_.type == Type::transition && !returned.discard;
  if (stores) {
    require(object && returned.state, "a transition ran without an object, or left no state");
    auto next =
        next_object(component_, *object, returned.state->value(), router_.world().clock.now());
    if (!next) return failed(std::move(next.error()));
    left = Left{std::move(*next), std::move(returned.trailers)};
  }
  Output output{std::move(returned.reply)};
  if (returned.reply_is_state)
    output.value = stores ? state_of(left->object) : std::move(returned.state);
  if (auto misfit = operation::judge(operation_, output, judged)) {
    left.reset();
    return failed(std::move(*misfit));
  }
  return Reply{std::move(output)};
}

Record Invocation::record_of(const storage::Object& before, const Left& left) const {
  const auto& world = router_.world();
  return {.id = new_identity(world.clock, world.random),
          .component = component_.id,
          .at = left.object.updated,
          .change = change_of(before, left.object, left.trailers, call_.request.input),
          .trail = trail_beneath(call_.trail, operation_)};
}

storage::Unit Invocation::unit_of(const Reply& reply, const storage::Object& before,
                                  Left left) const {
  const auto& world = router_.world();
  storage::Unit unit;
  if (is_kept()) {
    if (manifest::announces(world.application, component_))
      unit.records.push_back(record_of(before, left));
    unit.writes.push_back({component_.id, before.version, std::move(left.object)});
  }
  if (operation_.once_window_s) {
    const auto& value = std::get<Output>(reply.outcome).value;
    unit.remembered = storage::Remembered{operation_.label, lineage_.call.identity,
                                          world.clock.now() + *operation_.once_window_s * 1000,
                                          value ? std::optional(value->text()) : std::nullopt};
  }
  if (call_.serves) unit.fates.push_back(storage::Acknowledge{*call_.serves});
  return unit;
}

Task<Invocation::Attempt> Invocation::commit(Reply reply, const storage::Object& before,
                                             Left left) {
  const ObjectKey key{component_.id, left.object.id};
  auto unit = unit_of(reply, before, std::move(left));
  const auto records = unit.records;
  const auto remembered = unit.remembered;
  auto committed = co_await router_.world().storage.commit(std::move(unit));
  if (!committed) co_return failed(storage_failed(committed.error()));
  if (std::holds_alternative<storage::Lost>(*committed)) {
    // A new object meets nobody but one that has its id for good: another run would lose as well.
    if (!call_.request.query) co_return failed(id_taken(key));
    co_return std::unexpected(LostRace{});
  }
  if (auto* known = std::get_if<storage::FirstReply>(&*committed)) {
    left_ = *known;
    co_return first_reply(std::move(*known));
  }
  lineage_.tell_above_of_write(key,
                               operation_.once_window_s ? Lineage::Again::no : Lineage::Again::yes);
  if (remembered) left_ = storage::FirstReply{remembered->reply};
  for (const auto& record : records) router_.world().outgoing.stored(record);
  reply.acknowledged = call_.serves.has_value();
  co_return reply;
}

Reply Invocation::trimmed(Reply reply) const {
  auto* output = std::get_if<Output>(&reply.outcome);
  if (output == nullptr || !call_.request.output) return reply;
  return {trim(std::move(*output), *call_.request.output), reply.replay, reply.acknowledged};
}

bool Invocation::is_kept() const {
  return component_.entity && !component_.entity->storage.empty();
}

storage::Storage& Invocation::storage() const {
  return is_kept() ? router_.world().storage : router_.world().nowhere;
}

}  // namespace toa::operation
