#include "bridge/node/node_version.hpp"

#include <array>
#include <string_view>

#include "base/limits.hpp"
#include "bridge/node/child.hpp"

namespace toa::bridge::node {

Task<std::optional<std::string>> node_version(AsioLoop& loop, std::string node) {
  auto child = Child::start(loop, {std::move(node), {"--version"}}, Joined::no);
  if (!child) co_return std::nullopt;
  const auto timer = loop.after(limits::node_version_max, [&child] { child->kill(); });
  co_await child->exited();
  loop.cancel(timer);
  std::array<char, 64> buffer{};
  const auto read = child->out().read(buffer);
  const std::string_view line(buffer.data(), read.bytes);
  if (line.empty()) co_return std::nullopt;
  co_return std::string(line.substr(0, line.find_first_of("\r\n")));
}

}  // namespace toa::bridge::node
