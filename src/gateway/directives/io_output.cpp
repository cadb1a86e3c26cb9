#include "gateway/directives/io_output.hpp"

#include <algorithm>

#include "gateway/directives/names.hpp"
#include "gateway/directives/trim.hpp"
#include "gateway/exchange.hpp"

namespace toa::gateway {
namespace {

/// What passes: everything, or these properties.
using Passing = std::optional<std::vector<std::string>>;

class Output final : public Directive {
 public:
  explicit Output(Passing names) : names_(std::move(names)) {}

  Verdict conclude(Exchange& exchange) override {
    exchange.withheld = false;
    if (auto output = names_ ? exchange.output.take() : std::nullopt)
      exchange.output.set(trimmed(*output, *names_));
    return {};
  }

  bool opens_output() const override { return true; }

  void describe(JsonObject& entry) const override {
    auto* output = entry.if_contains("output");
    if (output == nullptr || !names_) return;
    auto* schema = output->if_object();
    if (schema == nullptr) return;
    if (auto* items = schema->if_contains("items"); items != nullptr && items->is_object())
      schema = &items->get_object();
    if (auto* properties = schema->if_contains("properties");
        properties != nullptr && properties->is_object())
      keep_only(properties->get_object(), *names_);
  }

 private:
  Passing names_;
};

/// Nothing where it is none of the three.
std::optional<Passing> read(const Stated& stated) {
  const auto& value = stated.value.value();
  if (const auto* flag = value.if_bool())
    return *flag ? Passing{} : Passing{std::vector<std::string>{}};
  auto names = read_names(stated.value);
  if (!names) return std::nullopt;
  return Passing{std::move(*names)};
}

Passing both(Passing outer, Passing inner) {
  if (!outer) return inner;
  if (!inner) return outer;
  std::erase_if(*outer, [&](const std::string& name) {
    return std::ranges::find(*inner, name) == inner->end();
  });
  return outer;
}

bool closes(const Stated& stated) {
  const auto* flag = stated.value.value().if_bool();
  return flag != nullptr && !*flag;
}

}  // namespace

std::unique_ptr<Directive> make_output(const std::vector<Stated>& stated) {
  bool found = false;
  bool closed = false;
  Passing passing;
  for (const auto& one : stated) {
    if (one.name != "output") continue;
    auto read_one = read(one);
    if (!read_one) return nullptr;
    closed = closed || closes(one);
    passing = found ? both(std::move(passing), std::move(*read_one)) : std::move(*read_one);
    found = true;
  }
  if (!found || closed) return nullptr;
  return std::make_unique<Output>(std::move(passing));
}

}  // namespace toa::gateway
