// SPDX-License-Identifier: Apache-2.0
//
// What the verbs tell and ask have in common: the actor, and the message to it.
#include <fstream>
#include <iostream>
#include <sstream>

#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

// A request has to fit into a frame of 1 MiB.
constexpr std::size_t message_max = 1000 * 1000;

std::string all_of(std::istream& in) {
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

}  // namespace

std::vector<Operand> message_operands() {
  return {{.name = "PATH", .takes = Takes::running},
          {.name = "TYPE"},
          {.name = "JSON", .is_needed = false}};
}

std::optional<wire::Json> message_arguments(const Call& call, Exit& exit) {
  std::string message = call.operands.size() > 2 ? call.operands[2] : "{}";
  if (message.starts_with('@')) {
    const std::string file = message.substr(1);
    std::ifstream in(file);
    if (file != "-" && !in) {
      exit = report_failure(call, {Exit::missing, "the file " + file + " cannot be read"});
      return std::nullopt;
    }
    message = file == "-" ? all_of(std::cin) : all_of(in);
  }
  if (message.size() > message_max) {
    exit = report_failure(call, {Exit::usage, "a message may have at most 1 MB of JSON"});
    return std::nullopt;
  }
  return wire::Json{
      {"path", call.operands[0]}, {"type", call.operands[1]}, {"message", std::move(message)}};
}

}  // namespace actord::ctl
