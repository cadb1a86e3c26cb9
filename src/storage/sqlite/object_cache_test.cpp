#include "storage/sqlite/object_cache.hpp"

#include <gtest/gtest.h>

namespace toa::storage::sqlite {
namespace {

const ComponentId wallets{"shop.wallets"};

Object object(std::string id, std::int64_t version, std::size_t bytes = 2) {
  Object made;
  made.id = EntityId(std::move(id));
  made.version = Version(version);
  made.properties = std::string(bytes, ' ');
  return made;
}

const Object* find(ObjectCache& cache, std::string_view id) {
  return cache.find({wallets.value, id});
}

TEST(ObjectCache, NeverGoesBackToAnOlderVersion) {
  ObjectCache cache(100'000);
  cache.put(wallets, object("a", 2));
  cache.put(wallets, object("a", 1));
  EXPECT_EQ(find(cache, "a")->version, Version(2));
  cache.put(wallets, object("a", 3));
  EXPECT_EQ(find(cache, "a")->version, Version(3));
}

TEST(ObjectCache, LetsGoOfWhatWasUsedLeastRecently) {
  ObjectCache cache(30'000);
  cache.put(wallets, object("a", 1, 10'000));
  cache.put(wallets, object("b", 1, 10'000));
  EXPECT_TRUE(find(cache, "a"));
  cache.put(wallets, object("c", 1, 10'000));
  EXPECT_TRUE(find(cache, "a"));
  EXPECT_FALSE(find(cache, "b"));
  EXPECT_TRUE(find(cache, "c"));
}

TEST(ObjectCache, CountsBytesAsObjectsGrowAndShrink) {
  ObjectCache cache(1'000'000);
  cache.put(wallets, object("a", 1, 10));
  const auto small = cache.bytes();
  cache.put(wallets, object("a", 2, 1'010));
  EXPECT_EQ(cache.bytes(), small + 1'000);
  cache.put(wallets, object("a", 3, 10));
  EXPECT_EQ(cache.bytes(), small);
}

TEST(ObjectCache, HoldsNothingLargerThanItself) {
  ObjectCache cache(1'000);
  cache.put(wallets, object("a", 1, 2'000));
  EXPECT_FALSE(find(cache, "a"));
  EXPECT_EQ(cache.bytes(), 0u);
}

}  // namespace
}  // namespace toa::storage::sqlite
