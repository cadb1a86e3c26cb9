#include "simulation/herd.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "base/assert.hpp"
#include "base/json.hpp"
#include "simulation/simulation.hpp"

namespace toa::simulation {
namespace {

// What dead lives leave behind is some 100 KB each.
constexpr std::uint64_t seeds_per_process = 100;

/// A line of JSON for each seed: one when it begins, one when it is done.
void tell(int pipe, const JsonObject& what) {
  const auto line = json::print(what) + "\n";
  for (std::size_t sent = 0; sent < line.size();) {
    const auto wrote = ::write(pipe, line.data() + sent, line.size() - sent);
    if (wrote < 0) ::_exit(3);
    sent += static_cast<std::size_t>(wrote);
  }
}

[[noreturn]] void run_seeds(std::uint64_t first, std::uint64_t count, Mutant mutant, int pipe) {
  for (auto seed = first; seed < first + count; ++seed) {
    tell(pipe, {{"begins", seed}});
    auto finding = simulate(seed, mutant);
    JsonObject done{{"done", seed}, {"steps", finding.steps}, {"ends", JsonObject()}};
    for (const auto& [where, times] : finding.ends) done["ends"].as_object()[where] = times;
    if (!finding.violations.empty()) {
      std::string story;
      for (const auto& line : finding.story) story += line + "\n";
      done["story"] = story;
    }
    tell(pipe, done);
    if (!finding.violations.empty()) break;
  }
  ::_exit(0);
}

struct Child {
  ::pid_t pid = 0;
  int pipe = -1;
  std::string unread;
  std::optional<std::uint64_t> at_work;
};

class Shepherd {
 public:
  explicit Shepherd(const Herd& herd) : herd_(herd), next_(herd.first) {}

  Summary run() {
    while (true) {
      while (!summary_.failed && children_.size() < herd_.jobs && left() > 0) begin();
      if (children_.empty()) return std::move(summary_);
      listen();
    }
  }

 private:
  std::uint64_t left() const { return herd_.first + herd_.count - next_; }

  void begin() {
    int ends[2];
    require(::pipe(ends) == 0, "there is a pipe");
    const auto count = std::min(left(), seeds_per_process);
    std::fflush(nullptr);
    const auto pid = ::fork();
    require(pid >= 0, "there is a process");
    if (pid == 0) {
      ::close(ends[0]);
      run_seeds(next_, count, herd_.mutant, ends[1]);
    }
    ::close(ends[1]);
    next_ += count;
    children_.push_back({.pid = pid, .pipe = ends[0], .unread = {}, .at_work = {}});
  }

  void listen() {
    std::vector<::pollfd> pipes;
    for (const auto& child : children_) pipes.push_back({child.pipe, POLLIN, 0});
    if (::poll(pipes.data(), pipes.size(), -1) < 0) return;
    for (std::size_t i = pipes.size(); i-- > 0;) {
      if (pipes[i].revents != 0 && !read(children_[i])) end(i);
    }
  }

  bool read(Child& child) {
    char bytes[65'536];
    const auto size = ::read(child.pipe, bytes, sizeof bytes);
    if (size <= 0) return size < 0 && errno == EINTR;
    child.unread.append(bytes, static_cast<std::size_t>(size));
    for (auto end = child.unread.find('\n'); end != std::string::npos;
         end = child.unread.find('\n')) {
      hear(child, *json::parse(child.unread.substr(0, end)));
      child.unread.erase(0, end + 1);
    }
    return true;
  }

  void hear(Child& child, const Json& what) {
    if (const auto* seed = json::find(what, "begins")) {
      child.at_work = seed->to_number<std::uint64_t>();
      return;
    }
    child.at_work.reset();
    ++summary_.done;
    summary_.steps += what.at("steps").to_number<std::uint64_t>();
    for (const auto& [where, times] : what.at("ends").as_object())
      summary_.ends[where] += times.to_number<std::uint64_t>();
    const auto seed = what.at("done").to_number<std::uint64_t>();
    if (const auto* story = json::find(what, "story"))
      fail({seed, std::string(story->as_string())});
    if (herd_.progress) herd_.progress(summary_.done);
  }

  void end(std::size_t place) {
    auto& child = children_[place];
    ::close(child.pipe);
    int status = 0;
    ::waitpid(child.pid, &status, 0);
    if (child.at_work && !summary_.failed)
      fail({*child.at_work,
            fmt::format("its process died ({}); run it with --trace\n",
                        WIFSIGNALED(status) ? ::strsignal(WTERMSIG(status)) : "by itself")});
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(place));
  }

  void fail(Failed failed) {
    if (summary_.failed) return;
    summary_.failed = std::move(failed);
    for (const auto& child : children_) ::kill(child.pid, SIGTERM);
  }

  const Herd& herd_;
  std::uint64_t next_;
  std::vector<Child> children_;
  Summary summary_;
};

}  // namespace

Summary run(const Herd& herd) {
  return Shepherd(herd).run();
}

}  // namespace toa::simulation
