#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "children.hpp"
#include "scenario.hpp"

namespace toa::scenarios {

/// Where the program and the applications of scenarios are.
struct Site {
  std::filesystem::path program;
  std::filesystem::path applications;
};

/// A folder of its own for one scenario: the application, its data, what the program printed.
/// Leaves nothing behind, neither files nor processes.
class Stage {
 public:
  Stage(const Site& site, const Scenario& scenario);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  std::string application() const { return application_.string(); }
  std::string data() const { return data_.string(); }
  std::string control() const { return (data_ / "control.sock").string(); }
  std::string database() const { return (data_ / "toa.db").string(); }
  std::string log() const { return (data_ / "toa.log").string(); }

  void write(const JsonObject& files) const;
  /// Runs `toa` with these arguments; `more` are variables beside the scenario's.
  pid_t program(std::vector<std::string> arguments, const JsonObject& more, const std::string& name,
                int passed) const;
  pid_t shell(const std::string& command, const std::string& name) const;

  /// What a process of that name printed; the folders of the scenario stand as relative paths.
  std::string out(const std::string& name) const { return text(folder_ / (name + ".out")); }
  std::string err(const std::string& name) const { return text(folder_ / (name + ".err")); }
  /// A file's text as it is.
  static std::string read(const std::filesystem::path& file);

 private:
  pid_t run(std::vector<std::string> arguments, const JsonObject& more, const std::string& name,
            int passed) const;
  std::vector<std::string> environment(const JsonObject& more) const;
  std::string text(const std::filesystem::path& file) const;

  const Site& site_;
  JsonObject environment_;
  std::filesystem::path folder_;
  std::filesystem::path application_;
  std::filesystem::path data_;
};

}  // namespace toa::scenarios
