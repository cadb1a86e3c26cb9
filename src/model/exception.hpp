#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace toa {

/// The exceptions of the runtime, by their numeric codes (R24; docs/errors/).
enum class Code : int {
  system = 0,
  contract = 200,
  request_syntax = 201,
  request_contract = 202,
  request_conflict = 203,
  response_contract = 211,
  entity_contract = 212,
  entity_guard = 213,
  query_syntax = 221,
  state = 300,
  state_not_found = 302,
  state_precondition = 303,
  state_concurrency = 304,
  state_initialization = 305,
  duplicate = 306,
  communication = 400,
  transmission = 401,
  endpoint = 402,
  addressee = 403,
  abandoned = 404,
  loop = 601,
  safety = 602,
  unrecordable = 603,
  unrepeatable = 604,
  misuse = 605,
};

/// `LoopException`, `SystemException`, …; `Exception` for a code that is not ours.
std::string_view exception_name(Code code);

/// The code of a number, nothing where it is not one of ours.
std::optional<Code> code_of(int number);

/// Whether repeating the message cannot help, so that it is parked on its first delivery (R24). A
/// function of the code alone.
bool is_permanent(Code code);

/// Something went wrong and nothing was stored; thrown at whoever waits.
struct Exception {
  Code code = Code::system;
  std::string message = {};
  /// The operation that it ended first, however many calls above it it passed through; empty for
  /// what ended none.
  std::string operation = {};
  std::optional<Json> cause = {};
  /// The hops of the chain, for Loop and Safety.
  std::vector<std::string> trail = {};
  /// Of the author's code, where it threw; for operators, never for clients.
  std::string stack = {};
  /// The name of what an author's code threw (`TypeError`), where the code is System.
  std::string thrown = {};
  /// Another run would fail alike, whatever the code says, and do harm each time: it ended its
  /// worker more than once, or what it calls overwrites it.
  bool for_good = false;
};

/// Whether repeating the message that came to this cannot help (R24), or is known to do harm.
bool is_permanent(const Exception& exception);

}  // namespace toa
