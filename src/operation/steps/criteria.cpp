#include "operation/steps/criteria.hpp"

#include <fmt/format.h>
#include <utility>

#include "manifest/schema.hpp"
#include "operation/steps/moment.hpp"
#include "operation/steps/path.hpp"

namespace toa::operation {
namespace {

using manifest::SchemaNode;
using Form = Destination::Form;

std::unexpected<Exception> refuse(const Condition& condition, std::string_view why) {
  return std::unexpected(
      Exception{.code = Code::query_syntax,
                .message = fmt::format("Criteria selector '{}' {}", condition.selector, why)});
}

bool means_no_value(const Operand& operand) {
  const auto& text = operand.value.get_string();
  return !operand.quoted && (text == "null" || text == "undefined");
}

bool takes_no_value(Comparison comparison) {
  return comparison == Comparison::equal || comparison == Comparison::unequal ||
         comparison == Comparison::in || comparison == Comparison::out;
}

std::optional<Json> number_of(std::string_view text) {
  // The parser would pass blanks around it.
  if (text.empty() || text.front() <= ' ' || text.back() <= ' ') return std::nullopt;
  auto value = json::parse(text);
  if (!value || !value->is_number()) return std::nullopt;
  return *std::move(value);
}

std::optional<Json> boolean_of(std::string_view text) {
  if (text == "true") return Json(true);
  if (text == "false") return Json(false);
  return std::nullopt;
}

/// As moments are kept: a date and time in one form, or milliseconds.
std::optional<Json> moment_of(Form form, std::string_view text) {
  const auto moment = parse_moment(text);
  if (form == Form::iso) return moment ? std::optional<Json>(print_moment(*moment)) : std::nullopt;
  return moment ? std::optional<Json>(*moment) : number_of(text);
}

/// The first type that the text is of: a text that looks like a number is one only where that may
/// stand.
std::optional<Json> value_of(const Destination& at, const Operand& operand) {
  const std::string_view text(operand.value.get_string());
  if (at.form != Form::plain) return moment_of(at.form, text);
  const bool any = at.types == 0;
  const bool texts = any || (at.types & SchemaNode::string) != 0;
  const bool may_be_other = !operand.quoted || !texts;
  if (may_be_other && (any || (at.types & (SchemaNode::number | SchemaNode::integer)) != 0)) {
    if (auto number = number_of(text)) return number;
  }
  if (may_be_other && (any || (at.types & SchemaNode::boolean) != 0)) {
    if (auto boolean = boolean_of(text)) return boolean;
  }
  return texts ? std::optional<Json>(operand.value) : std::nullopt;
}

/// In the manual's words: `a number`.
std::string_view taken(const Destination& at) {
  if (at.form == Form::iso) return "a date-time";
  if (at.form == Form::epoch_millis) return "a date-time or milliseconds since the epoch";
  const bool numbers = (at.types & (SchemaNode::number | SchemaNode::integer)) != 0;
  const bool booleans = (at.types & SchemaNode::boolean) != 0;
  if (numbers && booleans) return "a number or a boolean";
  if (numbers) return "a number";
  return booleans ? "a boolean" : "";
}

std::expected<Operand, Exception> typed(const Destination& at, const Condition& condition,
                                        const Operand& operand) {
  if (means_no_value(operand)) {
    if (takes_no_value(condition.comparison)) return Operand{Json(), false};
    return refuse(condition, fmt::format("cannot be compared with {} by '{}'",
                                         std::string_view(operand.value.get_string()),
                                         symbol(condition.comparison)));
  }
  if (auto value = value_of(at, operand)) return Operand{*std::move(value), operand.quoted};
  const auto takes = taken(at);
  const std::string_view text(operand.value.get_string());
  if (takes.empty()) return refuse(condition, "holds no single value, and takes null alone");
  return refuse(condition, fmt::format("takes {}, and '{}' is not one", takes, text));
}

/// `tags==null` asks for the list itself, not for an item that is null.
bool asks_for_itself(const Condition& condition) {
  const bool alone =
      condition.comparison == Comparison::equal || condition.comparison == Comparison::unequal;
  return alone && condition.operands.front().value.is_null();
}

std::expected<Criteria, Exception> typed_condition(const manifest::Entity& entity,
                                                   Condition condition) {
  auto at = destination_of(entity, condition.selector);
  if (!at) return refuse(condition, "is not defined");
  for (auto& operand : condition.operands) {
    auto value = typed(*at, condition, operand);
    if (!value) return std::unexpected(std::move(value.error()));
    operand = *std::move(value);
  }
  condition.path = std::move(at->path);
  if (asks_for_itself(condition)) condition.path.back().list = false;
  return Criteria{std::move(condition)};
}

}  // namespace

std::expected<Criteria, Exception> typed(const manifest::Entity& entity, Criteria criteria) {
  if (auto* condition = std::get_if<Condition>(&criteria.node)) {
    return typed_condition(entity, std::move(*condition));
  }
  auto* all = std::get_if<Criteria::All>(&criteria.node);
  auto& parts = all != nullptr ? all->parts : std::get<Criteria::Any>(criteria.node).parts;
  for (auto& part : parts) {
    auto done = typed(entity, std::move(part));
    if (!done) return done;
    part = *std::move(done);
  }
  return criteria;
}

}  // namespace toa::operation
