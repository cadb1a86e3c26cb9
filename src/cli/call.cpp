#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <unistd.h>

#include "cli/advice.hpp"
#include "cli/commands.hpp"
#include "cli/literal.hpp"
#include "cli/terminal.hpp"
#include "manifest/yaml.hpp"
#include "runtime/call_once.hpp"

namespace toa::cli {
namespace {

struct Arguments {
  runtime::Options options;
  std::string endpoint;
  std::string request;
  bool json = false;
};

int print(const Output& output, bool json) {
  if (json) {
    if (output.value) std::puts(json::print(output.value->value()).c_str());
    return Exit::ok;
  }
  const auto text = output.value
                        ? literal(for_people(output.value->value()), style_of(STDOUT_FILENO))
                        : std::string("undefined");
  std::puts(text.c_str());
  return Exit::ok;
}

int print(const Refusal& refusal, bool json) {
  JsonObject members{{"code", refusal.code}};
  if (refusal.cause) members["cause"] = *refusal.cause;
  std::string text = "CodedError: " + refusal.code;
  if (refusal.cause) text += " " + literal({{"cause", *refusal.cause}}, style_of(STDERR_FILENO));
  std::fprintf(stderr, "%s\n", json ? json::print(members).c_str() : text.c_str());
  return Exit::refused;
}

int print(const Exception& exception, bool json) {
  const std::string name(exception_name(exception.code));
  JsonObject members{{"code", static_cast<int>(exception.code)}, {"message", exception.message}};
  if (!exception.operation.empty()) members["operation"] = exception.operation;
  if (exception.cause) members["cause"] = *exception.cause;
  if (!exception.trail.empty()) members["trail"] = boost::json::value_from(exception.trail);
  if (json) {
    members["name"] = name;
    std::fprintf(stderr, "%s\n", json::print(members).c_str());
  } else {
    std::fprintf(stderr, "%s %s\n%s\n", name.c_str(),
                 literal(members, style_of(STDERR_FILENO)).c_str(), advice(exception.code).c_str());
  }
  return Exit::exception;
}

int make_call(const Arguments& arguments, const runtime::Plugs& plugs) {
  Json request = JsonObject{};
  if (!arguments.request.empty()) {
    auto parsed = manifest::parse_yaml(arguments.request);
    if (!parsed) {
      complain("the request: " + parsed.error().message);
      return Exit::not_made;
    }
    if (!parsed->is_null()) request = std::move(*parsed);
  }
  auto settings = runtime::settle(arguments.options);
  if (!settings) {
    complain(settings.error().message);
    return Exit::not_made;
  }
  const runtime::Told told{.waiting = complain, .part = [&arguments](const Document& part) {
                             print(Output{part}, arguments.json);
                             std::fflush(stdout);
                           }};
  const auto made =
      runtime::call_once(std::move(*settings), plugs, arguments.endpoint, std::move(request), told);
  if (!made) {
    complain(made.error().message);
    return Exit::not_made;
  }
  if (made->left_waiting > 0) {
    complain(std::to_string(made->left_waiting) +
             (made->left_waiting == 1 ? " message is" : " messages are") +
             " left waiting; `toa start` delivers what is due");
  }
  if (made->streamed && std::holds_alternative<Output>(made->reply.outcome)) return Exit::ok;
  return std::visit([&arguments](const auto& outcome) { return print(outcome, arguments.json); },
                    made->reply.outcome);
}

}  // namespace

void add_call(CLI::App& app, Exit& exit, const runtime::Plugs& plugs) {
  auto* command = app.add_subcommand("call", "Call an operation and print its reply");
  auto arguments = std::make_shared<Arguments>();
  add_common_options(*command, arguments->options);
  command
      ->add_option("endpoint", arguments->endpoint,
                   "<namespace>.<component>.<operation>, or without namespace")
      ->required();
  command->add_option("request", arguments->request,
                      "YAML or JSON, e.g. \"{ query: { id: '…' }, input: { amount: 500 } }\"");
  command->add_flag("--json", arguments->json,
                    "Print every property of the reply as JSON on one line");
  command->footer(
      "Exit code: 0 a reply, 1 the operation returned an error, 2 an exception (nothing was "
      "stored),\n"
      "3 the call could not be made or its outcome is not known.");
  command->callback([arguments, &exit, &plugs] { exit.code = make_call(*arguments, plugs); });
}

}  // namespace toa::cli
