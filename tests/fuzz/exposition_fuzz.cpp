#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "gateway/test_gateway.hpp"

namespace {

/// Reads whatever an author may write below `exposition`.
class Author final : public toa::gateway::GatewayTest {
 public:
  Author() { SetUp(); }

  void writes(std::string_view exposition) {
    beds(exposition);
    const auto read = start();
    if (!read) {
      toa::require(!read.error().empty(), "what is refused is told");
      return;
    }
    std::vector<std::string> warnings;
    const auto exposed = toa::gateway::expose(*read, families_, warnings);
    toa::require(exposed || !exposed.error().empty(), "what is refused is told");
  }

 private:
  void TestBody() override {}
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Author author;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are what a text is made of
  author.writes({reinterpret_cast<const char*>(data), size});
  return 0;
}
