#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "async/loop.hpp"
#include "async/task.hpp"
#include "base/result.hpp"

namespace toa::gateway {

/// How passwords are stored (G180). The pepper is a secret.
struct PasswordTerms {
  int rounds = 10;
  std::string pepper = {};
};

/// Hashes passwords with bcrypt, off the loop's thread, so many at once as there are threads. What
/// waits is bounded: `overloaded` beyond that. The threads outlive all tasks. Loop thread.
///
/// bcrypt looks at 72 bytes and stops at a zero, so it is given a keyed digest of the password.
class Passwords {
 public:
  Passwords(Loop& loop, std::vector<Executor*> threads, PasswordTerms terms);

  Task<Result<std::string>> hash(std::string password);
  /// Takes as long where there is no hash, which nothing matches: whether a username is known does
  /// not show in the time.
  Task<Result<bool>> matches(std::string password, std::string hash);

 private:
  Task<Result<std::string>> crypt(std::string password, std::string setting);

  Loop& loop_;
  std::vector<Executor*> threads_;
  PasswordTerms terms_;
  std::size_t next_ = 0;
  std::size_t waiting_ = 0;
};

}  // namespace toa::gateway
