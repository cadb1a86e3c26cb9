#include "operation/steps/judge.hpp"

#include <algorithm>

namespace toa::operation {

std::optional<Exception> judge(const manifest::Operation& operation, const Refusal& refusal,
                               JudgeReplies judged) {
  const bool declared = std::ranges::find(operation.errors, refusal.code) != operation.errors.end();
  if (judged == JudgeReplies::no || declared) return std::nullopt;
  Exception undeclared{.code = Code::response_contract};
  undeclared.message = "'" + operation.label + "' returned the error '" + refusal.code +
                       "', which is not among its `errors`";
  return undeclared;
}

std::optional<Exception> judge(const manifest::Operation& operation, const Output& output,
                               JudgeReplies judged) {
  if (judged == JudgeReplies::no || !operation.output) return std::nullopt;
  const Json nothing;
  const auto why = operation.output->misfit(output.value ? output.value->value() : nothing);
  if (!why) return std::nullopt;
  Exception misfit{.code = Code::response_contract};
  misfit.message = "'" + operation.label + "' replied what its `output` does not allow: " + *why;
  return misfit;
}

}  // namespace toa::operation
