#pragma once

#include <map>
#include <openssl/evp.h>
#include <string>

#include "gateway/access/service/identity_service.hpp"
#include "gateway/test_gateway.hpp"

namespace toa::gateway {

/// Does at once what it is given.
class AtOnce final : public Executor {
 public:
  void post(Callback work) override { work(); }
};

/// A gateway that knows identities, kept in memory as the components would keep them.
class IdentityTest : public GatewayTest {
 protected:
  IdentityTest() { variables_["IDENTITY_TOKENS_ENCRYPTION_KEY0"] = *new_token_key(); }

  /// The application `garden.beds`, with these lines as its routes, and more of the Context.
  void open(std::string_view exposition, std::string_view basic = "", std::string_view more = "") {
    write("context.toa.yaml",
          fmt::format(
              "name: shop\nexposition:\n  authorities: {{ local: 'localhost:8000' }}\n{}"
              "configuration:\n  identity.basic: {{ rounds: 4, principal: {{ authority: local, "
              "username: root }} {} }}\n",
              more, basic));
    beds(exposition);
    application_ = application();
    auto exposed = gateway::expose(
        application_, families_, application_.warnings,
        [this](const std::string& name) -> std::optional<std::string> {
          const auto found = variables_.find(name);
          return found == variables_.end() ? std::nullopt : std::optional(found->second);
        });
    ASSERT_TRUE(exposed) << manifest::print(exposed.error());
    auto service =
        IdentityService::make({.calls = *this,
                               .loop = loop_,
                               .threads = {&at_once_},
                               .clock = clock_,
                               .random = random_,
                               .log = log_},
                              std::move(exposed->identity), exposed->settings.bouncer, "shop");
    ASSERT_TRUE(service);
    service_ = std::move(*service);
    service_->add_resources(exposed->tree);
    gateway_.emplace(World{.calls = *this,
                           .access = service_->access(),
                           .clock = clock_,
                           .random = random_,
                           .log = log_},
                     std::move(*exposed));
  }

  Answer request(std::string_view line, std::string_view headers = "", std::string_view body = "",
                 std::string_view host = "localhost:8000") {
    const auto text = fmt::format(
        "{} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n{}content-length: "
        "{}\r\n\r\n{}",
        line, host, headers, body.size(), body);
    http::Request request;
    http::Parser parser(request, {});
    parser.take(text);
    http::Response response;
    Scope scope(loop_);
    scope.spawn(gateway_->serve(request, response));
    loop_.run_until_idle();
    EXPECT_EQ(scope.running(), 0u);
    return {response.status, response.fields(), response.body};
  }

  static std::string base64(std::string_view text) {
    std::string out(4 * ((text.size() + 2) / 3) + 1, '\0');
    const auto size = ::EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                        reinterpret_cast<const unsigned char*>(text.data()),
                                        static_cast<int>(text.size()));
    out.resize(static_cast<std::size_t>(size));
    return out;
  }
  static std::string basic(std::string_view user) {
    return "authorization: Basic " + base64(user) + "\r\n";
  }
  static std::string token(std::string_view token) {
    return "authorization: Token " + std::string(token) + "\r\n";
  }
  /// The header that presents the token of an answer.
  static std::string held(const Answer& answer) {
    return "authorization: " + answer.field("authorization") + "\r\n";
  }
  static std::string id_of(const Answer& answer) {
    const auto body = json::parse(answer.body);
    const auto* id = body ? json::find(*body, "id") : nullptr;
    return id == nullptr ? "" : std::string(id->as_string());
  }
  Answer sign_up(std::string_view user) { return request("POST /identity/", basic(user)); }
  Answer sign_in(std::string_view user) { return request("GET /identity/", basic(user)); }
  void grant(const std::string& id, std::string_view role) {
    const auto granted = request("POST /identity/roles/" + id + "/", basic("root:password-of-root"),
                                 fmt::format(R"({{"role":"{}"}})", role));
    EXPECT_EQ(granted.status, 201) << granted.body;
  }

  Task<Reply> call(Call call) override {
    if (!call.endpoint.starts_with("identity."))
      co_return co_await GatewayTest::call(std::move(call));
    co_return keep(call);
  }

  /// Of writes, from one: the one that fails, and all after it. None where it is 0.
  int fails_from_ = 0;
  int writes_ = 0;
  bool reads_fail_ = false;

 private:
  Reply keep(const Call& call) {
    const auto dot = call.endpoint.rfind('.');
    const auto id = call.request.query->id->value;
    auto& object = objects_[call.endpoint.substr(0, dot) + "/" + id];
    if (call.endpoint.substr(dot + 1) == "observe") {
      if (reads_fail_) return {Exception{.code = Code::system, .message = "no disk"}};
      auto told = object;
      told["id"] = id;
      if (!told.contains("VERSION")) told["VERSION"] = 0;
      return {Output{Document::of(std::move(told))}};
    }
    ++writes_;
    if (fails_from_ != 0 && writes_ >= fails_from_)
      return {Exception{.code = Code::system, .message = "no disk"}};
    const auto* version = object.if_contains("VERSION");
    const auto now = version == nullptr ? 0 : version->as_int64();
    if (call.request.query->version->value != now)
      return {Exception{.code = Code::state_precondition, .message = "another version"}};
    for (const auto& [name, value] : call.request.input->value().as_object()) object[name] = value;
    object["VERSION"] = now + 1;
    object["UPDATED"] = clock_.now();
    return {Output{Document::of(object)}};
  }

  AtOnce at_once_;
  std::unique_ptr<IdentityService> service_;
  std::map<std::string, JsonObject> objects_;
};

}  // namespace toa::gateway
