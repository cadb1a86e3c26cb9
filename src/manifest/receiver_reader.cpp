#include "manifest/receiver_reader.hpp"

#include <fmt/format.h>

#include "manifest/code_files.hpp"

namespace toa::manifest {
namespace {

constexpr CodeFolder folder{"receivers", ""};

std::optional<std::string> label_of(const Section& declared) {
  const auto& written = declared.name();
  if (written.find('.') == std::string::npos) {
    declared.report(fmt::format(
        "event '{}' comes from outside, which is not supported by this release", written));
    return std::nullopt;
  }
  const auto label = Endpoint::parse(written);
  if (label) return label->str();
  declared.report("must be <namespace>.<component>.<event>, or <component>.<event>");
  return std::nullopt;
}

void refuse_unsupported(const Section& declared) {
  declared.refuse_unknown({"operation", "arguments", "binding", "source", "bridge"});
  for (const auto* name : {"binding", "source"}) {
    const auto found = declared.find(name);
    if (found) found->report(fmt::format("'{}' is not supported by this release", name));
  }
  const auto bridge = declared.text("bridge");
  if (bridge && *bridge != "node") {
    declared.find("bridge")->report(
        fmt::format("bridge '{}' is not supported by this release", *bridge));
  }
}

}  // namespace

void ReceiverReader::read(const Section& manifest) {
  files_ = code_files(component_.path, folder, draft_.problems);
  const auto receivers = manifest.find("receivers");
  if (receivers && !receivers->value().is_null() && receivers->must_be_object()) {
    for (const auto& declared : receivers->parts()) read_one(manifest, declared);
  }
  for (const auto& [written, file] : files_) {
    draft_.problems.push_back(
        {file, 0, "", fmt::format("the manifest declares no receiver of '{}'", written)});
  }
}

void ReceiverReader::read_one(const Section& manifest, const Section& declared) {
  const auto& written = declared.name();
  const auto label = label_of(declared);
  auto receiver = read_declared(manifest, declared);
  if (!label || !receiver) {
    files_.erase(written);
    return;
  }
  receiver->label = *label;
  attach_file(written, *receiver);
  draft_.receivers.emplace(std::pair(component_.id, *label),
                           Problem{declared.file(), declared.line(), declared.key(), ""});
  if (!component_.receivers.emplace(*label, *std::move(receiver)).second) {
    declared.report(fmt::format("event '{}' has a receiver already", *label));
  }
}

std::optional<Receiver> ReceiverReader::read_declared(const Section& manifest,
                                                      const Section& declared) {
  Receiver receiver;
  if (const auto* text = declared.value().if_string()) {
    receiver.operation = *text;
    check_operation(manifest, declared, receiver.operation);
    return receiver;
  }
  if (!declared.value().is_object()) {
    declared.report("must be string or object");
    return std::nullopt;
  }
  refuse_unsupported(declared);
  if (const auto arguments = declared.find("arguments")) {
    if (arguments->value().is_array()) {
      receiver.arguments = arguments->value().get_array();
    } else {
      arguments->report("must be array");
    }
  }
  const auto operation = declared.text("operation");
  if (!declared.find("operation")) declared.report("must have required property 'operation'");
  if (!operation) return std::nullopt;
  receiver.operation = *operation;
  check_operation(manifest, *declared.find("operation"), receiver.operation);
  return receiver;
}

// One that is declared and still not there has been reported itself.
void ReceiverReader::check_operation(const Section& manifest, const Section& at,
                                     const std::string& operation) {
  if (component_.operations.contains(operation)) return;
  const auto operations = manifest.find("operations");
  if (operations && operations->find(operation)) return;
  at.report(fmt::format("component '{}' has no operation '{}'", component_.id.value, operation));
}

void ReceiverReader::attach_file(const std::string& written, Receiver& receiver) {
  const auto found = files_.find(written);
  if (found == files_.end()) return;
  receiver.file = found->second;
  receiver.number = next_number_++;
  draft_.code[component_.id].push_back(
      {receiver.number, receiver.label, receiver.file, CodeFile::Kind::receiver});
  files_.erase(found);
}

}  // namespace toa::manifest
