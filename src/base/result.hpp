#pragma once

#include <expected>
#include <string>
#include <utility>

namespace toa {

/// What may be done after a failure; the caller decides by this, never by the text.
enum class ErrorKind {
  invalid,          // the request can never succeed: do not repeat it
  conflict,         // reload, then run again
  unavailable,      // nothing was changed: wait, then try again
  overloaded,       // a bound was reached: wait first
  unknown_outcome,  // it may have happened: look before repeating
  broken,           // a fault of ours: report it
};

/// A failure that was to be expected. `message` is for a person: what is wrong, where, what to do.
struct Error {
  ErrorKind kind = ErrorKind::broken;
  std::string message;
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return std::unexpected(Error{kind, std::move(message)});
}

}  // namespace toa
