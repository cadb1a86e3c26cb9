#include "operation/host.hpp"

#include "operation/router.hpp"
#include "operation/steps/chain.hpp"

namespace toa::operation {

void InvocationHost::leave() {
  if (turn_ != nullptr) turn_->leave();
}

Task<Outcome> InvocationHost::call(bridge::Where, std::string endpoint, Document request) {
  leave();
  const auto parsed = Endpoint::parse(endpoint);
  const auto label = parsed ? parsed->str() : endpoint;
  // Counted before anything can refuse it, so that what is refused once is counted alike in the
  // next run.
  const Ordinal ordinal(ordinals_[label]++);
  auto read = Request::read(request.value());
  if (!read) {
    co_return Exception{.code = Code::request_contract, .message = std::move(read.error().message)};
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
                    : co_await router_.route(std::move(sent), &lineage_);
  const auto* failed = std::get_if<Exception>(&reply.outcome);
  if (failed != nullptr && failed->for_good) for_good_ = *failed;
  co_return std::move(reply.outcome);
}

}  // namespace toa::operation
