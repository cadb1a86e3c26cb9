#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/json.hpp"
#include "model/criteria.hpp"

namespace toa {

/// An index over the objects of a component (spec core 2.4).
struct Index {
  enum class Kind { ascending, descending, hash, text };
  struct Key {
    std::string path;  // dotted
    Kind kind = Kind::ascending;
    friend bool operator==(const Key&, const Key&) = default;
  };

  std::string name;
  std::vector<Key> keys;
  /// No two objects have equal values in all keys; no value is a value here.
  bool unique = false;
  /// Leaves out objects without a value in any key.
  bool sparse = false;
  /// Only objects that meet this; typed.
  std::optional<Criteria> partial = {};
  /// Seconds after the moment in the key at which an object is removed (R189).
  std::optional<std::int64_t> ttl = {};

  friend bool operator==(const Index&, const Index&) = default;
};

struct DropIndex {
  std::string name;
  friend bool operator==(const DropIndex&, const DropIndex&) = default;
};

/// Changes properties of the objects that meet `filter`, typed; of all where there is none. The
/// versions stay, and nothing is published. Done in this order, paths dotted.
struct UpdateObjects {
  std::optional<Criteria> filter = {};
  std::vector<std::pair<std::string, std::string>> rename = {};
  std::vector<std::string> unset = {};
  std::vector<std::pair<std::string, Json>> set = {};

  friend bool operator==(const UpdateObjects&, const UpdateObjects&) = default;
};

/// Removes the objects that meet `filter`, typed; all where there is none.
struct DeleteObjects {
  std::optional<Criteria> filter = {};
  friend bool operator==(const DeleteObjects&, const DeleteObjects&) = default;
};

/// Steps that are applied together, once per database (R183), in the order of the ids.
struct Migration {
  /// The file's name without its extension; of a prototype's, after the prototype's name and `:`.
  std::string id;
  std::vector<std::variant<Index, DropIndex, UpdateObjects, DeleteObjects>> steps;

  friend bool operator==(const Migration&, const Migration&) = default;
};

}  // namespace toa
