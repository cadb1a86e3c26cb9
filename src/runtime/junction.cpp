#include "runtime/junction.hpp"

namespace toa::runtime {
namespace {

/// Events and receivers only tell what is to be; they make no calls.
class NoCalls final : public bridge::Host {
 public:
  void restarted() override {}
  void leave() override {}
  Task<Outcome> call(bridge::Where, std::string endpoint, Document) override {
    co_return Exception{.code = Code::misuse,
                        .message = "'" + endpoint +
                                   "' was called from an event or a receiver, which make no calls"};
  }
};

/// A refusal has no meaning where nobody asked: it is code that went wrong.
Exception refused(const Refusal& refusal) {
  return {.code = Code::system, .message = "an error was returned: " + refusal.code};
}

}  // namespace

Task<std::expected<JsonObject, Exception>> Junction::evaluate(const manifest::Component& component,
                                                              const Record& record) {
  NoCalls host;
  bridge::Run run{.operation = bridge::OperationNumber(component.events_number),
                  .input = Document::of_text(record.change),
                  .state = {},
                  .readonly = Readonly::yes};
  auto ran = co_await bridge_.run(std::move(run), host);
  if (auto* thrown = std::get_if<Exception>(&ran)) co_return std::unexpected(std::move(*thrown));
  if (auto* refusal = std::get_if<Refusal>(&ran)) co_return std::unexpected(refused(*refusal));
  const auto& returned = std::get<bridge::Returned>(ran);
  const auto* payloads = returned.reply ? returned.reply->value().if_object() : nullptr;
  if (payloads == nullptr) {
    co_return std::unexpected(
        Exception{.message = "events of '" + component.id.value + "' answered no payloads"});
  }
  co_return *payloads;
}

Task<std::expected<std::optional<Request>, Exception>> Junction::adapt(
    const manifest::Component&, const manifest::Receiver& receiver, Document payload) {
  NoCalls host;
  bridge::Run run{.operation = bridge::OperationNumber(receiver.number),
                  .input = std::move(payload),
                  .state = Document::of(receiver.arguments),
                  .readonly = Readonly::yes};
  auto ran = co_await bridge_.run(std::move(run), host);
  if (auto* thrown = std::get_if<Exception>(&ran)) co_return std::unexpected(std::move(*thrown));
  if (auto* refusal = std::get_if<Refusal>(&ran)) co_return std::unexpected(refused(*refusal));
  const auto& returned = std::get<bridge::Returned>(ran);
  if (returned.discard) co_return std::nullopt;
  auto request = Request::read(returned.reply ? returned.reply->value() : Json());
  if (!request) {
    co_return std::unexpected(
        Exception{.code = Code::request_contract, .message = std::move(request.error().message)});
  }
  co_return std::move(*request);
}

}  // namespace toa::runtime
