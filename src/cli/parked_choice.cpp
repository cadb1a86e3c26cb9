#include "cli/parked_choice.hpp"

#include <cctype>

#include "base/limits.hpp"

namespace toa::cli {
namespace {

constexpr std::size_t id_digits = 32;

/// Empty where it is no beginning of an id.
std::string digits_of(const std::string& written) {
  std::string digits;
  for (const char c : written) {
    const auto lower = std::tolower(static_cast<unsigned char>(c));
    if (std::isxdigit(lower) != 0) {
      digits += static_cast<char>(lower);
    } else if (c != '-') {
      return {};
    }
  }
  return digits.size() > id_digits ? std::string() : digits;
}

}  // namespace

Result<ParkedChoice> ParkedChoice::of(const std::vector<std::string>& written) {
  ParkedChoice choice;
  for (const auto& each : written) {
    const auto digits = digits_of(each);
    if (digits.empty())
      return fail(ErrorKind::invalid, "'" + each + "' is no id; `toa parked` lists them");
    choice.found_[digits];
  }
  return choice;
}

std::vector<std::string> ParkedChoice::starts() const {
  std::vector<std::string> starts;
  for (const auto& [start, calls] : found_) starts.push_back(start);
  return starts;
}

void ParkedChoice::meet(const JsonArray& items) {
  for (const auto& item : items) {
    const std::string id(item.at("id").as_string());
    for (auto& [start, calls] : found_) {
      // One more than is named, so that it can be told that there are more.
      if (id.starts_with(start) && calls.size() <= limits::parked_choices_max)
        calls.emplace(id, item.at("endpoint").as_string());
    }
  }
}

Result<std::vector<std::string>> ParkedChoice::decide() const {
  std::vector<std::string> ids;
  for (const auto& [start, calls] : found_) {
    if (calls.empty()) {
      return fail(ErrorKind::invalid,
                  "no parked message that fits has the id '" + start + "'" +
                      (start.size() < id_digits ? ", or one that begins so" : "") +
                      "; `toa parked` lists them");
    }
    ids.push_back(calls.begin()->first);
    if (calls.size() == 1) continue;
    std::string message = "the id '" + start + "' means several messages; ";
    const bool alike = calls.begin()->first == calls.rbegin()->first;
    message += alike ? "choose with --endpoint:" : "write more of it:";
    std::size_t named = 0;
    for (const auto& [id, endpoint] : calls) {
      if (named++ == limits::parked_choices_max) {
        message += "\n  …";
        break;
      }
      message += "\n  " + id + "  " + endpoint;
    }
    return fail(ErrorKind::invalid, message);
  }
  return ids;
}

}  // namespace toa::cli
