#include "delivery/delivery.hpp"

#include "base/assert.hpp"

namespace toa::delivery {
namespace {

/// A request as it waits in the queue: without its id, which is the message's.
std::string body_of(const Request& request) {
  std::string body = "{";
  const auto add = [&body](std::string_view key, const std::string& text) {
    body += body.size() > 1 ? ",\"" : "\"";
    body += key;
    body += "\":" + text;
  };
  if (request.input) add("input", request.input->text());
  if (request.query) add("query", json::print(request.query->print()));
  if (request.entity) add("entity", request.entity->text());
  if (request.output) add("output", json::print(boost::json::value_from(*request.output)));
  return body + "}";
}

}  // namespace

Delivery::Delivery(World world)
    : world_(world),
      outbox_(world_, {.number = [this](std::size_t count) { return number(count); },
                       .expected = [this](const auto& m) { expected(m); },
                       .queued = [this](std::vector<Message> m) { queued(std::move(m)); },
                       .withdrawn = [this](const auto& m) { withdrawn(m); }}) {}

Task<Result<void>> Delivery::start() {
  const auto last = co_await world_.queue.last_number();
  if (!last) co_return std::unexpected(last.error());
  last_number_ = last->value;
  if (world_.serves == Serves::own) co_return Result<void>{};
  for (const auto& [id, component] : world_.application.components) {
    lane(id).look();
  }
  outbox_.start();
  co_await warn_of_unknown_components();
  co_return Result<void>{};
}

Task<void> Delivery::warn_of_unknown_components() {
  const auto backlog = co_await world_.queue.backlog();
  if (!backlog) co_return;
  for (const auto& [id, messages] : backlog->messages) {
    if (world_.application.find(id) != nullptr) continue;
    world_.log.warn("Messages wait for a component that the application lacks",
                    {{"component", id.value}, {"messages", messages}});
  }
}

MessageNumber Delivery::number(std::size_t count) {
  const MessageNumber first(last_number_ + 1);
  last_number_ += static_cast<std::int64_t>(count);
  return first;
}

void Delivery::expected(const std::vector<Message>& messages) {
  for (const auto& message : messages) lane(message.component).expected(message);
}

void Delivery::withdrawn(const std::vector<Message>& messages) {
  for (const auto& message : messages) lane(message.component).withdrawn(message);
}

void Delivery::queued(std::vector<Message> messages) {
  for (auto& message : messages) lane(message.component).queued(std::move(message));
  check_idle();
}

Lane& Delivery::lane(const ComponentId& component) {
  auto& lane = lanes_[component];
  if (!lane) {
    const auto* known = world_.application.find(component);
    require(known != nullptr, "a message is for a component that the application lacks");
    lane = std::make_unique<Lane>(world_, *known, [this] { check_idle(); });
    if (stopping_) lane->stop_taking();
  }
  return *lane;
}

Task<Result<void>> Delivery::hand_over(Call task) {
  const auto endpoint = Endpoint::parse(task.endpoint);
  require(endpoint.has_value() && task.request.id.has_value(), "a task without endpoint or id");
  const auto now = world_.clock.now();
  Message message{.number = number(1),
                  .id = *task.request.id,
                  .kind = MessageKind::task,
                  .component = endpoint->component,
                  .name = task.endpoint,
                  .body = body_of(task.request),
                  .trail = std::move(task.trail),
                  .readonly = task.readonly,
                  .made = now,
                  .attempt = 1,
                  .due = now};
  storage::Unit unit;
  unit.messages.push_back(message);
  auto& taker = lane(message.component);
  taker.expected(message);
  auto committed = co_await world_.storage.commit(std::move(unit));
  if (!committed) {
    taker.withdrawn(message);
    co_return std::unexpected(committed.error());
  }
  if (world_.faults.reach("task.queued") == Faults::Verdict::fail) {
    taker.withdrawn(message);
    co_return fail(ErrorKind::unavailable, "TOA_FAULT: whether the task was taken is not known");
  }
  taker.queued(std::move(message));
  co_return Result<void>{};
}

void Delivery::returned(const ComponentId& component) {
  if (world_.application.find(component) != nullptr) lane(component).look();
}

bool Delivery::idle() const {
  if (!outbox_.idle()) return false;
  for (const auto& [id, lane] : lanes_) {
    if (!lane->idle()) return false;
  }
  return true;
}

void Delivery::check_idle() {
  if (idle_ != nullptr && idle()) idle_->complete(true);
}

Task<void> Delivery::settle() {
  if (idle()) co_return;
  Completion<bool> idle(world_.loop);
  idle_ = &idle;
  co_await idle;
  idle_ = nullptr;
}

void Delivery::stop_taking() {
  outbox_.stop_taking();
  for (auto& [id, lane] : lanes_) lane->stop_taking();
  stopping_ = true;
}

Task<void> Delivery::close() {
  stop_taking();
  co_await outbox_.close();
  for (auto& [id, lane] : lanes_) co_await lane->close();
}

}  // namespace toa::delivery
