#include "bridge/test/test_bridge.hpp"

#include "base/assert.hpp"

namespace toa::bridge {

void TestBridge::add_events(OperationNumber number, Events events) {
  const auto code = [events = std::move(events)](Run run, Host&) -> Task<Ran> {
    auto payloads = events(run.input->value());
    if (!payloads) co_return std::move(payloads.error());
    Returned out;
    out.reply = Document::of(std::move(*payloads));
    co_return out;
  };
  add(number, {"events", std::nullopt, code});
}

void TestBridge::add_guards(OperationNumber number, Guards guards) {
  const auto code = [guards = std::move(guards)](Run run, Host&) -> Task<Ran> {
    Returned out;
    out.reply = Document::of(nullptr);
    std::int64_t place = 0;
    for (const auto& change : run.input->value().as_array()) {
      auto refused = guards(change.at("state"), change.at("origin"));
      if (!refused) co_return std::move(refused.error());
      if (*refused) {
        out.reply = Document::of(JsonObject{{"guard", **refused}, {"change", place}});
        break;
      }
      ++place;
    }
    co_return out;
  };
  add(number, {"guards", std::nullopt, code});
}

void TestBridge::add_receiver(OperationNumber number, Receiver receiver) {
  const auto code = [receiver = std::move(receiver)](Run run, Host&) -> Task<Ran> {
    const auto arguments = run.state ? run.state->value().as_array() : JsonArray();
    auto request = receiver(run.input->value(), arguments);
    if (!request) co_return std::move(request.error());
    Returned out;
    out.discard = !request->has_value();
    if (*request) out.reply = Document::of(std::move(**request));
    co_return out;
  };
  add(number, {"receiver", std::nullopt, code});
}

Task<Result<Loaded>> TestBridge::load(Application application) {
  Loaded out;
  for (const auto& component : application.components) {
    for (const auto& source : component.operations) find(out, source.number, source.file);
    for (const auto& source : component.receivers) find(out, source.number, source.file);
    if (component.guards) {
      const auto& files = component.guards->files;
      find(out, component.guards->number, files.empty() ? "" : files.front().file);
    }
    if (component.events) {
      const auto& files = component.events->files;
      find(out, component.events->number, files.empty() ? "" : files.front().file);
    }
  }
  co_return out;
}

void TestBridge::find(Loaded& out, OperationNumber number, const std::string& file) const {
  const auto code = codes_.find(number);
  if (code == codes_.end()) {
    out.faults.push_back({number, "there is no code for it", file, 0});
  } else {
    out.found.push_back({number, code->second.type, code->second.scope});
  }
}

Task<Ran> TestBridge::run(Run run, Host& host) {
  const auto code = codes_.find(run.operation);
  require(code != codes_.end(), "an operation was run that has no code");
  ++running_;
  for (;;) {
    // Never within the caller, as with a worker.
    co_await pause(loop_, std::chrono::milliseconds(0));
    auto ran = co_await code->second.operation(run, host);
    if (loses_ && loses_(run)) {
      host.restarted();
      continue;
    }
    if (--running_ == 0 && closing_) left_.complete(true);
    co_return ran;
  }
}

Task<void> TestBridge::close() {
  closing_ = true;
  if (running_ > 0) co_await left_;
}

}  // namespace toa::bridge
