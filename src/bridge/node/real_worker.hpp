#pragma once

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

#include "bridge/node/node_subject.hpp"

namespace toa::bridge::testing {

/// The worker, bundled from its sources as the build does.
inline NodeOptions with_worker(NodeOptions options) {
  const auto packages = std::filesystem::path(TOA_SOURCE_DIR) / "packages/worker";
  const static TemporaryFolder folder;
  const static auto bundle = [&packages] {
    const auto file = folder.file("worker.mjs");
    const auto command = "sh '" + (packages / "build.sh").string() + "' '" + file + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return file;
  }();
  options.worker = bundle;
  return options;
}

}  // namespace toa::bridge::testing
