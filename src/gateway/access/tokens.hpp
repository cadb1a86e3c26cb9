#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "gateway/access/fresh_cache.hpp"
#include "gateway/access/sealer.hpp"
#include "gateway/access/token.hpp"

namespace toa::gateway {

/// How long tokens are good, and after how long one is replaced (G189).
struct TokenTerms {
  std::chrono::seconds lifetime{2'592'000};
  std::chrono::seconds refresh{600};
};

/// Gives tokens and reads them. Loop thread.
class Tokens {
 public:
  Tokens(Sealer sealer, std::string application, TokenTerms terms, const Clock& clock);

  /// From now on, for the usual time.
  std::string issue(Token token) const;
  /// As it is.
  std::string seal(const Token& token) const { return sealer_.seal(token.text()); }

  using Opened = std::expected<std::shared_ptr<const Token>, std::string_view>;
  /// A token that is good for this authority now; else why it is not, for the log.
  Opened open(std::string_view text, std::string_view authority);

  /// Whether it is to be replaced (G172); a custom one never is.
  bool is_stale(const Token& token) const;

  const TokenTerms& terms() const { return terms_; }
  const std::string& application() const { return application_; }

 private:
  std::shared_ptr<const Token> decrypted(std::string_view text);

  Sealer sealer_;
  std::string application_;
  TokenTerms terms_;
  const Clock& clock_;
  // Decrypting takes 50 times as long as finding here.
  FreshCache<std::shared_ptr<const Token>> known_;
};

}  // namespace toa::gateway
