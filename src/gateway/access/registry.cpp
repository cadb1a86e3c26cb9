#include "gateway/access/registry.hpp"

#include "base/hex.hpp"
#include "base/limits.hpp"
#include "base/sha256.hpp"
#include "gateway/access/identity_components.hpp"

namespace toa::gateway {
namespace {

constexpr std::size_t id_bytes = 16;

/// The id of a username's object: there is one per authority and username.
std::string username_id(std::string_view authority, std::string_view username) {
  const auto hash = sha256_framed({"toa:1:username", authority, username});
  return to_hex(std::span(hash).first(id_bytes));
}

bool is_conflict(Code code) {
  return code == Code::state_concurrency || code == Code::state_precondition;
}

std::string text_of(const Json& object, std::string_view name) {
  const auto* value = json::find(object, name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::int64_t number_of(const Json& object, std::string_view name) {
  const auto* value = json::find(object, name);
  return value != nullptr && value->is_int64() ? value->get_int64() : 0;
}

std::unexpected<Error> taken() {
  return fail(ErrorKind::conflict, "the username is taken");
}

}  // namespace

std::string Registry::new_id() const {
  return to_hex(new_uuid7(clock_, random_));
}

Task<Result<Json>> Registry::call(Call call) {
  call.request.id = new_identity(clock_, random_);
  auto reply = co_await calls_.call(std::move(call));
  if (auto* output = std::get_if<Output>(&reply.outcome))
    co_return output->value ? output->value->value() : Json();
  const auto* exception = std::get_if<Exception>(&reply.outcome);
  if (exception == nullptr) co_return fail(ErrorKind::broken, "an identity was refused");
  co_return fail(is_conflict(exception->code) ? ErrorKind::conflict : ErrorKind::unavailable,
                 exception->message);
}

Task<Result<Json>> Registry::observe(std::string_view endpoint, std::string id) {
  Call made{.endpoint = std::string(endpoint), .request = {}};
  made.request.query.emplace().id = EntityId(std::move(id));
  co_return co_await call(std::move(made));
}

Task<Result<void>> Registry::transit(std::string_view endpoint, std::string id,
                                     std::int64_t version, JsonObject properties) {
  Call made{.endpoint = std::string(endpoint), .request = {}};
  auto& query = made.request.query.emplace();
  query.id = EntityId(std::move(id));
  query.version = Version(version);
  made.request.input = Document::of(std::move(properties));
  auto stored = co_await call(std::move(made));
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  co_return Result<void>{};
}

Task<Result<Account>> Registry::account(std::string id) {
  auto found = co_await observe(identity_endpoint::observe_account, id);
  if (!found) co_return std::unexpected(std::move(found.error()));
  auto account = Account::read(*found);
  account.id = std::move(id);
  co_return account;
}

Task<Result<void>> Registry::save(const Account& account) {
  co_return co_await transit(identity_endpoint::transit_account, account.id, account.version,
                             account.properties());
}

Task<Result<std::optional<Account>>> Registry::owner(std::string authority, std::string username) {
  const auto id = username_id(authority, username);
  auto found = co_await observe(identity_endpoint::observe_username, id);
  if (!found) co_return std::unexpected(std::move(found.error()));
  const auto owner = text_of(*found, "account");
  if (owner.empty()) co_return std::optional<Account>{};
  auto known = co_await account(owner);
  if (!known) co_return std::unexpected(std::move(known.error()));
  if (known->username != username || known->authority != authority)
    co_return std::optional<Account>{};
  co_return std::optional(std::move(*known));
}

Task<Result<void>> Registry::take(Name name) {
  const auto id = username_id(name.authority, name.username);
  auto found = co_await observe(identity_endpoint::observe_username, id);
  if (!found) co_return std::unexpected(std::move(found.error()));
  const auto owner = text_of(*found, "account");
  if (!owner.empty() && owner != name.account) {
    auto other = co_await account(owner);
    if (!other) co_return std::unexpected(std::move(other.error()));
    if (other->username == name.username && other->authority == name.authority) co_return taken();
    const auto age = clock_.now() - number_of(*found, "UPDATED");
    if (age < limits::username_claim_max.count()) co_return taken();
  }
  co_return co_await transit(identity_endpoint::transit_username, id, number_of(*found, "VERSION"),
                             {{"authority", name.authority},
                              {"username", name.username},
                              {"account", name.account},
                              {"claim", name.claim}});
}

Task<void> Registry::release(Name name) {
  const auto id = username_id(name.authority, name.username);
  const auto found = co_await observe(identity_endpoint::observe_username, id);
  if (!found || text_of(*found, "account") != name.account ||
      text_of(*found, "claim") != name.claim)
    co_return;
  const auto released = co_await transit(identity_endpoint::transit_username, id,
                                         number_of(*found, "VERSION"), {{"account", ""}});
  // It is free all the same, only later (4).
  static_cast<void>(released);
}

Task<Result<void>> Registry::create(Account account) {
  account.claim = new_id();
  auto saved = co_await save(account);
  if (!saved) co_return saved;
  co_return co_await take({account.authority, account.username, account.id, account.claim});
}

}  // namespace toa::gateway
