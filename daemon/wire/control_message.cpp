// SPDX-License-Identifier: Apache-2.0
#include "wire/control_message.hpp"

#include <algorithm>
#include <array>

namespace actord::wire {

namespace {

base::Error error(std::string what) { return {std::move(what)}; }

struct Shape {
  unsigned depth = 0;               // the deepest nesting
  std::size_t members = 0;          // of all objects together
  std::size_t members_of_most = 0;  // of the object that has most
};

// Counts brackets and colons only. The JSON parser reports texts that are not JSON.
Shape shape_of(std::string_view text) {
  Shape shape;
  unsigned depth = 0;
  std::array<std::size_t, depth_max + 1> members_at{};  // of the object that is open at each depth
  bool is_in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char character = text[i];
    if (character == '"') is_in_string = !is_in_string;
    else if (is_in_string) i += character == '\\' ? 1 : 0;
    else if (character == '{' || character == '[') {
      shape.depth = std::max(shape.depth, ++depth);
      if (depth > depth_max) return shape;
      members_at[depth] = 0;
    } else if ((character == '}' || character == ']') && depth != 0) --depth;
    else if (character == ':') {
      ++shape.members;
      shape.members_of_most = std::max(shape.members_of_most, ++members_at[depth]);
    }
  }
  return shape;
}

// An object that keeps its members in order compares each new name with all before it, so the time
// grows with the square of their number.
base::Result<Json> parse(std::string_view text, std::size_t most_members, std::size_t most_of_one) {
  const Shape shape = shape_of(text);
  if (shape.depth > depth_max)
    return error("nested deeper than " + std::to_string(depth_max) + " levels");
  if (shape.members > most_members)
    return error("more than " + std::to_string(most_members) + " members");
  if (shape.members_of_most > most_of_one)
    return error("an object with more than " + std::to_string(most_of_one) + " members");
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return error("this is not JSON");
  if (!json.is_object()) return error("this is not a JSON object");
  const auto peer_version = json.find("v");
  if (peer_version == json.end() || !peer_version->is_number_integer())
    return error("no version \"v\"");
  if (*peer_version != version) {
    return error("version " + peer_version->dump() + " of the control protocol; this version is " +
                 std::to_string(version));
  }
  if (const auto id = json.find("id"); id == json.end() || !id->is_number_unsigned())
    return error("no number \"id\"");
  return json;
}

// File names may be invalid UTF-8, which is replaced in the JSON text.
std::string serialized(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string text_of(const Request& request) {
  return serialized(
      {{"v", version}, {"id", request.id}, {"verb", request.verb}, {"args", request.arguments}});
}

std::string text_of(const Progress& progress) {
  return serialized({{"v", version}, {"id", progress.id}, {"progress", progress.what}});
}

std::string text_of(const Reply& reply) {
  Json json = {{"v", version}, {"id", reply.id}, {"status", reply.status}};
  if (!reply.error.empty()) json["error"] = reply.error;
  if (!reply.result.is_null()) json["result"] = reply.result;
  return serialized(json);
}

base::Result<Request> read_request(std::string_view text) {
  auto json = parse(text, request_members_max, request_members_max);
  if (!json) return json.error();
  Request request{(*json)["id"].get<std::uint64_t>(), {}, Json::object()};
  const auto verb = json->find("verb");
  if (verb == json->end() || !verb->is_string()) return error("no text \"verb\"");
  request.verb = verb->get<std::string>();
  if (const auto arguments = json->find("args"); arguments != json->end()) {
    if (!arguments->is_object()) return error("\"args\" is not an object");
    request.arguments = std::move(*arguments);
  }
  return request;
}

base::Result<Answer> read_answer(std::string_view text) {
  auto json = parse(text, SIZE_MAX, answer_object_members_max);
  if (!json) return json.error();
  const auto id = (*json)["id"].get<std::uint64_t>();
  if (const auto progress = json->find("progress"); progress != json->end())
    return Answer{Progress{id, std::move(*progress)}};
  const auto status = json->find("status");
  if (status == json->end() || !status->is_number_unsigned() || *status > 255)
    return error("neither \"progress\" nor a number \"status\"");
  Reply reply{id, status->get<int>(), {}, {}};
  if (const auto what = json->find("error"); what != json->end() && what->is_string())
    reply.error = what->get<std::string>();
  if (const auto result = json->find("result"); result != json->end())
    reply.result = std::move(*result);
  return Answer{std::move(reply)};
}

}  // namespace actord::wire
