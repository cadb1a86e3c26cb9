#include "manifest/identity_reader.hpp"

#include "manifest/read_fixture.hpp"

namespace toa::manifest {
namespace {

class IdentityReader : public ReadTest {
 protected:
  void configuration(std::string_view lines) {
    write("context.toa.yaml", "name: shop\nconfiguration:\n" + std::string(lines));
    wallets("");
  }
};

TEST_F(IdentityReader, KeepsBothFormsForTheGateway) {
  for (const auto* lines :
       {"  identity.basic: { rounds: 4 }\n  identity.tokens: { lifetime: 5 }\n",
        "  identity:\n    basic: { rounds: 4 }\n    tokens: { lifetime: 5 }\n"}) {
    configuration(lines);
    const auto read = application();
    const auto& identity = read.context.identity;
    ASSERT_EQ(identity.size(), 2u);
    std::vector<Problem> problems;
    EXPECT_EQ(identity.at("basic").section(problems).value(), (JsonObject{{"rounds", 4}}));
    EXPECT_EQ(identity.at("tokens").section(problems).value(), (JsonObject{{"lifetime", 5}}));
  }
}

TEST_F(IdentityReader, TellsWhatItCannotUse) {
  configuration(
      "  identity.otp: {}\n  identity.basic: 1\n  identity: { tokens: {} }\n"
      "  identity.tokens: {}\n");
  const auto said = problems();
  EXPECT_TRUE(said.contains("context.toa.yaml:3: ")) << said;
  EXPECT_TRUE(said.contains("identity.otp is not supported by this release")) << said;
  EXPECT_TRUE(said.contains("context.toa.yaml:4: ")) << said;
  EXPECT_TRUE(said.contains("identity.tokens is there twice")) << said;
}

}  // namespace
}  // namespace toa::manifest
