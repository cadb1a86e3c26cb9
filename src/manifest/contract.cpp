#include "manifest/contract.hpp"

#include <fmt/ranges.h>

#include "base/assert.hpp"
#include "manifest/schema.hpp"
#include "manifest/schema_judge.hpp"

namespace toa::manifest {

struct Contract::Compiled {
  explicit Compiled(Json given) : schema(std::move(given)), program(schema) {}

  Json schema;
  Schema program;
};

std::expected<Contract, std::vector<SchemaProblem>> Contract::check(const Json& schema) {
  auto compiled = std::make_shared<const Compiled>(schema);
  const auto& problems = compiled->program.problems();
  if (!problems.empty()) return std::unexpected(problems);
  return Contract(std::move(compiled));
}

Result<Contract> Contract::compile(const Json& schema) {
  auto checked = check(schema);
  if (checked) return *std::move(checked);
  const auto& first = checked.error().front();
  const auto place = first.path.empty() ? "" : fmt::format("{}: ", fmt::join(first.path, "/"));
  return fail(ErrorKind::invalid, "not a usable JSON Schema: " + place + first.message);
}

Contract Contract::anything() {
  auto compiled = check(Json(true));
  require(compiled.has_value(), "`true` is a schema");
  return *std::move(compiled);
}

std::optional<std::string> Contract::misfit(const Json& value) const {
  return SchemaJudge().misfit(compiled_->program.root(), value);
}

const Json& Contract::schema() const {
  return compiled_->schema;
}

const SchemaNode& Contract::root() const {
  return compiled_->program.root();
}

}  // namespace toa::manifest
