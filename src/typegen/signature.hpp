#pragma once

#include <string>

#include "manifest/application.hpp"

namespace toa::typegen {

/// The type by which an operation is called, `Call<…, …>`. `from` stands in front of the names that
/// its component's types export: empty within them, `shop_wallets.` elsewhere.
std::string signature(const manifest::Component& component, const manifest::Operation& operation,
                      std::string_view from);

/// The type of an operation's input: `null` where it declares none.
std::string input_type(const manifest::Operation& operation);

/// The type of its reply: `unknown` where none is declared (R175).
std::string output_type(const manifest::Operation& operation);

}  // namespace toa::typegen
