#pragma once

#include <optional>
#include <string>

#include "base/json.hpp"
#include "manifest/application.hpp"
#include "model/message.hpp"
#include "model/request.hpp"
#include "runtime/parked.hpp"

namespace toa::runtime {

/// Whether the application that is known is all of it: manifests that cannot be read leave some of
/// it out.
enum class Known { wholly, in_part };

/// The application as it is now; messages may have been made by an earlier one.
struct ParkedNames {
  const manifest::Application& application;
  Known known = Known::wholly;
};

/// The operation that the message calls: a task's own, or that of the receiver of the event. Only
/// the component where it has no such receiver any more.
std::string endpoint_of(const Message& message, const ParkedNames& names);

/// Names without namespace mean `default`, as everywhere.
bool is_selected(const ParkedSelection& selection, const ParkedMessage& parked,
                 const std::string& endpoint);

/// The seven members of a list's object.
JsonObject brief_of(const ParkedMessage& parked, const std::string& endpoint);

/// What `show` adds that is in the message: `component`, `exception`, `trail`, `made`, and an
/// event's `payload`.
void add_details(JsonObject& item, const ParkedMessage& parked);

/// A request as a caller would write it, with the identity that it goes by.
JsonObject print_request(const Request& request, const Message& message);

/// Why the message must not go back to the queue: nobody would ever take it from there.
std::optional<std::string> why_it_stays(const Message& message, const ParkedNames& names);

/// Why a call with this request would be refused though it had been made before; nothing where it
/// would not be.
std::optional<std::string> why_refused(const std::string& endpoint, const Request& request,
                                       const manifest::Application& application);

/// Why a call that has to run would be refused before its code does.
std::optional<std::string> why_not_run(const std::string& endpoint, const Request& request,
                                       const manifest::Application& application);

}  // namespace toa::runtime
