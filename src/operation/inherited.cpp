#include "operation/inherited.hpp"

#include "operation/steps/merge.hpp"

namespace toa::operation {
namespace {

using bridge::Returned;
using manifest::Inherited;

JsonObject members_of(const std::optional<Document>& input) {
  const auto* given = input ? input->value().if_object() : nullptr;
  return given == nullptr ? JsonObject{} : *given;
}

Returned shows(const Document& state) {
  Returned returned;
  returned.reply = state;
  return returned;
}

Returned stores(JsonObject state) {
  Returned returned;
  returned.reply_is_state = true;
  returned.state = Document::of(std::move(state));
  return returned;
}

}  // namespace

Returned run_inherited(Inherited what, const std::optional<Document>& state,
                       const std::optional<Document>& input, EpochMs now) {
  switch (what) {
    case Inherited::transit:
      return stores(merge(state->value().as_object(), members_of(input)));
    case Inherited::assign:
      return stores(members_of(input));
    case Inherited::terminate:
      return stores({{"DELETED", now}});
    case Inherited::observe:
    case Inherited::enumerate:
    case Inherited::ensure:
      return shows(*state);
    case Inherited::stream:
      break;  // has no state that could be shown at once
  }
  return {};
}

}  // namespace toa::operation
