#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/asio_loop.hpp"
#include "async/scope.hpp"
#include "bridge/bridge.hpp"

namespace toa::bridge::testing {

/// Runs the loop until `work` has ended.
inline void drive(AsioLoop& loop, Task<void> work) {
  Scope scope(loop);
  const auto whole = [](Task<void> inner, AsioLoop& on) -> Task<void> {
    co_await std::move(inner);
    on.stop();
  };
  scope.spawn(whole(std::move(work), loop));
  if (scope.running() > 0) loop.run();
  loop.context().restart();
}

/// A host that notes what it is asked, and answers calls by a function.
class NotingHost final : public Host {
 public:
  using Answering = std::function<Task<Outcome>(Where, std::string, Document)>;
  NotingHost() = default;
  explicit NotingHost(Answering answering) : answering_(std::move(answering)) {}

  void restarted() override { ++restarts; }
  void leave() override { ++leaves; }
  Task<Outcome> call(Where where, std::string endpoint, Document request) override {
    calls.push_back(endpoint + " " + request.text());
    if (!answering_) co_return Output{};
    co_return co_await answering_(where, std::move(endpoint), std::move(request));
  }

  int restarts = 0;
  int leaves = 0;
  std::vector<std::string> calls;

 private:
  Answering answering_;
};

inline std::optional<Document> text(std::string json) {
  return Document::of_text(std::move(json));
}

/// One component, `shop.wallets`, with these operations numbered from 0. Files are
/// `<folder>/<name>.<extension>`.
inline Application application(const std::vector<std::string>& operations,
                               const std::string& folder = "/nowhere",
                               const std::string& extension = "js") {
  Application out;
  out.name = "shop";
  out.environment = "local";
  out.instance = "0001";
  ComponentSource wallets;
  wallets.id = "shop.wallets";
  wallets.space = "shop";
  wallets.name = "wallets";
  wallets.path = folder;
  std::uint32_t number = 0;
  for (const auto& name : operations) {
    wallets.operations.push_back(
        {OperationNumber(number++), name, folder + "/operations/" + name + "." + extension});
    out.endpoints.push_back("shop.wallets." + name);
  }
  out.components.push_back(std::move(wallets));
  return out;
}

}  // namespace toa::bridge::testing
