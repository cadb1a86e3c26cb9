#include "shop.hpp"

#include "expect.hpp"
#include "processes.hpp"
#include "program.hpp"

namespace toa::bench {
namespace {

constexpr auto credit = "shop.wallets.credit";
constexpr auto request =
    "{ query: { id: 0000000000000000000000000000ada0 }, input: { cents: 500 } }";
constexpr int starts = 5;
constexpr int calls_running = 30;
constexpr int calls_alone = 5;

const std::string path = TOA_SOURCE_DIR "/examples/shop";

}  // namespace

Shop measure_shop(const Options& options) {
  Shop shop;
  const auto data = options.folder + "/shop";
  for (int i = 0; i < starts; ++i) {
    const Application application(options.toa, path, data);
    shop.starts.add(application.start_took());
    shop.idle_mb = resident_mb(application.pid());
    for (int call = 0; call < calls_running / starts; ++call) {
      const auto ran = application.call(credit, request);
      expect(ran.code == 0, "a call of the running shop failed");
      shop.calls_running.add(ran.took);
    }
  }
  for (int i = 0; i < calls_alone; ++i) {
    const auto ran = run(options.toa, {"call", credit, request, "--path", path, "--data", data});
    expect(ran.code == 0, "a call of the shop failed that nobody runs");
    shop.calls_alone.add(ran.took);
  }
  return shop;
}

}  // namespace toa::bench
