#include "runtime/run_commands.hpp"

namespace toa::runtime {
namespace {

class PreflightHost final : public bridge::Host {
 public:
  void restarted() override {}
  void leave() override {}
  Task<Outcome> call(bridge::Where, std::string endpoint, Document) override {
    co_return Exception{.code = Code::misuse,
                        .message = "'" + endpoint +
                                   "' was called in 'preflight', before anything is served: call "
                                   "it in 'settle' or in 'ready'"};
  }
};

class CommandHost final : public bridge::Host {
 public:
  explicit CommandHost(operation::Router& router) : router_(router) {}

  void restarted() override {}
  void leave() override {}
  Task<Outcome> call(bridge::Where, std::string endpoint, Document request) override {
    auto read = Request::read(request.value());
    if (!read) {
      co_return Exception{.code = Code::request_contract,
                          .message = std::move(read.error().message)};
    }
    auto reply = co_await send(std::move(endpoint), std::move(*read));
    co_return std::move(reply.outcome);
  }

 private:
  Task<Reply> send(std::string endpoint, Request request) {
    if (request.task == AsTask::yes)
      return router_.originate(std::move(endpoint), std::move(request));
    const auto& world = router_.world();
    if (!request.id) request.id = new_identity(world.clock, world.random);
    return router_.route({.endpoint = std::move(endpoint), .request = std::move(request)},
                         &lineage_);
  }

  operation::Router& router_;
  // The run command waits for what it calls, so that a full worker does not hold it back.
  operation::Lineage lineage_{
      .above = nullptr, .call = {{}, Identity(Identity::Bytes{})}, .host = this};
};

}  // namespace

std::unique_ptr<bridge::Host> RunCommands::host(const std::string&, bridge::Stage stage) {
  if (stage == bridge::Stage::preflight || router_ == nullptr)
    return std::make_unique<PreflightHost>();
  return std::make_unique<CommandHost>(*router_);
}

}  // namespace toa::runtime
