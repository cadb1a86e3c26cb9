#include "model/query.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace toa {
namespace {

constexpr std::array<std::string_view, 9> later = {"ids",   "criteria", "search", "sort", "omit",
                                                   "limit", "sample",   "token",  "stop"};

std::unexpected<Error> refuse(std::string message) {
  return fail(ErrorKind::invalid, std::move(message));
}

}  // namespace

Result<Query> Query::read(const Json& value) {
  const auto* members = value.if_object();
  if (members == nullptr) return refuse("query must be object");
  Query query;
  for (const auto& [key, member] : *members) {
    if (key == "id") {
      const auto* id = member.if_string();
      if (id == nullptr || id->empty()) return refuse("query/id must be string");
      query.id = EntityId(std::string(*id));
    } else if (key == "version") {
      const auto* version = member.if_int64();
      if (version == nullptr || *version < 0) return refuse("query/version must be integer");
      query.version = Version(*version);
    } else if (key == "deleted") {
      const auto* deleted = member.if_bool();
      if (deleted == nullptr) return refuse("query/deleted must be boolean");
      query.deleted = *deleted;
    } else if (key == "projection") {
      const auto* names = member.if_array();
      if (names == nullptr) return refuse("query/projection must be array");
      query.projection.emplace();
      for (const auto& name : *names) {
        if (!name.is_string()) return refuse("query/projection must hold names of properties");
        query.projection->emplace_back(name.get_string());
      }
    } else if (std::ranges::find(later, std::string_view(key)) != later.end()) {
      return refuse("query/" + std::string(key) + " is not supported by this release of Toa");
    } else {
      return refuse("query must NOT have additional properties ('" + std::string(key) + "')");
    }
  }
  return query;
}

Json Query::print() const {
  JsonObject out;
  if (id) out["id"] = id->value;
  if (version) out["version"] = version->value;
  if (projection) out["projection"] = boost::json::value_from(*projection);
  if (deleted) out["deleted"] = true;
  return out;
}

}  // namespace toa
