// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/configuration_choice.hpp"
#include "ctl/json_output.hpp"
#include "ctl/verbs.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

namespace {

std::string_view name_of(layers::LookedAt::Fate fate) {
  using Fate = layers::LookedAt::Fate;
  switch (fate) {
    case Fate::loaded: return "loaded";
    case Fate::missing: return "missing";
    case Fate::masked: return "masked";
    case Fate::masking: return "masking";
    case Fate::skipped: return "skipped";
    case Fate::failed: break;
  }
  return "failed";
}

std::string_view name_of(layers::Layer layer) {
  switch (layer) {
    case layers::Layer::vendor: return "vendor";
    case layers::Layer::main: return "main";
    case layers::Layer::administrator: break;
  }
  return "administrator";
}

wire::Json json_of(const layers::LookedAt& file) {
  wire::Json json = {
      {"file", file.path}, {"state", name_of(file.fate)}, {"layer", name_of(file.layer)}};
  if (!file.why.empty()) json["why"] = file.why;
  if (!file.included_from.empty()) json["included_from"] = file.included_from;
  return json;
}

Exit files(const Call& call) {
  Exit exit = Exit::ok;
  const auto configuration = read_chosen(call, exit, call.operands);
  if (!configuration) return exit;
  wire::Json all = wire::Json::array();
  for (const layers::LookedAt& file : configuration->files) {
    all.push_back(json_of(file));
    if (call.is_json()) continue;
    call.out << file.path << "  " << name_of(file.fate);
    if (!file.why.empty()) call.out << ": " << file.why;
    if (!file.included_from.empty()) call.out << ", included from " << file.included_from;
    call.out << '\n';
  }
  if (call.is_json()) print_json(call.out, {{"files", all}});
  return Exit::ok;
}

}  // namespace

Verb files_verb() {
  Verb verb{
      .group = "config",
      .name = "files",
      .summary = "list the files that a configuration is read from",
      .description =
          "Lists every file that was looked at, in the order of reading, later ones over\n"
          "earlier ones, and what became of it.",
      .operands = {{.name = "FILE", .takes = Takes::file, .is_needed = false, .repeats = true}},
      .options = configuration_options(),
      .run = &files};
  verb.options.push_back(output_option());
  return verb;
}

}  // namespace actord::ctl
