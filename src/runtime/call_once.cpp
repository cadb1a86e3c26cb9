#include "runtime/call_once.hpp"

#include <chrono>
#include <thread>

#include "async/asio_loop.hpp"
#include "async/scope.hpp"
#include "base/limits.hpp"
#include "runtime/control_client.hpp"
#include "runtime/control_path.hpp"
#include "runtime/process.hpp"
#include "storage/sqlite/data_folder.hpp"
#include "telemetry/json_log.hpp"

namespace toa::runtime {
namespace {

using storage::sqlite::DataFolder;

/// Tells the parts of a streamed reply as they come.
class ToldParts final : public bridge::Consumer {
 public:
  explicit ToldParts(const Told& told) : told_(told) {}

  void begin() override { begun_ = true; }
  Task<bool> take(Document part) override {
    told_.part(part);
    co_return true;
  }
  bool begun() const { return begun_; }

 private:
  const Told& told_;
  bool begun_ = false;
};

Task<void> open_and_call(Settings settings, const Plugs& plugs, AsioLoop& loop, telemetry::Log& log,
                         std::string endpoint, Request request, const Told& told,
                         Result<CallMade>& result) {
  Process process(std::move(settings), plugs, loop, log, delivery::Serves::own);
  const auto opened = co_await process.open();
  if (opened) {
    ToldParts parts(told);
    auto reply = co_await process.call(std::move(endpoint), std::move(request), parts);
    const auto waiting = co_await process.settle();
    result = CallMade{std::move(reply), parts.begun(), waiting};
  } else {
    result = std::unexpected(opened.error());
  }
  co_await process.close();
  loop.stop();
}

Result<CallMade> call_alone(Settings settings, const Plugs& plugs, const std::string& endpoint,
                            Request request, const Told& told) {
  const SystemClock clock;
  // The reply owns standard output; what is worth knowing beside it goes where a background run
  // would put it.
  if (settings.log_file.empty()) settings.log_file = settings.data + "/toa.log";
  auto log = telemetry::JsonLog::open({settings.log_file, settings.log_level}, clock);
  if (!log) return std::unexpected(log.error());
  Result<CallMade> result = fail(ErrorKind::broken, "the call was not made");
  AsioLoop loop;
  Scope scope(loop);
  scope.spawn(open_and_call(std::move(settings), plugs, loop, **log, endpoint, std::move(request),
                            told, result));
  loop.run();
  return result;
}

void state_identity(Json& request) {
  auto* members = request.if_object();
  if (members == nullptr || members->contains("id")) return;
  const SystemClock clock;
  SystemRandom random;
  (*members)["id"] = new_identity(clock, random).hex();
}

Error with_identity(Error error, const Json& request) {
  const auto* id = json::find(request, "id");
  if (error.kind == ErrorKind::unknown_outcome && id != nullptr)
    error.message += ": { id: " + json::print(*id) + ", … }";
  return error;
}

}  // namespace

Result<CallMade> call_once(Settings settings, const Plugs& plugs, const std::string& endpoint,
                           Json request, const Told& told) {
  state_identity(request);
  const auto path = control_path(settings.data);
  if (!path) return std::unexpected(path.error());
  const auto started = std::chrono::steady_clock::now();
  const auto deadline = started + limits::start_max;
  for (bool said = false;;) {
    if (auto client = ControlClient::connect(*path)) {
      bool streamed = false;
      auto reply = client->call(endpoint, json::print(request), [&](const Json* part) {
        streamed = true;
        if (part != nullptr) told.part(Document::of(*part));
      });
      if (!reply) return std::unexpected(with_identity(reply.error(), request));
      return CallMade{std::move(*reply), streamed, 0};
    }
    // Held by an application that is starting, or by another such call: its socket or its end comes
    // first.
    auto folder = DataFolder::take_within(settings.data, limits::call_lock_wait);
    if (folder) {
      auto read = Request::read(request);
      if (!read)
        return CallMade{
            .reply = {Exception{.code = Code::request_contract, .message = read.error().message}}};
      return call_alone(std::move(settings), plugs, endpoint, std::move(*read), told);
    }
    if (folder.error().kind != ErrorKind::conflict || std::chrono::steady_clock::now() > deadline) {
      return std::unexpected(folder.error());
    }
    if (!said && std::chrono::steady_clock::now() - started > limits::call_wait_silent) {
      said = true;
      told.waiting("waiting: " + folder.error().message);
    }
  }
}

}  // namespace toa::runtime
