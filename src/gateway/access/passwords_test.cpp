#include "gateway/access/passwords.hpp"

#include <gtest/gtest.h>

#include "async/manual_loop.hpp"
#include "async/scope.hpp"
#include "async/worker_thread.hpp"
#include "base/limits.hpp"
#include "gateway/access/credential_rules.hpp"
#include "gateway/access/credentials.hpp"

namespace toa::gateway {
namespace {

class PasswordsTest : public testing::Test {
 protected:
  bool matches(Passwords& passwords, const std::string& password, const std::string& hash) {
    return *loop_.run_until(passwords.matches(password, hash));
  }

  ManualLoop loop_;
  WorkerThread thread_{"passwords"};
  Passwords passwords_{loop_, {&thread_}, {.rounds = 4, .pepper = {}}};
};

TEST_F(PasswordsTest, MatchTheirOwnHashAlone) {  // G180
  const auto hash = *loop_.run_until(passwords_.hash("secret:word"));
  EXPECT_TRUE(hash.starts_with("$2b$04$")) << hash;
  EXPECT_TRUE(matches(passwords_, "secret:word", hash));
  EXPECT_FALSE(matches(passwords_, "secret:wor", hash));
  EXPECT_FALSE(matches(passwords_, "secret:word", ""));
  EXPECT_NE(*loop_.run_until(passwords_.hash("secret:word")), hash);
}

TEST_F(PasswordsTest, CountToTheirLastByte) {
  const std::string long_one(200, 'a');
  const auto hash = *loop_.run_until(passwords_.hash(long_one));
  EXPECT_FALSE(matches(passwords_, long_one + "b", hash));
  const std::string zeros("a\0b", 3);
  const auto other = *loop_.run_until(passwords_.hash(zeros));
  EXPECT_FALSE(matches(passwords_, std::string("a\0c", 3), other));
  EXPECT_TRUE(matches(passwords_, zeros, other));
}

TEST_F(PasswordsTest, AreLostWithTheirPepper) {  // G180
  Passwords peppered(loop_, {&thread_}, {.rounds = 4, .pepper = "salt and"});
  const auto hash = *loop_.run_until(passwords_.hash("secret"));
  EXPECT_FALSE(matches(peppered, "secret", hash));
  const auto own = *loop_.run_until(peppered.hash("secret"));
  EXPECT_TRUE(matches(peppered, "secret", own));
}

/// Keeps work until it is told to go on.
class Held final : public Executor {
 public:
  void post(Callback work) override { held_.push_back(std::move(work)); }
  void release() {
    for (auto& work : held_) work();
    held_.clear();
  }

 private:
  std::vector<Callback> held_;
};

TEST_F(PasswordsTest, BeyondTheQueueAreTurnedAway) {
  Held held;
  Passwords passwords(loop_, {&held}, {.rounds = 4, .pepper = {}});
  Scope scope(loop_);
  int refused = 0;
  const auto ask = [&]() -> Task<void> {
    const auto hash = co_await passwords.hash("secret");
    if (!hash && hash.error().kind == ErrorKind::overloaded) ++refused;
  };
  for (std::size_t i = 0; i < limits::passwords_waiting_max + 3; ++i) scope.spawn(ask());
  EXPECT_EQ(refused, 3);
  held.release();
  loop_.run_until_idle();
  EXPECT_EQ(scope.running(), 0u);
  EXPECT_EQ(refused, 3);
}

TEST(Credentials, OfBasicEndTheUsernameAtTheFirstColon) {  // G169
  const auto user = UserPassword::read("YW5uOnA6cTpy");
  ASSERT_TRUE(user);
  EXPECT_EQ(user->username, "ann");
  EXPECT_EQ(user->password, "p:q:r");
  EXPECT_TRUE(UserPassword::read("YTpi"));
  EXPECT_TRUE(UserPassword::read("YTo="));
  EXPECT_TRUE(UserPassword::read("YTo"));
  for (const auto* bad : {"", "YW5u", "!!!!", "YTpi=x", "/zpi", "YW5uOnA6cTpyY", "===="})
    EXPECT_FALSE(UserPassword::read(bad)) << bad;
  EXPECT_FALSE(UserPassword::read(std::string(4'000, 'A')));
}

TEST(Credentials, AreASchemeInAnyCase) {  // G169
  const auto read = Authorization::read("bAsIc  abc");
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->is("Basic"));
  EXPECT_EQ(read->text, "abc");
  for (const auto* bad : {"", "Basic", "Basic ", " Basic abc"})
    EXPECT_FALSE(Authorization::read(bad)) << bad;
}

TEST(Credentials, OfPathsAreBase64Url) {  // G182
  EXPECT_EQ(read_base64url("YW5u"), "ann");
  EXPECT_EQ(read_base64url("_-8"), "\xff\xef");
  EXPECT_FALSE(read_base64url("/+8"));
}

TEST(CredentialRules, NameWhatIsWrong) {  // G177, G179
  CredentialRules rules;
  rules.usernames.push_back(*manifest::Pattern::compile("^.{1,128}$"));
  rules.passwords.push_back(*manifest::Pattern::compile("^.{8,32}$"));
  rules.passwords.push_back(*manifest::Pattern::compile("[0-9]"));
  EXPECT_EQ(rules.fault_of("ann", "password1"), "");
  EXPECT_EQ(rules.fault_of("", "password1"), "INVALID_USERNAME");
  EXPECT_EQ(rules.fault_of("a:b", "password1"), "INVALID_USERNAME");
  EXPECT_EQ(rules.fault_of(std::string(129, 'a'), "password1"), "INVALID_USERNAME");
  EXPECT_EQ(rules.fault_of("ann", "passwor"), "INVALID_PASSWORD");
  EXPECT_EQ(rules.fault_of("ann", "passwords"), "INVALID_PASSWORD");
  EXPECT_EQ(rules.fault_of("ännchen", "пароль-с-цифрой-1"), "");
}

}  // namespace
}  // namespace toa::gateway
