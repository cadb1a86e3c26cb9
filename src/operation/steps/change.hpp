#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "base/document.hpp"
#include "manifest/application.hpp"
#include "model/exception.hpp"
#include "model/object.hpp"

namespace toa::operation {

/// What a run makes of one object.
struct Change {
  Object before;
  Object after;
  std::optional<Document> trailers = {};
};

/// What events of a change are evaluated from: JSON text of `{ origin, state, trailers, input }`
/// (R46). `origin` is null where the object did not exist.
std::string text_of(const Change& change, const std::optional<Document>& input);

/// What guards judge: JSON text of the list of `{ state, origin }`.
std::string text_of_guarded(const std::vector<Change>& changes);

/// What a run left to be stored.
struct Left {
  /// Of a transition over `entry` the state, over `entries` the list of them, with null for what is
  /// left out; of an assignment the changeset.
  const Document& state;
  /// For `entries` a list, each at its state's place.
  const std::optional<Document>& trailers;
};

/// The changes that an operation left of the objects it was given; refused where one does not fit
/// its entity, or is none of those given (spec core 4.5).
std::expected<std::vector<Change>, Exception> changes_of(const manifest::Component& component,
                                                         const manifest::Operation& operation,
                                                         const std::vector<Object>& given,
                                                         const Left& left, EpochMs now);

/// The reply that is the state: what was stored, as it now is. Where objects of a list were left
/// out, `left` is the list that the operation returned, of which those stored are replaced.
Document stored_state(const manifest::Operation& operation, const std::vector<Change>& changes,
                      const std::optional<Document>& left);

}  // namespace toa::operation
