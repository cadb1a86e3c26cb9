#pragma once

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <stdlib.h>
#include <string>

#include "manifest/read.hpp"

namespace toa::manifest {

/// An application in a folder of its own, of which all code is what `code_` says.
class ReadTest : public testing::Test {
 protected:
  ReadTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "toa-manifest-XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
    write("context.toa.yaml", "name: shop\n");
  }
  ~ReadTest() override { std::filesystem::remove_all(root_); }

  void write(const std::string& file, std::string_view text) {
    const auto path = root_ / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  /// A component with an entity, and these lines after it.
  void wallets(std::string_view more) {
    write(
        "components/billing.wallets/manifest.toa.yaml",
        "entity:\n  properties: { balance: { type: integer, minimum: 0 } }\n" + std::string(more));
  }

  std::expected<Application, std::vector<Problem>> start(const std::string& environment = "local") {
    auto draft =
        read((root_ / "context.toa.yaml").string(), environment, [this](const std::string& name) {
          const auto found = variables_.find(name);
          return found == variables_.end() ? std::nullopt : std::optional(found->second);
        });
    std::vector<CodeFact> facts;
    for (const auto& [id, files] : draft.code) {
      for (const auto& file : files) {
        const auto found = code_.find(file.name);
        auto fact = found == code_.end() ? usual(file.kind) : found->second;
        fact.number = file.number;
        facts.push_back(std::move(fact));
      }
    }
    return complete(std::move(draft), facts);
  }

  static CodeFact usual(CodeFile::Kind kind) {
    if (kind == CodeFile::Kind::event) return {0, "event", {}, {}};
    if (kind == CodeFile::Kind::receiver) return {0, "receiver", {}, {}};
    if (kind == CodeFile::Kind::guard) return {0, "guard", {}, {}};
    if (kind == CodeFile::Kind::command) return {0, "command", {}, {}};
    return {0, "transition", "entry", {}};
  }

  /// The problems, with the application's folder left out.
  std::string problems(const std::string& environment = "local") {
    const auto started = start(environment);
    auto text = started ? "" : print(started.error());
    const auto prefix = root_.string() + "/";
    for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
      text.erase(at, prefix.size());
    return text;
  }

  Application application(const std::string& environment = "local") {
    auto started = start(environment);
    EXPECT_TRUE(started) << print(started.error());
    return started ? *std::move(started) : Application();
  }

  std::filesystem::path root_;
  std::map<std::string, std::string> variables_;
  std::map<std::string, CodeFact> code_;
};

}  // namespace toa::manifest
