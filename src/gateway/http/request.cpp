#include "gateway/http/request.hpp"

#include "base/limits.hpp"

namespace toa::gateway::http {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

std::optional<std::string_view> Request::find(std::string_view name) const {
  for (const auto& spans : fields_) {
    if (same_name(text(spans.name), name)) return text(spans.value);
  }
  return std::nullopt;
}

std::optional<std::string> Request::joined(std::string_view name) const {
  std::optional<std::string> joined;
  for (const auto& spans : fields_) {
    if (!same_name(text(spans.name), name)) continue;
    if (joined) {
      *joined += ", ";
      *joined += text(spans.value);
    } else {
      joined = std::string(text(spans.value));
    }
  }
  return joined;
}

std::size_t Request::count(std::string_view name) const {
  std::size_t count = 0;
  for (const auto& spans : fields_) count += same_name(text(spans.name), name) ? 1 : 0;
  return count;
}

Request::Span Request::append(std::string_view text) {
  const Span span{static_cast<std::uint32_t>(head_.size()),
                  static_cast<std::uint32_t>(text.size())};
  head_ += text;
  return span;
}

void Request::start(std::string_view method, std::string_view target) {
  method_ = append(method);
  target_ = append(target);
}

void Request::add_field(std::string_view name, std::string_view value) {
  const auto named = append(name);
  fields_.push_back({named, append(value)});
}

void Request::clear(std::size_t kept) {
  head_.clear();
  fields_.clear();
  method_ = target_ = {};
  keeps_alive_ = false;
  // A large body does not stay for as long as its connection does.
  if (body_.capacity() > kept) body_ = std::string();
  body_.clear();
}

}  // namespace toa::gateway::http
