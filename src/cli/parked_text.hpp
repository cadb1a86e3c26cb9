#pragma once

#include <string>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "cli/literal.hpp"
#include "cli/table.hpp"

namespace toa::cli {

/// A row of `toa parked`, under `parked_headers`.
Table::Row parked_headers();
Table::Row parked_row(const JsonObject& item, EpochMs now);

/// A row of `toa parked return --dry-run`, under `plan_headers`.
Table::Row plan_headers();
Table::Row plan_row(const JsonObject& item);

/// All that is known of one message, as `toa parked show` prints it.
std::string parked_details(const JsonObject& item, EpochMs now, LiteralStyle style);

/// `1 message`, `3 messages`.
std::string messages(std::size_t count);

}  // namespace toa::cli
