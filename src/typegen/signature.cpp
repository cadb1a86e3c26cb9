#include "typegen/signature.hpp"

#include <fmt/format.h>

#include "typegen/names.hpp"
#include "typegen/schema_type.hpp"

namespace toa::typegen {
namespace {

using manifest::Operation;
using manifest::QueryRule;
using manifest::Scope;
using manifest::Type;

bool takes_query(const manifest::Component& component, const Operation& operation) {
  return component.entity && operation.scope != Scope::none &&
         operation.query != QueryRule::must_not;
}

/// Several objects can only be selected; of an assignment nothing else is known to change.
bool needs_query(const Operation& operation) {
  return operation.query == QueryRule::must || operation.scope == Scope::entries ||
         operation.scope == Scope::changeset;
}

bool reads(const Operation& operation) {
  return operation.type == Type::observation;
}

std::string_view query_type(const Operation& operation) {
  if (operation.scope == Scope::entries) return reads(operation) ? "ManyReadingQuery" : "ManyQuery";
  if (operation.scope == Scope::stream)
    return reads(operation) ? "ReadingStreamQuery" : "StreamQuery";
  return reads(operation) ? "ReadingQuery" : "Query";
}

bool needs_input(const Operation& operation) {
  return operation.input && operation.input->misfit(Json(nullptr));
}

std::string refusals(const Operation& operation) {
  std::string codes;
  for (const auto& code : operation.errors) codes += (codes.empty() ? "" : " | ") + literal(code);
  return codes.empty() ? codes : " | CodedError<" + codes + ">";
}

}  // namespace

std::string input_type(const Operation& operation) {
  return operation.input ? schema_type(operation.input->schema()) : "null";
}

std::string output_type(const Operation& operation) {
  return operation.output ? schema_type(operation.output->schema()) : "unknown";
}

std::string signature(const manifest::Component& component, const Operation& operation,
                      std::string_view from) {
  const auto name = pascal(operation.endpoint.operation);
  std::string request =
      operation.input
          ? fmt::format("input{} {}{}Input", needs_input(operation) ? ":" : "?:", from, name)
          : "input?: null";
  const bool query = takes_query(component, operation);
  const bool query_needed = query && needs_query(operation);
  request += query ? fmt::format(", query{} {}", query_needed ? ":" : "?:", query_type(operation))
                   : ", query?: never";
  if (operation.type == Type::effect && operation.scope == Scope::entry)
    request += fmt::format(", entity?: Partial<{}Entity>", from);
  const bool open = !needs_input(operation) && !query_needed;
  return fmt::format("{}<{{ {} }}, {}{}Output{}>", open ? "OpenCall" : "Call", request, from, name,
                     refusals(operation));
}

}  // namespace toa::typegen
