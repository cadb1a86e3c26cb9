// The steps of a scenario that start and end processes, and the one that looks into the database.

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <sqlite3.h>
#include <unistd.h>

#include "failed.hpp"
#include "keys.hpp"
#include "match.hpp"
#include "outcome.hpp"
#include "player.hpp"

namespace toa::scenarios {
namespace {

using namespace std::chrono_literals;

constexpr auto start_patience = 60s;
constexpr auto end_patience = 60s;

/// The first line that a starting program reports; empty where it ended without one.
std::string report_of(int descriptor) {
  std::string line;
  pollfd waiting{descriptor, POLLIN, 0};
  const auto patience = std::chrono::milliseconds(start_patience).count();
  for (char c = 0; ::poll(&waiting, 1, static_cast<int>(patience)) > 0;) {
    if (::read(descriptor, &c, 1) <= 0 || c == '\n') break;
    line += c;
  }
  return line;
}

JsonObject variables_of(const JsonObject& settings) {
  auto variables = map_of(settings, "environment");
  if (const auto shift = text_of(settings, "time"); !shift.empty()) variables["TOA_TIME"] = shift;
  if (const auto fault = text_of(settings, "fault"); !fault.empty()) variables["TOA_FAULT"] = fault;
  return variables;
}

void check_end(const JsonObject& step, const Ended& ended) {
  const auto* exit = step.if_contains("exit");
  const auto wanted = exit == nullptr ? 0 : exit->as_int64();
  if (ended.signal != 0) throw Failed{fmt::format("signal {} ended it", ended.signal)};
  if (ended.exit != wanted)
    throw Failed{fmt::format("expected exit code {}, found {}", wanted, ended.exit)};
}

void check_text(const JsonObject& step, std::string_view name, const std::string& found) {
  const auto* expected = step.if_contains(name);
  if (expected == nullptr) return;
  if (const auto why = text_mismatch(*expected, found))
    throw Failed{fmt::format("{}: {}", name, *why)};
}

struct Database {
  explicit Database(const std::string& file) {
    if (::sqlite3_open_v2(file.c_str(), &handle, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK)
      throw Failed{file + " cannot be opened"};
    ::sqlite3_busy_timeout(handle, 10'000);
  }
  ~Database() { ::sqlite3_close(handle); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  sqlite3* handle = nullptr;
};

int take_row(void* rows, int count, char** values, char**) {
  JsonArray row;
  for (int i = 0; i < count; ++i) row.push_back(values[i] == nullptr ? Json() : Json(values[i]));
  static_cast<JsonArray*>(rows)->push_back(std::move(row));
  return 0;
}

}  // namespace

std::string Player::launch(const JsonObject& settings) {
  if (program_) throw Failed{"the application runs already"};
  std::error_code ignored;
  std::filesystem::create_directories(stage_.data(), ignored);
  log_from_ = Stage::read(stage_.log()).size();
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) throw Failed{"no pipe can be made"};
  program_ = stage_.program({"mono", "--path", stage_.application(), "--log-file", stage_.log(),
                             "--workers", std::to_string(scenario_.workers), "--ready-fd", "3"},
                            variables_of(settings), "program", report[1]);
  ::close(report[1]);
  auto line = report_of(report[0]);
  ::close(report[0]);
  return line;
}

void Player::start(const JsonObject& settings) {
  const auto report = launch(settings);
  if (report.starts_with("ready ")) {
    know_addresses(report);
    variables_.set("pid", Json(static_cast<std::int64_t>(*program_)));
    return;
  }
  const auto ended = wait_for(*std::exchange(program_, std::nullopt), end_patience);
  throw Failed{fmt::format("the application did not start (exit {}, signal {}): {}", ended.exit,
                           ended.signal, stage_.err("program"))};
}

void Player::start_refused(const JsonObject& step) {
  if (!step.contains("refused") && !step.contains("says")) return start(map_of(step, "start"));
  if (launch(map_of(step, "start")).starts_with("ready "))
    throw Failed{"the application started, and a refusal was expected"};
  const auto ended = wait_for(*std::exchange(program_, std::nullopt), end_patience);
  if (ended.exit != 1) {
    throw Failed{fmt::format("expected a refused start (exit code 1), found exit {}, signal {}",
                             ended.exit, ended.signal)};
  }
  check_text(step, "refused", stage_.err("program"));
  check_text(step, "says", stage_.err("program"));
}

void Player::stop() {
  if (!program_) throw Failed{"the application does not run"};
  ::kill(*program_, SIGTERM);
  const auto ended = wait_for(*std::exchange(program_, std::nullopt), end_patience);
  if (ended.exit != 0)
    throw Failed{fmt::format("it stopped with exit {}, signal {}", ended.exit, ended.signal)};
}

void Player::kill() {
  if (!program_) throw Failed{"the application does not run"};
  ::kill(*program_, SIGKILL);
  wait_for(*std::exchange(program_, std::nullopt), end_patience);
}

void Player::ended(const JsonObject& step) {
  if (!program_) throw Failed{"the application does not run"};
  const auto how = wait_for(*std::exchange(program_, std::nullopt), end_patience);
  const Json found{{"exit", how.exit}, {"signal", how.signal}};
  must(mismatch(map_of(step, "ended"), found, Match::partly));
  check_text(step, "says", stage_.err("program"));
}

void Player::shell(const JsonObject& step) {
  const auto name = fmt::format("shell-{}", ++shells_started_);
  const auto later = text_of(step, "later");
  if (!later.empty()) {
    shells_[later] = {stage_.shell(text_of(step, "shell"), name), name};
    return;
  }
  eventually(step, "0s",
             [&] { judge_shell({stage_.shell(text_of(step, "shell"), name), name}, step); });
}

void Player::judge_shell(const Shell& shell, const JsonObject& step) {
  const auto ended = wait_for(shell.pid, end_patience);
  try {
    check_end(step, ended);
    check_text(step, "stdout", stage_.out(shell.name));
    check_text(step, "stderr", stage_.err(shell.name));
  } catch (const Failed& failed) {
    throw Failed{fmt::format("{}\n--- its standard output\n{}--- its standard error\n{}",
                             failed.what, stage_.out(shell.name), stage_.err(shell.name))};
  }
  if (!step.contains("save")) return;
  const auto printed = json::parse(stage_.out(shell.name));
  if (!printed) throw Failed{"what it printed is no JSON: " + printed.error().message};
  for (const auto& [name, path] : map_of(step, "save"))
    variables_.set(std::string(name), part_of(*printed, path.as_string()));
}

void Player::finish(const std::string& name, const JsonObject& step) {
  const auto found = shells_.find(name);
  if (found == shells_.end()) throw Failed{"no command was started `later` under this name"};
  const auto shell = found->second;
  shells_.erase(found);
  judge_shell(shell, step);
}

void Player::parked(const JsonObject& step) {
  const auto name = fmt::format("shell-{}", ++shells_started_);
  eventually(step, "0s", [&] {
    const auto ended =
        wait_for(stage_.shell("toa parked --json " + text_of(step, "filter"), name), end_patience);
    if (ended.exit != 0) throw Failed{"`toa parked` failed: " + stage_.err(name)};
    const auto printed = json::parse(stage_.out(name));
    if (!printed) throw Failed{"what it printed is no JSON: " + printed.error().message};
    must(mismatch(step.at("parked"), *printed, Match::partly));
    for (const auto& [variable, path] : map_of(step, "save"))
      variables_.set(std::string(variable), part_of(*printed, path.as_string()));
  });
}

void Player::database(const JsonObject& step) {
  const Database database(stage_.database());
  eventually(step, "0s", [&] {
    JsonArray rows;
    const auto sql = text_of(step, "database");
    if (::sqlite3_exec(database.handle, sql.c_str(), take_row, &rows, nullptr) != SQLITE_OK)
      throw Failed{std::string("the database: ") + ::sqlite3_errmsg(database.handle)};
    if (const auto* expected = step.if_contains("rows"))
      must(mismatch(*expected, rows, Match::wholly));
  });
}

}  // namespace toa::scenarios
