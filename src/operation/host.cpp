#include "operation/host.hpp"

#include "operation/collection.hpp"
#include "operation/router.hpp"
#include "operation/steps/chain.hpp"
#include "operation/steps/trim.hpp"
#include "operation/storing.hpp"

namespace toa::operation {

namespace {

Exception taken_back() {
  return {.code = Code::state_concurrency,
          .message = "the state that this run started from was taken back; it is made again"};
}

}  // namespace

void InvocationHost::restarted() {
  ordinals_.clear();
  ordinals_at_start_.clear();
}

void InvocationHost::leave() {
  if (turn_ != nullptr) turn_->leave();
}

Task<std::optional<Exception>> InvocationHost::settle() {
  leave();
  const auto saw = saw_;
  if (saw && !co_await saw->stored()) co_return taken_back();
  co_return std::nullopt;
}

void InvocationHost::saw(storage::Accepted state) {
  saw_ = std::move(state);
  ordinals_at_start_ = ordinals_;
}

void InvocationHost::saw_what_holds() {
  saw_ = nullptr;
  if (std::exchange(begins_, false)) consumer_->begin();
}

void InvocationHost::saw_in_vain() {
  saw_ = nullptr;
  begins_ = false;
  ordinals_ = ordinals_at_start_;
}

Task<Outcome> InvocationHost::call(bridge::Where, std::string endpoint, Document request) {
  return make(std::move(endpoint), std::move(request), nullptr);
}

Task<Outcome> InvocationHost::call_into(bridge::Consumer& consumer, bridge::Where,
                                        std::string endpoint, Document request) {
  return make(std::move(endpoint), std::move(request), &consumer);
}

void InvocationHost::begin() {
  if (consumer_ == nullptr) return;
  if (saw_)
    begins_ = true;
  else
    consumer_->begin();
}

Task<bool> InvocationHost::part(Document part) {
  if (co_await settle()) co_return false;
  if (consumer_ == nullptr) co_return true;
  if (std::exchange(begins_, false)) consumer_->begin();
  if (!call_.request.output) co_return co_await consumer_->take(std::move(part));
  auto trimmed = trim({std::move(part)}, *call_.request.output);
  co_return co_await consumer_->take(std::move(*trimmed.value));
}

Task<Outcome> InvocationHost::make(std::string endpoint, Document request,
                                   bridge::Consumer* consumer) {
  leave();
  const auto parsed = Endpoint::parse(endpoint);
  const auto label = parsed ? parsed->str() : endpoint;
  // Counted before anything can refuse it, so that what is refused once is counted alike in the
  // next run.
  const Ordinal ordinal(ordinals_[label]++);
  if (saw_)
    if (auto vain = co_await settle()) co_return std::move(*vain);
  auto read = Request::read(request.value());
  if (!read) {
    co_return Exception{.code = Code::request_contract,
                        .message = std::move(read.error().message),
                        .operation = label};
  }
  if (!read->id) {
    read->id = router_.world().identity_beneath(*call_.request.id, serving_.label, label, ordinal);
  }

  const auto* called = parsed ? router_.world().application.find(*parsed) : nullptr;
  if (called != nullptr) {
    if (auto refused = check_repeatable(serving_, *called)) co_return std::move(*refused);
  }
  const bool task = read->task == AsTask::yes;
  Call sent{.endpoint = label,
            .request = std::move(*read),
            .trail = trail_beneath(call_.trail, serving_),
            .readonly = readonly_beneath(call_.readonly, serving_)};
  auto reply = task ? co_await router_.hand_over(std::move(sent))
                    : co_await router_.route(std::move(sent), &lineage_, consumer);
  const auto* failed = std::get_if<Exception>(&reply.outcome);
  if (failed != nullptr && failed->for_good) for_good_ = *failed;
  co_return std::move(reply.outcome);
}

Task<Outcome> InvocationHost::query(Document question) {
  if (auto vain = co_await settle()) co_return std::move(*vain);
  if (serving_.type == manifest::Type::unmanaged) co_return co_await rows(question.value());
  if (serving_.scope == manifest::Scope::stream) co_return co_await page(question.value());
  co_return Exception{.code = Code::misuse,
                      .message = "'" + serving_.label +
                                 "' is neither unmanaged nor over a stream: it reads nothing"};
}

Task<Outcome> InvocationHost::rows(const Json& question) {
  const auto* sql = json::find(question, "sql");
  const auto* values = json::find(question, "values");
  const bool asks = sql != nullptr && sql->is_string() && values != nullptr && values->is_array();
  if (!asks) {
    co_return Exception{.code = Code::misuse, .message = "a query is a text and a list of values"};
  }
  auto rows = co_await storage_of(router_.world(), component_)
                  .query(component_.id, std::string(sql->get_string()), values->get_array());
  // The SQL is the author's own: no caller could ask better.
  if (!rows) co_return storage_failed(rows.error());
  co_return Output{Document::of_text(std::move(*rows))};
}

Task<Outcome> InvocationHost::page(const Json& question) {
  const auto* after = json::find(question, "after");
  const bool begins = after == nullptr || after->is_null();
  const auto place = begins ? std::nullopt : Place::read(*after);
  if (!begins && !place) {
    co_return Exception{.code = Code::request_contract,
                        .message = "a page of a stream begins where the one before it ended"};
  }
  const auto page = co_await read_page(router_.world(), component_, call_.request.query, place);
  if (!page) co_return page.error();
  std::string text = "{\"parts\":[";
  for (const auto& part : page->parts) {
    if (text.back() != '[') text += ',';
    text += part.text();
  }
  text += "],\"next\":" + (page->next ? json::print(page->next->print()) : "null") + "}";
  co_return Output{Document::of_text(std::move(text))};
}

Task<bridge::Ran> InvocationHost::pass_stream() {
  bridge::Returned streamed;
  streamed.streamed = true;
  std::optional<Place> place;
  begin();
  do {
    auto page = co_await read_page(router_.world(), component_, call_.request.query, place);
    if (!page) co_return std::move(page.error());
    for (auto& each : page->parts) {
      if (!co_await part(std::move(each))) co_return streamed;
    }
    place = std::move(page->next);
  } while (place);
  co_return streamed;
}

}  // namespace toa::operation
