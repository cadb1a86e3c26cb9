#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include "base/assert.hpp"
#include "base/clock.hpp"
#include "bridge/log_sink.hpp"
#include "bridge/node/node_bridge.hpp"
#include "bridge/test_support.hpp"

namespace toa::bridge::testing {

class NotingLog final : public LogSink {
 public:
  void write(LogEntry entry) override { entries.push_back(std::move(entry)); }

  std::size_t count(std::string_view part) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        entries, [part](const LogEntry& entry) { return entry.message.contains(part); }));
  }

  std::vector<LogEntry> entries;
};

/// A folder that goes when it ends.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "toa-bridge-XXXXXX").string();
    require(::mkdtemp(name.data()) != nullptr, "no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::string fake_worker() {
  return TOA_SOURCE_DIR "/src/bridge/node/fake_worker.mjs";
}

/// A Node bridge with fake workers, quick to lose patience where a test asks for it.
class NodeSubject {
 public:
  explicit NodeSubject(NodeOptions options = {})
      : bridge_(loop_, clock_, log, filled(std::move(options))) {}

  Bridge& bridge() { return bridge_; }
  AsioLoop& loop() { return loop_; }

  Result<Loaded> load(Application application) {
    std::optional<Result<Loaded>> out;
    const auto work = [&]() -> Task<void> { out = co_await bridge_.load(std::move(application)); };
    drive(loop_, work());
    return std::move(*out);
  }

  Ran ran(Run run, Host& host) {
    std::optional<Ran> out;
    const auto work = [&]() -> Task<void> { out = co_await bridge_.run(std::move(run), host); };
    drive(loop_, work());
    return std::move(*out);
  }

  void close() { drive(loop_, bridge_.close()); }

  NotingLog log;

 private:
  static NodeOptions filled(NodeOptions options) {
    if (options.worker.empty()) options.worker = fake_worker();
    return options;
  }

  SystemClock clock_;
  AsioLoop loop_;
  NodeBridge bridge_;
};

/// The message of an exception; empty where it is none.
inline std::string message_of(const Ran& ran) {
  const auto* exception = std::get_if<Exception>(&ran);
  return exception == nullptr ? std::string() : exception->message;
}

/// The text of the reply; empty where there is none.
inline std::string reply_of(const Ran& ran) {
  const auto* returned = std::get_if<Returned>(&ran);
  return returned == nullptr || !returned->reply ? std::string() : returned->reply->text();
}

}  // namespace toa::bridge::testing
