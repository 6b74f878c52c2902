// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/configuration_choice.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

namespace {

std::string_view name_of(layers::LayerFile::State state) {
  using State = layers::LayerFile::State;
  switch (state) {
    case State::loaded: return "loaded";
    case State::missing: return "missing";
    case State::empty: return "empty";
    case State::masked: return "masked";
    case State::masking: return "masking";
    case State::skipped: return "skipped";
    case State::failed: break;
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

wire::Json json_of(const layers::LayerFile& file) {
  wire::Json json = {
      {"file", file.path}, {"state", name_of(file.state)}, {"layer", name_of(file.layer)}};
  if (!file.why.empty()) json["why"] = file.why;
  if (!file.included_from.empty()) json["included_from"] = file.included_from;
  return json;
}

void print(std::ostream& out, const layers::LayerFile& file) {
  out << file.path << "  " << name_of(file.state);
  if (!file.why.empty()) out << ": " << file.why;
  if (!file.included_from.empty()) out << ", included from " << file.included_from;
  out << '\n';
}

/// Marks drop-ins as skipped: without their main file they are not read.
void skip_drop_ins(std::vector<layers::LayerFile>& files) {
  for (layers::LayerFile& file : files) {
    if (file.state != layers::LayerFile::State::loaded) continue;
    file.state = layers::LayerFile::State::skipped;
    file.why = "there is no " + std::string{standard_file};
  }
}

/// Works for invalid configurations too, because a wrong file may be the reason for the errors.
Exit files(const Call& call) {
  const auto options = chosen_options(call, call.operands);
  if (!options) return Exit::usage;
  layers::LayerOptions layer_options = config::layer_options_of(*options);
  layer_options.secrets = layers::SecretUse::ignored;
  layers::LayeredSource layered = layers::gather(layer_options);
  const bool is_nothing_there = is_built_in(call, call.operands);
  if (is_nothing_there) skip_drop_ins(layered.files);
  wire::Json answer = {{"files", wire::Json::array()}};
  for (const layers::LayerFile& file : layered.files) {
    answer["files"].push_back(json_of(file));
    if (!call.is_json()) print(call.out, file);
  }
  hocon::Diagnostics errors;
  if (is_nothing_there) call.err << "note: only the built-in defaults apply\n";
  else if (const auto tree = layered.source.resolve(); !tree) errors = tree.error();
  return conclude(call, std::move(answer), std::move(errors),
                  exit_of(config::exit_code_of(layered)));
}

}  // namespace

Verb files_verb() {
  Verb verb{
      .group = "config",
      .name = "files",
      .summary = "list the files that a configuration is read from",
      .description =
          "Lists every file in the order of reading, each with its state, and each folder\n"
          "of drop-ins that is empty or does not exist; later files override earlier\n"
          "ones. A file that cannot be read is listed, too; then the exit status is 66, 77\n"
          "or 78. Keys and values are not checked.",
      .operands = {{.name = "FILE", .takes = Takes::file, .is_needed = false, .repeats = true}},
      .options = configuration_options(),
      .run = &files};
  verb.options.push_back(output_option());
  return verb;
}

}  // namespace actord::ctl
