#include "storage/memory/memory_queue.hpp"

#include <gtest/gtest.h>

#include "storage/memory/memory_storage.hpp"
#include "storage/queue_conformance.hpp"

namespace toa::storage::queue_conformance {
namespace {

struct Memory final : Backend {
  Memory(Loop& loop, const Clock& clock) : kept(loop, clock) {}
  Storage& storage() override { return kept; }
  Queue& queue() override { return kept.queue(); }
  MemoryStorage kept;
};

INSTANTIATE_TEST_SUITE_P(Memory, QueueConformance,
                         ::testing::Values(Kind{"memory",
                                                [](ManualLoop& loop, const Clock& clock) {
                                                  return std::make_unique<Memory>(loop, clock);
                                                }}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace toa::storage::queue_conformance
