#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "control.hpp"
#include "http.hpp"
#include "scenario.hpp"
#include "stage.hpp"
#include "variables.hpp"

namespace toa::scenarios {

/// Plays the steps of one scenario, in order, against the real program.
class Player {
 public:
  Player(const Site& site, const Scenario& scenario);

  /// Why it does not hold, with the line of the step and what the program said; nothing where it
  /// holds.
  std::optional<std::string> play();

 private:
  void perform(const Step& step);

  void call(const JsonObject& step);
  void answer(const JsonObject& step);
  void together(const JsonObject& step);
  /// As many calls at once as the step says.
  std::vector<Control> ask_times(const JsonObject& step);
  void settle_all(const JsonObject& step, std::vector<Control>& controls);
  static void must_be_among(const JsonArray& among, const std::vector<Answer>& answers);
  void settle(const JsonObject& step, const Answer& answer);
  Control ask(const JsonObject& step);

  void http(const JsonObject& step);
  void several_http(const JsonObject& step, std::size_t times);
  void settle_http(const JsonObject& step, const HttpAnswer& answer);
  /// Where the program that reported this serves HTTP, if it does.
  void know_addresses(const std::string& report);

  void start(const JsonObject& settings);
  void start_refused(const JsonObject& step);
  void stop();
  void kill();
  void ended(const JsonObject& step);
  /// Starts the program; what it reports of that, or nothing where it ended.
  std::string launch(const JsonObject& settings);

  void log(const JsonObject& step);
  void raw(const JsonObject& step);
  struct Shell {
    pid_t pid = 0;
    std::string name;
  };
  void shell(const JsonObject& step);
  void judge_shell(const Shell& shell, const JsonObject& step);
  void finish(const std::string& name, const JsonObject& step);
  void parked(const JsonObject& step);
  void database(const JsonObject& step);
  JsonArray records() const;

  std::string story() const;

  const Scenario& scenario_;
  Stage stage_;
  Variables variables_;
  std::optional<pid_t> program_;
  std::size_t log_from_ = 0;
  std::string http_;
  std::map<std::string, Control> calls_;
  std::map<std::string, Shell> shells_;
  std::size_t shells_started_ = 0;
};

}  // namespace toa::scenarios
