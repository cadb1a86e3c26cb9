#include "gateway/directives/map_language.hpp"

#include "gateway/directives/fill.hpp"
#include "gateway/directives/languages.hpp"
#include "gateway/directives/names.hpp"

namespace toa::gateway {
namespace {

class Language final : public Directive {
 public:
  Language(std::string property, std::vector<std::string> languages)
      : property_(std::move(property)), languages_(std::move(languages)) {}

  Verdict prepare(Exchange& exchange) override {
    const auto accepted = exchange.request.find("accept-language").value_or("");
    const auto& language = best_language(languages_, accepted);
    exchange.response.add("content-language", language);
    return fill_input(exchange, property_, Json(language));
  }

  void describe(JsonObject& entry) const override { hide_input(entry, property_); }
  std::vector<std::string> reads() const override { return {"accept-language"}; }

 private:
  std::string property_;
  std::vector<std::string> languages_;
};

}  // namespace

std::unique_ptr<Directive> make_language(const std::vector<Stated>& stated, MethodSite) {
  const auto* known = nearest(stated, "languages");
  const auto languages = known == nullptr ? std::nullopt : read_names(known->value);
  const auto* own = nearest(stated, "language");
  if (own == nullptr) return nullptr;
  const auto* property = own->value.value().if_string();
  if (property == nullptr) {
    own->value.report("must be the name of an input property");
  } else if (!languages || languages->empty()) {
    own->value.report("needs 'map:languages', with at least one");
  } else {
    return std::make_unique<Language>(std::string(*property), *languages);
  }
  return nullptr;
}

}  // namespace toa::gateway
