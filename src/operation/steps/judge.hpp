#pragma once

#include <optional>

#include "manifest/application.hpp"
#include "model/exception.hpp"
#include "model/reply.hpp"

namespace toa::operation {

/// Whether replies are held against what the operation declares: on a developer's machine only
/// (R30, spec core 4.4).
enum class JudgeReplies { no, yes };

/// The exception that an undeclared refusal is, where replies are judged.
std::optional<Exception> judge(const manifest::Operation& operation, const Refusal& refusal,
                               JudgeReplies judged);

/// The exception that an output which does not fit is, where replies are judged.
std::optional<Exception> judge(const manifest::Operation& operation, const Output& output,
                               JudgeReplies judged);

}  // namespace toa::operation
