#include "kill/call.hpp"

#include <charconv>
#include <fmt/format.h>

#include "base/json.hpp"

namespace toa::kill {
namespace {

std::optional<Count> count_of(const Json& object) {
  const auto* version = json::find(object, "VERSION");
  const auto* total = json::find(object, "total");
  if (version == nullptr || total == nullptr) return std::nullopt;
  if (!version->is_int64() || !total->is_int64()) return std::nullopt;
  return Count{version->get_int64(), total->get_int64()};
}

}  // namespace

std::string call_line(std::uint64_t n, const Call& call) {
  if (call.direct()) {
    return fmt::format(
        R"({{"n":{},"do":"call","endpoint":"kill.counters.add","request":{{"id":"{}","query":{{"id":"{}"}},"input":{{"by":{}}}}}}})",
        n, call.id, call.counters[0], call.by);
  }
  return fmt::format(
      R"({{"n":{},"do":"call","endpoint":"kill.transfers.make","request":{{"id":"{}","input":{{"first":"{}","second":"{}","by":{}}}}}}})",
      n, call.id, call.counters[0], call.counters[1], call.by);
}

std::string observe_line(std::uint64_t n, const std::string& counter) {
  return fmt::format(
      R"({{"n":{},"do":"call","endpoint":"kill.counters.observe","request":{{"query":{{"id":"{}"}}}}}})",
      n, counter);
}

std::optional<Answer> read_answer(std::string_view line) {
  constexpr std::string_view head = "{\"n\":";
  constexpr std::string_view mark = ",\"replayed\":true";
  if (!line.starts_with(head) || !line.ends_with('}')) return std::nullopt;
  line.remove_prefix(head.size());
  line.remove_suffix(1);

  Answer answer;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), answer.n);
  if (error != std::errc{} || end == line.data() + line.size() || *end != ',') return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()) + 1);
  answer.replayed = line.ends_with(mark);
  if (answer.replayed) line.remove_suffix(mark.size());
  answer.reply = line;
  return answer;
}

std::vector<Count> counts_of(std::string_view reply) {
  const auto parsed = json::parse("{" + std::string(reply) + "}");
  const auto* output = parsed ? json::find(*parsed, "output") : nullptr;
  if (output == nullptr) return {};
  std::vector<Count> counts;
  const auto add = [&counts](const Json& value) {
    if (const auto count = count_of(value)) counts.push_back(*count);
  };
  if (const auto* several = output->if_array()) {
    for (const auto& value : *several) add(value);
  } else {
    add(*output);
  }
  return counts;
}

}  // namespace toa::kill
