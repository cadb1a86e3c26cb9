#include "runtime/parked_desk.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/limits.hpp"
#include "operation/loading.hpp"
#include "operation/steps/select.hpp"
#include "operation/steps/state.hpp"

namespace toa::runtime {
namespace {

/// How many messages an answer tells of: what runs code or carries a whole message, fewer.
std::size_t items_max(ParkedAction action) {
  if (action == ParkedAction::show) return 1;
  if (action == ParkedAction::plan) return limits::parked_plan_max;
  return limits::parked_page_max;
}

bool is_event(const Message& message) {
  return message.kind == MessageKind::event;
}

}  // namespace

Task<Result<ParkedPage>> ParkedDesk::answer(ParkedRequest request) {
  const bool looks =
      request.action != ParkedAction::put_back && request.action != ParkedAction::discard;
  if (looks) co_return co_await look(std::move(request));
  while (busy_) {
    Completion<bool> free(world_.loop);
    waiting_.push_back(&free);
    co_await free;
  }
  busy_ = true;
  auto page = co_await settle(std::move(request));
  busy_ = false;
  if (!waiting_.empty()) {
    waiting_.front()->complete(true);
    waiting_.pop_front();
  }
  co_return page;
}

Task<Result<ParkedPage>> ParkedDesk::look(ParkedRequest request) {
  auto rows = co_await world_.queue.parked({}, request.after, limits::parked_page_max);
  if (!rows) co_return std::unexpected(rows.error());
  ParkedPage page{.items = {}, .next = {}, .now = world_.clock.now()};
  for (const auto& parked : *rows) {
    if (page.items.size() >= items_max(request.action)) break;
    page.next = parked.message.number;
    const auto endpoint = endpoint_of(parked.message, world_.names);
    if (!is_selected(request.selection, parked, endpoint)) continue;
    auto item = brief_of(parked, endpoint);
    if (auto told = co_await describe(request.action, parked, item); !told)
      co_return std::unexpected(told.error());
    page.items.emplace_back(std::move(item));
  }
  co_return page;
}

Task<Result<void>> ParkedDesk::describe(ParkedAction action, const ParkedMessage& parked,
                                        JsonObject& item) {
  if (action == ParkedAction::show) co_return co_await show(parked, item);
  if (action == ParkedAction::plan) co_return co_await plan(parked, item);
  co_return Result<void>{};
}

Task<Result<ParkedPage>> ParkedDesk::settle(ParkedRequest request) {
  auto rows = co_await world_.queue.parked({}, request.after, limits::parked_page_max);
  if (!rows) co_return std::unexpected(rows.error());
  ParkedPage page{.items = {}, .next = {}, .now = world_.clock.now()};
  storage::Unit unit;
  std::set<ComponentId> components;
  for (const auto& parked : *rows) {
    const auto& message = parked.message;
    page.next = message.number;
    const auto endpoint = endpoint_of(message, world_.names);
    if (!is_selected(request.selection, parked, endpoint)) continue;
    auto& item = page.items.emplace_back(brief_of(parked, endpoint)).get_object();
    if (request.action == ParkedAction::discard) {
      unit.fates.emplace_back(Discard{message.number});
    } else if (auto why = why_it_stays(message, world_.names)) {
      item["stays"] = *why;
    } else {
      unit.fates.emplace_back(Return{message.number, page.now});
      components.insert(message.component);
    }
  }
  if (unit.fates.empty()) co_return page;
  const auto committed = co_await world_.storage.commit(std::move(unit));
  if (!committed) co_return std::unexpected(committed.error());
  for (const auto& component : components) world_.returned(component);
  co_return page;
}

Task<ParkedDesk::Intended> ParkedDesk::intended(const Message& message) {
  if (is_event(message)) co_return co_await adapted(message);
  const auto body = json::parse(message.body, {.bytes_max = message.body.size(),
                                               .depth_max = limits::document_depth_max + 2});
  if (!body) co_return std::unexpected(body.error().message);
  auto request = Request::read(*body);
  if (!request) co_return std::unexpected(request.error().message);
  co_return std::move(*request);
}

Task<ParkedDesk::Intended> ParkedDesk::adapted(const Message& message) {
  const auto* component = world_.names.application.find(message.component);
  if (component == nullptr)
    co_return std::unexpected("component '" + message.component.value + "' is not known");
  const auto found = component->receivers.find(message.name);
  if (found == component->receivers.end()) {
    co_return std::unexpected("'" + message.component.value + "' has no receiver of '" +
                              message.name + "'");
  }
  auto payload = Document::of_text(message.body);
  if (found->second.file.empty()) {
    Request request;
    request.input = std::move(payload);
    co_return request;
  }
  if (world_.code == nullptr)
    co_return std::unexpected("its receiver is code, and the application's code cannot be loaded");
  auto request = co_await world_.code->adapt(*component, found->second, std::move(payload));
  if (!request) co_return std::unexpected("its receiver throws: " + request.error().message);
  co_return std::move(*request);
}

Task<Result<void>> ParkedDesk::show(const ParkedMessage& parked, JsonObject& item) {
  const auto& message = parked.message;
  add_details(item, parked);
  item["request"] = nullptr;
  item["state"] = nullptr;
  const auto request = co_await intended(message);
  if (!request) {
    item["unknown"] = request.error();
    co_return Result<void>{};
  }
  if (!*request) co_return Result<void>{};
  item["request"] = print_request(**request, message);
  auto state = co_await selected(endpoint_of(message, world_.names), **request);
  if (!state) co_return std::unexpected(state.error());
  if (*state) item["state"] = std::move(**state);
  co_return Result<void>{};
}

Task<Result<std::optional<Json>>> ParkedDesk::selected(const std::string& endpoint,
                                                       const Request& request) {
  const auto parts = Endpoint::parse(endpoint);
  const auto* component = parts ? world_.names.application.find(parts->component) : nullptr;
  const bool kept =
      component != nullptr && component->entity && !component->entity->storage.empty();
  if (!kept || !request.query) co_return std::nullopt;
  if (operation::is_by_id_alone(*request.query)) {
    const auto object = co_await world_.storage.load(component->id, *request.query->id);
    if (!object) co_return std::unexpected(object.error());
    if (!*object) co_return std::nullopt;
    co_return operation::state_of(**object).value();
  }
  auto selection = operation::selection_of(*component->entity, *request.query);
  // What is no query of this entity selects nothing, and `plan` says so.
  if (!selection || selection->sample) co_return std::nullopt;
  const auto* operation = world_.names.application.find(*parts);
  const bool several = operation != nullptr && operation->scope != manifest::Scope::entry;
  const auto most = several ? limits::parked_state_max : 1;
  selection->limit = std::min(selection->limit.value_or(most), most);
  const auto objects = co_await world_.storage.find(component->id, std::move(*selection));
  if (!objects) co_return std::unexpected(objects.error());
  if (objects->empty()) co_return std::nullopt;
  if (!several) co_return operation::state_of(objects->front()).value();
  JsonArray states;
  for (const auto& object : *objects) states.push_back(operation::state_of(object).value());
  co_return Json(std::move(states));
}

Task<Result<void>> ParkedDesk::plan(const ParkedMessage& parked, JsonObject& item) {
  auto foreseen = co_await foresee(parked.message);
  if (!foreseen) co_return std::unexpected(foreseen.error());
  item["would"] = foreseen->would;
  if (!foreseen->why.empty()) item["why"] = std::move(foreseen->why);
  co_return Result<void>{};
}

Task<Result<ParkedDesk::Foreseen>> ParkedDesk::foresee(const Message& message) {
  if (auto why = why_it_stays(message, world_.names)) co_return Foreseen{"stay", std::move(*why)};
  auto request = co_await intended(message);
  if (request && !*request) co_return Foreseen{"nothing", "its receiver does not want it"};
  // Without the code, neither its receivers nor its operations are known.
  const bool judged = world_.code != nullptr;
  if (judged && !request) co_return Foreseen{"fail", std::move(request.error())};
  const auto endpoint = endpoint_of(message, world_.names);
  if (request && !(*request)->id) (*request)->id = message.id;
  if (judged) {
    if (auto why = why_refused(endpoint, **request, world_.names.application))
      co_return Foreseen{"fail", std::move(*why)};
  }
  const auto remembered = co_await is_remembered(endpoint, request ? *(*request)->id : message.id);
  if (!remembered) co_return std::unexpected(remembered.error());
  if (*remembered) co_return Foreseen{"repeat", request ? "" : std::move(request.error())};
  if (!request) co_return Foreseen{"run", std::move(request.error())};
  if (judged) {
    if (auto why = why_not_run(endpoint, **request, world_.names.application))
      co_return Foreseen{"fail", std::move(*why)};
  }
  co_return Foreseen{"run"};
}

Task<Result<bool>> ParkedDesk::is_remembered(const std::string& endpoint, Identity identity) {
  if (const auto parts = Endpoint::parse(endpoint)) {
    const auto* operation = world_.names.application.find(*parts);
    if (operation != nullptr && !operation->once_window_s) co_return false;
  }
  const auto first = co_await world_.storage.recall(endpoint, identity);
  if (!first) co_return std::unexpected(first.error());
  co_return first->has_value();
}

}  // namespace toa::runtime
