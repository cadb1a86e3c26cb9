#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "gateway/test_gateway.hpp"

namespace {

/// A gateway before operations that answer anything, which is asked whatever comes.
class Site final : public toa::gateway::GatewayTest {
 public:
  Site() {
    SetUp();
    beds(R"(/:id:
  anonymous: true
  output: true
  GET:
    endpoint: observe
    query: { sort: 'water:asc', limit: { value: 5, range: [1, 9] } }
  PUT: soak
  /soaks/**: { PUT: soak }
/counts/:n:
  isolated: true
  anonymous: true
  io:output: true
  map:headers: { text: x-text }
  map:languages: [en, fr]
  map:language: lang
  GET: count
  POST: count
/raw:
  anonymous: true
  map:buffer: text
  POST: count
/here: /garden/beds/counts/1)");
    expose();
    toa::require(gateway_.has_value(), "the routes of this program are good");
  }

  void ask_as_is(std::string_view bytes) {
    toa::gateway::http::Request request;
    toa::gateway::http::Parser parser(request, {});
    parser.take(bytes);
    if (parser.state() != toa::gateway::http::Parser::State::complete) return;
    toa::gateway::http::Response response;
    toa::Scope scope(loop_);
    scope.spawn(gateway_->serve(request, response));
    toa::require(scope.running() == 0, "every request is answered");
    toa::require(response.status >= 200 && response.status < 600, "every answer has a status");
    toa::require(response.status != 500, "nothing that is asked breaks the gateway");
    const auto fields = response.fields();
    for (std::size_t at = 0; (at = fields.find('\n', at)) != std::string::npos; ++at)
      toa::require(at > 0 && fields[at - 1] == '\r', "no header is split");
  }

 private:
  void TestBody() override {}
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Site site;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are what a text is made of
  site.ask_as_is({reinterpret_cast<const char*>(data), size});
  return 0;
}
