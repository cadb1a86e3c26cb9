#include "kill/load.hpp"

#include "kill/exchange.hpp"

namespace toa::kill {
namespace {

constexpr std::size_t clients = 6;
constexpr std::uint64_t burst_max = 6;

}  // namespace

Load::Load(std::string path, Ledger& ledger, std::uint64_t seed)
    : path_(std::move(path)), ledger_(ledger), running_(clients) {
  for (std::size_t i = 0; i < clients; ++i) {
    clients_.emplace_back([this, own = seed * clients + i] { run(own); });
  }
}

Load::~Load() {
  for (auto& client : clients_) client.join();
}

void Load::run(std::uint64_t seed) {
  SeededRandom random(seed);
  auto connection = LineClient::connect(path_);
  for (bool alive = connection.has_value(); alive;) {
    const auto requests = burst(random);
    alive = exchange(*connection, ledger_, requests);
    if (connection->silent()) silent_ = true;
    const std::lock_guard lock(mutex_);
    if (alive) answers_ += requests.size();
    changed_.notify_all();
  }
  const std::lock_guard lock(mutex_);
  --running_;
  changed_.notify_all();
}

// A repeat goes out beside its first, on the same connection and on others: clients and networks do
// that.
std::vector<Ledger::Sent> Load::burst(Random& random) {
  std::vector<Ledger::Sent> requests;
  for (auto size = 1 + random.below(burst_max); size > 0; --size) {
    const auto what = random.below(10);
    const auto repeat = what < 3 ? ledger_.repeat(random) : std::nullopt;
    if (repeat) {
      requests.push_back(*repeat);
    } else if (what == 3 && !requests.empty()) {
      requests.push_back(requests.back());
    } else {
      requests.push_back(ledger_.make(random));
    }
  }
  return requests;
}

bool Load::wait_for(std::size_t answers) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return answers_ >= answers || running_ == 0; });
  return running_ > 0;
}

}  // namespace toa::kill
