#pragma once

#include <expected>
#include <vector>

#include "async/task.hpp"
#include "manifest/application.hpp"
#include "model/exception.hpp"
#include "model/object.hpp"
#include "model/request.hpp"
#include "storage/acceptance.hpp"

namespace toa::operation {

struct World;

/// The objects that an operation is given, or why it cannot run.
using Given = std::expected<std::vector<Object>, Exception>;

/// Whether the query names one object, and asks nothing else of it.
bool is_by_id_alone(const Query& query);

/// Loads what the request selects, by the operation's scope: at most one object for `entry`, the
/// one to be changed for `changeset`, any number for `entries`. A transition without a query is
/// given a blank with a new id. What writes and selects nothing is refused as not found (spec core
/// 3.2), and so is another version than the one asked for (R169).
Task<Given> load(const World& world, const manifest::Component& component,
                 const manifest::Operation& operation, const Request& request);

/// What a change of one object starts from: the last accepted state, and the unit that made it
/// where it is not durable yet. What was concluded from it, a refusal too, holds when that unit is
/// stored.
struct Start {
  Given given;
  storage::Accepted made_by = {};
};

/// As `load`, for what selects one object by its id, in its turn (D5).
Task<Start> load_accepted(const World& world, const manifest::Component& component,
                          const manifest::Operation& operation, const Query& query);

}  // namespace toa::operation
