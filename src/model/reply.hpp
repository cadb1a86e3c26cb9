#pragma once

#include <optional>
#include <string>
#include <variant>

#include "base/document.hpp"
#include "model/exception.hpp"

namespace toa {

/// What an operation answered; nothing where it returned nothing (`undefined`), which is not
/// `null`.
struct Output {
  std::optional<Document> value;
};

/// An operation said no: it returned `Error('CODE')`. A value, not a failure (R5).
struct Refusal {
  std::string code;
  std::optional<Json> cause;
};

/// What a call came to: exactly one of the three (R2).
using Outcome = std::variant<Output, Refusal, Exception>;

enum class Replay { no, yes };

/// The answer to a request. `replay` says that it is the first reply of a remembered call, given
/// again.
struct Reply {
  Outcome outcome;
  Replay replay = Replay::no;
  /// The message that the call served left the queue together with what the operation stored.
  bool acknowledged = false;
};

}  // namespace toa
