#include <gtest/gtest.h>

#include "manifest/read_fixture.hpp"

namespace toa::manifest {
namespace {

class MigrationsTest : public ReadTest {
 protected:
  MigrationsTest() {
    write("components/library.books/manifest.toa.yaml", R"(
entity:
  properties:
    title: { type: string }
    pages: { type: integer }
    tags: { type: array, items: { type: string } }
    copies:
      type: array
      items: { type: object, properties: { shelf: { type: string } } }
)");
  }
  void migration(const std::string& file, std::string_view text) {
    write("components/library.books/migrations/" + file, text);
  }
  std::vector<Migration> migrations() {
    return application().components.at(ComponentId("library.books")).migrations;
  }
  std::string print(const std::optional<Criteria>& criteria) {
    return criteria ? toa::print(*criteria) : "all";
  }
};

TEST_F(MigrationsTest, AreReadInTheOrderOfTheirIds) {
  migration("0002.json", R"([{ "dropIndex": { "name": "t" } }])");
  migration("0001.yaml", R"(
- index:
    name: t
    keys: { title: asc, pages: desc }
    unique: true
    partial: { DELETED: null }
- index: { name: due, keys: { due: hash }, sparse: true }
)");
  const auto read = migrations();
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].id, "0001");
  const auto& index = std::get<Index>(read[0].steps[0]);
  EXPECT_TRUE(index.unique);
  EXPECT_EQ(index.keys, (std::vector<Index::Key>{{"title"}, {"pages", Index::Kind::descending}}));
  EXPECT_EQ(print(index.partial), "DELETED==null");
  EXPECT_TRUE(std::get<Index>(read[0].steps[1]).sparse);
  EXPECT_EQ(std::get<DropIndex>(read[1].steps[0]).name, "t");
}

// R191
TEST_F(MigrationsTest, SpeakOfObjectsInTheWordsOfMongodb) {
  migration("1.yaml", R"(
- update:
    filter:
      pages: { $gte: 1, $lt: 10 }
      $or: [{ title: x }, { title: { $in: [y, null] } }, { $and: [{ a.b: 1 }, { tags: { $ne: z } }] }]
      copies.shelf: { $exists: true }
    update: { $set: { title: t }, $unset: { old: '' }, $rename: { a: b.c }, pages: 3 }
- delete: { filter: {} }
)");
  const auto read = migrations();
  const auto& update = std::get<UpdateObjects>(read[0].steps[0]);
  EXPECT_EQ(print(update.filter),
            "pages>=1;pages<10;(title==x,title=in=(y,null),a.b==1;tags!=z);copies.shelf!=null");
  EXPECT_EQ(update.set, (std::vector<std::pair<std::string, Json>>{{"title", "t"}, {"pages", 3}}));
  EXPECT_EQ(update.unset, std::vector<std::string>{"old"});
  EXPECT_EQ(update.rename, (std::vector<std::pair<std::string, std::string>>{{"a", "b.c"}}));
  const auto& all = std::get<Criteria::All>(update.filter->node).parts;
  const auto& shelf = std::get<Condition>(all.back().node);
  EXPECT_EQ(shelf.path, (std::vector<Step>{{"copies", true}, {"shelf", false}}));
  EXPECT_FALSE(std::get<DeleteObjects>(read[0].steps[1]).filter);
}

TEST_F(MigrationsTest, AreRefusedWithFileAndLine) {
  migration("1.yaml", R"(
- index: { name: a, keys: { title: up } }
- index: { name: b, keys: { copies.shelf: asc }, unique: true }
- index: { name: c, keys: { title: text }, ttl: 3 }
- index: { keys: {} , uniqe: true }
- images: true
- update: { filter: {}, update: [{ $set: {} }] }
- update: { filter: { title: { $regex: x } }, update: { $inc: { pages: 1 }, VERSION: 2 } }
- delete: {}
)");
  migration("1.yml", "[]");
  migration("note.txt", "");
  const std::string at = "components/library.books/migrations/1.yaml:";
  const auto told = problems();
  for (const auto& expected :
       {at + "2: 0.index.keys.title: must be asc, desc, hash or text",
        at + "3: 1.index.keys.copies.shelf: 'copies.shelf' leads through a list, which a unique "
             "index cannot do",
        at + "4: 2.index: a text index is neither unique, sparse nor partial, and has no ttl",
        at + "5: 3.index: must have required property 'name'",
        at + "5: 3.index.keys: must name a property",
        at + "5: 3.index.uniqe: unknown key 'uniqe' (did you mean 'unique'?)",
        at + "6: 4.images: 'images' is not supported by this release",
        at + "7: 5.update.update: a pipeline is not supported: state what is $set, $unset or "
             "$rename",
        at + "8: 6.update.filter.title.$regex: '$regex' is not supported",
        at + "8: 6.update.update.$inc: '$inc' is not supported",
        at + "8: 6.update.update.VERSION: System property 'VERSION' cannot be changed",
        at + "9: 7.delete: must have required property 'filter'; {} means all objects",
        std::string("migrations/1.yml: there is more than one migration '1'"),
        std::string("migrations/note.txt: is no migration: these are .yaml or .json")})
    EXPECT_NE(told.find(expected), std::string::npos) << expected << "\nin\n" << told;
}

TEST_F(MigrationsTest, ThatLeaveTwoIndexesToSearchAreRefused) {
  migration("1.yaml", "- index: { name: a, keys: { title: text } }\n");
  migration("2.yaml", "- index: { name: b, keys: { pages: text } }\n");
  EXPECT_NE(problems().find("migrations/2.yaml:1: 0.index.keys: 'a' has text keys as well"),
            std::string::npos);
  migration("2.yaml", R"(
- dropIndex: { name: a }
- index: { name: b, keys: { title: text, shelf: text } }
)");
  EXPECT_EQ(migrations().size(), 2u);
}

TEST_F(MigrationsTest, WarnOfIndexesThatAreNoUse) {
  migration("1.yaml", R"(
- index: { name: gone, keys: { old: asc } }
- index: { name: a, keys: { title: asc, shelf.row: asc } }
- index: { name: b, keys: { pages: asc }, ttl: 60 }
- index: { name: c, keys: { UPDATED: asc }, ttl: 60 }
- index: { name: d, keys: { copies.shelf: asc, REGION: asc } }
)");
  migration("2.yaml", "- dropIndex: { name: gone }\n");
  const auto warnings = application().warnings;
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("1.yaml:3: 1.index.keys: 'shelf.row' is no property of the entity"),
            std::string::npos)
      << warnings[0];
  EXPECT_NE(warnings[1].find("1.yaml:4: 2.index.ttl: 'pages' is no moment"), std::string::npos)
      << warnings[1];
}

// R187
TEST_F(MigrationsTest, OfPrototypesComeFirst) {
  write("prototypes/shelf/manifest.toa.yaml", "name: shelf\nentity: { properties: { n: {} } }\n");
  write("prototypes/shelf/migrations/2.yaml", "[{ dropIndex: { name: x } }]");
  write("components/library.books/manifest.toa.yaml",
        "prototype: ../../prototypes/shelf\nentity: { properties: { title: { type: string } } }\n");
  migration("1.yaml", "[{ dropIndex: { name: y } }]");
  const auto read = migrations();
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].id, "shelf:2");
  EXPECT_EQ(read[1].id, "1");
}

// spec core 2.4
TEST_F(MigrationsTest, OfAPrototypeAreRecordedUnderItsName) {
  write("prototypes/shelf/manifest.toa.yaml", "prototype: ../lower\nentity: { properties: {} }\n");
  write("prototypes/shelf/migrations/2.yaml", "[]");
  write("prototypes/lower/manifest.toa.yaml", "name: shelf\n");
  write("prototypes/lower/migrations/1.yaml", "[]");
  write("components/library.books/manifest.toa.yaml", "prototype: ../../prototypes/shelf\n");
  EXPECT_EQ(problems(),
            "prototypes/shelf/manifest.toa.yaml:1: must have required property 'name', which its "
            "migrations are recorded under\n");
  write("prototypes/shelf/manifest.toa.yaml",
        "name: shelf\nprototype: ../lower\nentity: { properties: {} }\n");
  EXPECT_EQ(problems(),
            "prototypes/shelf/manifest.toa.yaml:1: name: 'shelf' is the name of another prototype "
            "with migrations that 'library.books' inherits\n");
}

TEST_F(MigrationsTest, NeedAnEntity) {
  write("components/library.books/manifest.toa.yaml", "name: books\nnamespace: library\n");
  migration("1.yaml", "[]");
  EXPECT_NE(problems().find("the component has no entity that migrations could change"),
            std::string::npos);
}

}  // namespace
}  // namespace toa::manifest
