#include "kill/early_reply.hpp"

#include "base/assert.hpp"

namespace toa::kill {

Task<Result<std::optional<storage::FirstReply>>> EarlyReply::recall(std::string endpoint,
                                                                    Identity identity) {
  const auto accepted = replies_.find({endpoint, identity});
  if (accepted != replies_.end()) co_return accepted->second;
  co_return co_await inner().recall(std::move(endpoint), identity);
}

Task<Result<std::optional<Object>>> EarlyReply::load(ComponentId component, EntityId id) {
  const std::pair key{component, id};
  auto stored = co_await inner().load(std::move(component), std::move(id));
  const auto accepted = objects_.find(key);
  if (accepted != objects_.end()) co_return accepted->second;
  co_return stored;
}

Task<Result<storage::Commit>> EarlyReply::commit(storage::Unit unit) {
  for (std::size_t i = 0; i < unit.writes.size(); ++i) {
    const auto& write = unit.writes[i];
    const auto current = co_await load(write.component, write.next.id);
    if (!current) co_return std::unexpected(current.error());
    const auto version = *current ? (*current)->version : Version(0);
    if (version != write.base) co_return storage::Lost{i};
  }
  for (const auto& write : unit.writes) {
    objects_.insert_or_assign({write.component, write.next.id}, write.next);
  }
  if (unit.remembered) {
    const auto& record = *unit.remembered;
    replies_.insert_or_assign({record.endpoint, record.identity},
                              storage::FirstReply{record.reply});
  }
  flushing_.spawn(flush(std::move(unit)));
  co_return storage::Stored{};
}

Task<void> EarlyReply::flush(storage::Unit unit) {
  const auto stored = co_await inner().commit(std::move(unit));
  require(stored && std::holds_alternative<storage::Stored>(*stored),
          "what was accepted is stored");
}

Task<void> EarlyReply::close() {
  co_await flushing_.close();
  co_await inner().close();
}

}  // namespace toa::kill
