#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.hpp"
#include "gateway/directive.hpp"
#include "gateway/formats/form.hpp"
#include "gateway/formats/format.hpp"
#include "gateway/http/request.hpp"
#include "gateway/http/response.hpp"
#include "gateway/tree/match.hpp"
#include "model/reply.hpp"

namespace toa::gateway {

class Permissions;

/// Who asks, where that is known: an id and roles, nothing else.
struct Caller {
  std::string id;
  std::vector<std::string> roles = {};
  /// It exists only in its token (G175).
  bool transient = false;
  /// How it was shown: `Basic` or `Token`.
  std::string_view scheme = {};
  /// Its token is one that it made for others to use (G192).
  bool custom = false;
  /// What such a token is limited to, where it is.
  std::shared_ptr<const Permissions> permissions = {};
  /// A token is to go with the response (G171, G172).
  bool token_due = false;
};

/// What came of credentials. Those that are not good matter only to routes that make identities
/// (G177).
enum class Presented {
  nothing,
  good,
  unclaimed,   // of a username that nobody has
  unreadable,  // `Basic`, and not a username with a password
  refused,     // a wrong password, a token that is not good, a banned identity
  foreign,     // of a scheme that nobody makes an identity with
};

/// A document that directives may change; it stays the text that came for as long as none does.
class Body {
 public:
  bool has_value() const { return document_.has_value() || edited_.has_value(); }
  const Json& value() const { return edited_ ? *edited_ : document_->value(); }
  void set(Document document) {
    document_ = std::move(document);
    edited_.reset();
  }
  void set(Json value) {
    edited_ = std::move(value);
    document_.reset();
  }
  void clear() {
    document_.reset();
    edited_.reset();
  }
  /// For changing it; there must be one.
  Json& edit() {
    if (!edited_) edited_ = document_->value();
    document_.reset();
    return *edited_;
  }
  /// Its members, for adding to them; an object is made where there is nothing. Null where it is
  /// something else.
  JsonObject* members() {
    if (!has_value()) edited_ = JsonObject{};
    return value().is_object() ? &edit().get_object() : nullptr;
  }
  std::optional<Document> take() {
    if (edited_) return Document::of(std::move(*edited_));
    return std::move(document_);
  }

 private:
  std::optional<Document> document_;
  std::optional<Json> edited_;
};

/// One request on its way through the gateway, from its headers to its response. It lives in the
/// frame of the task that serves the request.
struct Exchange {
  const http::Request& request;
  http::Response& response;

  /// Known from the start.
  std::string ray = {};        // 32 hex digits of the trace
  std::string authority = {};  // of its host (G151)
  std::string path = {};       // canonical, with its trailing slash, without the query string
  std::string_view target_query = {};
  std::optional<std::string> address =
      {};                        // of the client, where the Context names a header (G156)
  Format format = Format::json;  // of the response

  /// Known once the route is.
  const Resource* resource = nullptr;
  const Method* method = nullptr;
  std::vector<Variable> variables = {};

  /// Known once the caller is. `credentials` says that some were presented, good or not.
  std::optional<Caller> caller = {};
  bool credentials = false;
  Presented presented = Presented::nothing;
  /// The code that credentials which nobody has yet are refused with; empty where they will do.
  std::string_view misfit = {};
  /// The request is admitted as one that makes an identity: the output property with its id.
  const std::string* incepts = nullptr;
  /// The id that the output named; empty where it named none.
  std::string incepted = {};

  /// What is called.
  Body input = {};
  /// Names of input properties that directives filled in; `io:input` passes over them (G134).
  std::vector<std::string> filled = {};

  /// What came of it; nothing where the operation returned nothing, which is not null.
  Body output = {};
  /// The reply is kept from the client (G129).
  bool withheld = true;

  /// It is the first reply of an earlier call.
  bool replayed = false;

  /// The response is made already: an operation refused.
  bool answered = false;

  /// Put together into headers at the end.
  std::vector<std::string> vary = {};
  std::optional<std::string> cache_control = {};

  const Variable* variable(std::string_view name) const {
    for (const auto& one : variables) {
      if (one.name == name) return &one;
    }
    return nullptr;
  }
};

}  // namespace toa::gateway
