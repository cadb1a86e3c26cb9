#include "model/exception.hpp"

#include <gtest/gtest.h>
#include <set>

namespace toa {
namespace {

struct Row {
  int code;
  std::string_view name;
  bool permanent;
};

// R24
constexpr Row table[] = {
    {0, "SystemException", false},
    {200, "ContractException", true},
    {201, "RequestSyntaxException", true},
    {202, "RequestContractException", true},
    {203, "RequestConflictException", true},
    {211, "ResponseContractException", true},
    {212, "EntityContractException", true},
    {213, "EntityGuardException", true},
    {221, "QuerySyntaxException", true},
    {300, "StateException", true},
    {302, "StateNotFoundException", false},
    {303, "StatePreconditionException", true},
    {304, "StateConcurrencyException", false},
    {305, "StateInitializationException", true},
    {306, "DuplicateException", true},
    {400, "CommunicationException", false},
    {401, "TransmissionException", false},
    {402, "EndpointException", true},
    {403, "AddresseeException", true},
    {404, "AbandonedException", true},
    {601, "LoopException", true},
    {602, "SafetyException", true},
    {603, "UnrecordableException", true},
    {604, "UnrepeatableException", true},
    {605, "MisuseException", true},
};

TEST(Exception, HasItsNameAndItsClassByItsCodeAlone) {
  for (const auto& [number, name, permanent] : table) {
    const auto code = code_of(number);
    ASSERT_TRUE(code) << number;
    EXPECT_EQ(static_cast<int>(*code), number);
    EXPECT_EQ(exception_name(*code), name);
    EXPECT_EQ(is_permanent(*code), permanent) << number;
  }
}

TEST(Exception, KnowsNoOtherCodes) {
  std::set<int> known;
  for (const auto& row : table) known.insert(row.code);
  for (int number = -1; number < 1'000; ++number) {
    EXPECT_EQ(code_of(number).has_value(), known.contains(number)) << number;
  }
}

}  // namespace
}  // namespace toa
