#include "runtime/node_site.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hex.hpp"
#include "base/sha256.hpp"
#include "bridge/node/node_bridge.hpp"
#include "runtime/embedded.hpp"

namespace toa::runtime {
namespace {

namespace fs = std::filesystem;

bool holds(const std::string& file, std::string_view content) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return in && text.view() == content;
}

Result<void> write_whole(const std::string& file, std::string_view content) {
  const auto unfinished = file + "." + std::to_string(::getpid());
  std::ofstream out(unfinished, std::ios::binary | std::ios::trunc);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  std::error_code ec;
  if (out) fs::rename(unfinished, file, ec);
  if (out && !ec) return {};
  return fail(ErrorKind::unavailable, file + " cannot be written: " + std::strerror(errno) +
                                          "; make room, or choose another folder with --data");
}

/// Named by its content, so that two versions of the program can share a folder. Read back, because
/// a crash may have left it empty.
Result<std::string> place_worker(const std::string& data) {
  const auto worker = embedded::worker();
  const auto hash = sha256_framed({worker.content});
  const auto file = data + "/worker-" + to_hex(std::span(hash).first(8)) + ".mjs";
  if (holds(file, worker.content)) return file;
  std::error_code ec;
  fs::create_directories(fs::path(data).parent_path(), ec);
  ::mkdir(data.c_str(), 0700);
  if (auto written = write_whole(file, worker.content); !written)
    return std::unexpected(written.error());
  return file;
}

}  // namespace

Result<std::unique_ptr<bridge::Bridge>> make_node_bridge(const Settings& settings, AsioLoop& loop,
                                                         const Clock& clock, bridge::LogSink& log) {
  auto worker = place_worker(settings.data);
  if (!worker) return std::unexpected(worker.error());
  bridge::NodeOptions options{.node = settings.node,
                              .worker = std::move(*worker),
                              // A key that a client chose must be a key: with the accessor in place
                              // `paid['__proto__'] = 1` keeps nothing, and the repeat pays again.
                              .arguments = {"--disable-proto=delete"},
                              .workers = static_cast<std::size_t>(settings.workers),
                              .clock_shift = settings.time_shift};
  return std::make_unique<bridge::NodeBridge>(loop, clock, log, std::move(options));
}

}  // namespace toa::runtime
