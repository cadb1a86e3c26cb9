#include "simulation/sim_storage.hpp"

#include <fmt/format.h>
#include <utility>

namespace toa::simulation {
namespace {

constexpr milliseconds linger_max{50};

std::unexpected<Error> gone() {
  return fail(ErrorKind::unavailable, "the storage is away");
}

/// Receivers of these rely on the commit that holds state and acknowledgement, and on nothing else.
bool bears_duplicates(const Message& message) {
  return message.component.value != "sim.books" && message.component.value != "sim.totals";
}

/// No message of the runtime's own has a number below zero.
MessageNumber number_of_double(const Message& message) {
  return MessageNumber(-message.number.value);
}

std::string shown(const storage::Unit& unit) {
  std::string text = "commit";
  for (const auto& write : unit.writes)
    text += fmt::format(" {}/{}@{}{}", write.component.value, write.next.id.value,
                        write.next.version.value, write.on ? " on an accepted state" : "");
  if (unit.remembered) text += fmt::format(" once {}", unit.remembered->identity.hex());
  for (const auto& record : unit.records) text += fmt::format(" record {}", record.id.hex());
  for (const auto& record : unit.published) text += fmt::format(" published {}", record.hex());
  for (const auto& message : unit.messages)
    text += fmt::format(" message {} to {}", message.number.value, message.component.value);
  constexpr std::array fates{"done", "retry", "park", "return", "discard", "keep chain"};
  for (const auto& fate : unit.fates) {
    const auto number = std::visit([](const auto& what) { return what.number.value; }, fate);
    text += fmt::format(" {} {}", fates[fate.index()], number);
  }
  return text;
}

std::string shown(const Result<storage::Commit>& answer) {
  if (!answer) return answer.error().message;
  const auto* lost = std::get_if<storage::Lost>(&*answer);
  if (lost != nullptr && lost->taken_back) return "taken back";
  constexpr std::array outcomes{"stored", "lost its race", "known", "clashed"};
  return outcomes[answer->index()];
}

}  // namespace

Task<void> SimStorage::linger() {
  if (chaos_.happens(chaos_.plan().storage_lingers))
    co_await pause(loop_, chaos_.up_to(linger_max));
}

template <class T>
Task<Result<T>> SimStorage::disturbed(Task<Result<T>> call) {
  co_await linger();
  if (chaos_.happens(chaos_.plan().read_fails)) co_return gone();
  auto answer = co_await std::move(call);
  co_await linger();
  if (chaos_.happens(chaos_.plan().read_fails)) co_return gone();
  co_return answer;
}

Task<Result<void>> SimStorage::prepare(std::vector<storage::Collection> collections) {
  return storage_.prepare(std::move(collections));
}

Task<Result<std::optional<storage::FirstReply>>> SimStorage::recall(std::string endpoint,
                                                                    Identity identity) {
  return disturbed(storage_.recall(std::move(endpoint), identity));
}

Task<Result<std::optional<Object>>> SimStorage::load(ComponentId component, EntityId id) {
  return disturbed(storage_.load(std::move(component), std::move(id)));
}

Task<Result<storage::Head>> SimStorage::head(ComponentId component, EntityId id) {
  return disturbed(storage_.head(std::move(component), std::move(id)));
}

Task<Result<std::vector<Object>>> SimStorage::find(ComponentId component, Selection selection) {
  return disturbed(storage_.find(std::move(component), std::move(selection)));
}

Task<Result<std::string>> SimStorage::query(ComponentId component, std::string text,
                                            JsonArray values) {
  return disturbed(storage_.query(std::move(component), std::move(text), std::move(values)));
}

Task<Result<storage::Commit>> SimStorage::commit(storage::Unit unit) {
  const auto& plan = chaos_.plan();
  co_await linger();
  if (chaos_.happens(plan.commit_fails)) co_return gone();
  const auto doubled = duplicate(unit);
  const auto what = shown(unit);
  auto answer = co_await storage_.commit(std::move(unit));
  trace_.line(fmt::format("{}: {}", what, shown(answer)));
  for (const auto& component : doubled) told_.duplicated(component);
  co_await linger();
  if (answer && chaos_.happens(plan.commit_lies)) {
    told_.lied();
    co_return gone();
  }
  co_return answer;
}

std::vector<ComponentId> SimStorage::duplicate(storage::Unit& unit) {
  std::vector<Message> doubles;
  std::vector<ComponentId> components;
  for (const auto& message : unit.messages) {
    if (!bears_duplicates(message) || !chaos_.happens(chaos_.plan().duplicates)) continue;
    auto& made = doubles.emplace_back(message);
    made.number = number_of_double(message);
    components.push_back(message.component);
  }
  // The last number of a unit is the one that the file's count is kept by.
  unit.messages.insert(unit.messages.begin(), doubles.begin(), doubles.end());
  return components;
}

Task<void> SimStorage::close() {
  return storage_.close();
}

Task<Result<std::vector<Record>>> SimStorage::records(std::optional<Identity> after,
                                                      std::size_t limit) {
  return disturbed(queue_.records(after, limit));
}

Task<Result<std::vector<Message>>> SimStorage::due(ComponentId component, storage::Place after,
                                                   EpochMs now, std::size_t limit) {
  auto page = co_await disturbed(queue_.due(component, after, now, limit));
  if (!page || page->empty()) co_return page;
  trace_.line(fmt::format("{} reads {} to {}", component.value, page->front().number.value,
                          page->back().number.value));
  co_return page;
}

Task<Result<std::optional<EpochMs>>> SimStorage::next_due(ComponentId component, EpochMs now) {
  return disturbed(queue_.next_due(std::move(component), now));
}

Task<Result<MessageNumber>> SimStorage::last_number() {
  return queue_.last_number();
}

Task<Result<std::size_t>> SimStorage::waiting() {
  return queue_.waiting();
}

Task<Result<std::vector<ParkedMessage>>> SimStorage::parked(storage::ParkedFilter filter,
                                                            MessageNumber after,
                                                            std::size_t limit) {
  return queue_.parked(std::move(filter), after, limit);
}

}  // namespace toa::simulation
