#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace toa::manifest {

struct SchemaNode;

/// What is wrong with a schema, and where in it.
struct SchemaProblem {
  std::vector<std::string> path;
  std::string message;
};

/// A compiled JSON Schema (draft 7). Immutable and cheap to copy; thread-safe.
class Contract {
 public:
  /// Refuses what is no schema, or uses a word that cannot be honoured, with a sentence that names
  /// it.
  static Result<Contract> compile(const Json& schema);

  /// The same, with everything that is wrong.
  static std::expected<Contract, std::vector<SchemaProblem>> check(const Json& schema);

  /// What accepts everything: the schema `true`.
  static Contract anything();

  /// Nothing where `value` fits; else one sentence about the first misfit, in the manual's words
  /// with the place in front where it is not the top: `must have required property 'amount'`,
  /// `amount must be >= 1`, `items/0/price must be number`.
  std::optional<std::string> misfit(const Json& value) const;

  const Json& schema() const;
  /// The same, compiled; valid for as long as this or a copy lives.
  const SchemaNode& root() const;

 private:
  struct Compiled;
  explicit Contract(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
  // Shared because copies of a contract are many and its schema never changes.
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace toa::manifest
