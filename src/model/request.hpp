#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/document.hpp"
#include "base/result.hpp"
#include "model/identity.hpp"
#include "model/names.hpp"
#include "model/query.hpp"

namespace toa {

/// The hops that a chain of calls has passed, oldest first: endpoints, `~` and an event's label,
/// names of services (R102).
using Trail = std::vector<std::string>;

enum class Readonly { no, yes };
enum class AsTask { no, yes };

/// What a caller says: the part of the envelope that is his (spec core 6.2).
struct Request {
  std::optional<Identity> id;
  std::optional<Document> input;
  std::optional<Query> query;
  std::optional<std::vector<std::string>> output;
  /// For an effect: the object that it is to be given, made where there is none like it.
  std::optional<Document> entity = {};
  AsTask task = AsTask::no;

  /// Reads a request as callers write it. Refuses unknown properties and wrong types with a
  /// sentence that names them.
  static Result<Request> read(const Json& value);
};

/// A request on its way, in the envelope that the runtime keeps around it; authors neither read nor
/// write this.
struct Call {
  std::string endpoint;
  Request request;
  Trail trail = {};
  Readonly readonly = Readonly::no;
  /// The message that this call handles: it leaves the queue in the commit of the called operation
  /// (D3).
  std::optional<MessageNumber> serves = {};
};

}  // namespace toa
