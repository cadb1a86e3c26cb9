#include "operation/ensuring.hpp"

#include "base/hex.hpp"
#include "base/limits.hpp"
#include "operation/guarding.hpp"
#include "operation/loading.hpp"
#include "operation/router.hpp"
#include "operation/steps/ensure.hpp"
#include "operation/storing.hpp"

namespace toa::operation {
namespace {

using Found = std::expected<std::optional<Object>, Exception>;
/// What came of making an object: it, or why it could not be stored.
struct Made {
  std::optional<Object> object = {};
  Exception taken = {};
};

Task<Found> find_by_query(const World& world, const manifest::Component& component,
                          const manifest::Operation& operation, const Request& request) {
  auto given = co_await load(world, component, operation, request);
  if (!given) co_return std::unexpected(std::move(given.error()));
  const bool written = !given->empty() && given->front().version.value > 0;
  if (!written) co_return std::nullopt;
  co_return std::move(given->front());
}

Task<Found> find_like(const World& world, const manifest::Component& component,
                      const JsonObject& wanted) {
  auto selection = selection_like(wanted);
  constexpr auto page = limits::ensure_page;
  for (selection.limit = page;; selection.omit += page) {
    auto found = co_await storage_of(world, component).find(component.id, selection);
    if (!found) co_return std::unexpected(reading_failed(found.error()));
    for (auto& object : *found) {
      if (is_like(object, wanted)) co_return std::move(object);
    }
    if (static_cast<std::int64_t>(found->size()) < page) co_return std::nullopt;
  }
}

Task<std::expected<Made, Exception>> make(const World& world, const manifest::Component& component,
                                          const manifest::Operation& operation, const Call& call,
                                          const JsonObject& wanted, const bridge::Host* caller) {
  const EntityId id(to_hex(new_uuid7(world.clock, world.random)));
  auto change = created_like(component, call.request, wanted, id, world.clock.now());
  if (!change) co_return std::unexpected(std::move(change.error()));
  std::vector<Change> changes{*change};
  if (auto refused = co_await guard(world.bridge, component, changes, caller))
    co_return std::unexpected(std::move(*refused));
  storage::Unit unit;
  put(unit, world, component, operation, call, std::move(changes));
  auto committed = co_await store(world, std::move(unit));
  if (!committed) co_return std::unexpected(storage_failed(committed.error()));
  if (const auto* clash = std::get_if<storage::Clash>(&*committed))
    co_return Made{.taken = duplicate(component, *clash)};
  if (std::holds_alternative<storage::Lost>(*committed))
    co_return Made{.taken =
                       co_await id_taken(world, component, change->after.id,
                                         "exists already, and is not what `entity` describes")};
  co_return Made{.object = std::move(change->after)};
}

}  // namespace

Task<std::expected<Object, Exception>> ensure(const World& world,
                                              const manifest::Component& component,
                                              const manifest::Operation& operation,
                                              const Call& call, const bridge::Host* caller) {
  const auto wanted = wanted_of(component, call.request);
  if (!wanted) co_return std::unexpected(wanted.error());
  // Who loses to another that made it looks once more, and finds what that one made.
  Exception taken;
  for (int round = 0; round < 2; ++round) {
    auto found = call.request.query
                     ? co_await find_by_query(world, component, operation, call.request)
                     : co_await find_like(world, component, *wanted);
    if (!found) co_return std::unexpected(std::move(found.error()));
    if (*found) co_return std::move(**found);
    auto made = co_await make(world, component, operation, call, *wanted, caller);
    if (!made) co_return std::unexpected(std::move(made.error()));
    if (made->object) co_return std::move(*made->object);
    taken = std::move(made->taken);
  }
  co_return std::unexpected(std::move(taken));
}

}  // namespace toa::operation
