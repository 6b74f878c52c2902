// SPDX-License-Identifier: Apache-2.0
//
// What the verbs tell and ask have in common: the actor, the message to it, and its trace.
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>

#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"
#include "message/trace_context.hpp"

namespace actord::ctl {

namespace {

// A request has to fit into a frame of 1 MiB.
constexpr std::size_t json_max = 1000 * 1000;

std::string all_of(std::istream& in) {
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

/// A trace that begins here.
std::string new_traceparent() {
  std::random_device device;
  const auto number = [&] { return std::uint64_t{device()} << 32 | device() | 1; };
  return message::traceparent_of({{number(), number()}, number()});
}

}  // namespace

std::vector<Option> trace_options() {
  return {{.name = "trace",
           .help = "follow the message through all actors that it reaches: each logs a step"},
          {.name = "traceparent",
           .takes = Takes::text,
           .argument = "HEADER",
           .help = "the same for a trace that has begun elsewhere, by its W3C header"}};
}

std::vector<Operand> message_operands() {
  return {{.name = "PATH", .takes = Takes::running},
          {.name = "TYPE", .takes = Takes::message},
          {.name = "JSON", .is_needed = false}};
}

std::optional<std::string> json_operand(const Call& call, std::size_t index, Exit& exit) {
  std::string json = call.operands.size() > index ? call.operands[index] : "{}";
  if (json.starts_with('@')) {
    const std::string file = json.substr(1);
    std::ifstream in(file);
    if (file != "-" && !in) {
      exit = report_failure(call, {Exit::missing, "the file " + file + " cannot be read"});
      return std::nullopt;
    }
    json = file == "-" ? all_of(std::cin) : all_of(in);
  }
  if (json.size() <= json_max) return json;
  exit = report_failure(call, {Exit::usage, "at most 1 MB of JSON is sent"});
  return std::nullopt;
}

std::optional<wire::Json> message_arguments(const Call& call, Exit& exit) {
  auto message = json_operand(call, 2, exit);
  if (!message) return std::nullopt;
  wire::Json arguments = {
      {"path", call.operands[0]}, {"type", call.operands[1]}, {"message", *std::move(message)}};
  if (call.has("traceparent")) {
    arguments["traceparent"] = call.value("traceparent");
  } else if (call.has("trace")) {
    const std::string traceparent = new_traceparent();
    arguments["traceparent"] = traceparent;
    call.err << "actorctl story " << std::string_view{traceparent}.substr(3, message::trace_id_size)
             << " shows what comes of it\n";
  }
  return arguments;
}

}  // namespace actord::ctl
