#include "gateway/access/tokens.hpp"

#include "base/limits.hpp"

namespace toa::gateway {
namespace {

EpochMs milliseconds_of(std::chrono::seconds duration) {
  return std::chrono::milliseconds(duration).count();
}

}  // namespace

Tokens::Tokens(Sealer sealer, std::string application, TokenTerms terms, const Clock& clock)
    : sealer_(std::move(sealer)),
      application_(std::move(application)),
      terms_(terms),
      clock_(clock),
      known_(limits::tokens_known_max) {}

std::string Tokens::issue(Token token) const {
  token.application = application_;
  token.issued = clock_.now();
  token.expires = token.issued + milliseconds_of(terms_.lifetime);
  return seal(token);
}

Tokens::Opened Tokens::open(std::string_view text, std::string_view authority) {
  auto token = decrypted(text);
  if (!token) return std::unexpected("a token that is none of ours, or damaged");
  if (token->application != application_) return std::unexpected("a token of another application");
  if (token->authority != authority) return std::unexpected("a token of another authority");
  if (token->expires && clock_.now() >= *token->expires)
    return std::unexpected("a token that has expired");
  return token;
}

std::shared_ptr<const Token> Tokens::decrypted(std::string_view text) {
  if (const auto* known = known_.find(text)) return *known;
  const auto opened = sealer_.open(text);
  auto read = opened ? Token::read(*opened) : std::nullopt;
  if (!read) return nullptr;
  return *known_.put(std::string(text), std::make_shared<const Token>(std::move(*read)));
}

bool Tokens::is_stale(const Token& token) const {
  return token.custom.empty() && clock_.now() - token.issued > milliseconds_of(terms_.refresh);
}

}  // namespace toa::gateway
