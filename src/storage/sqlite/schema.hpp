#pragma once

#include <string>

#include "base/result.hpp"
#include "model/names.hpp"
#include "storage/sqlite/connection.hpp"

namespace toa::storage::sqlite {

/// "Toa1", in the header of every file of ours: `file toa.db` and other programs can tell.
inline constexpr int application_id = 0x546f6131;
/// The format that this program writes. A file of a newer one is refused, an older one is brought
/// up to it.
inline constexpr int format_version = 4;

/// Sets how the writer's connection stores, and brings the file up to `format_version`.
Result<void> set_up_writer(Connection& connection);
Result<void> set_up_reader(Connection& connection);

/// SQL that holds where an expired record stays because of a message whose identity begins alike,
/// now (`now_parameter`) or lately (D6). `identity` is an expression.
std::string is_pinned(const std::string& identity, const std::string& now_parameter);

/// The table of a component's objects, quoted. SQLite compares names without regard to case,
/// components do not.
std::string object_table(const ComponentId& component);
std::string object_table_name(const ComponentId& component);  // not quoted
std::string create_object_table(const ComponentId& component);

}  // namespace toa::storage::sqlite
