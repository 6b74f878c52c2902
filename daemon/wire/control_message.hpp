// SPDX-License-Identifier: Apache-2.0
//
// The control protocol between actorctl and the daemon: a request, then any number of progress
// messages, then one reply. Each is a JSON object.
//
//     {"v":1,"id":7,"verb":"config.reload","args":{"dry_run":true}}
//     {"v":1,"id":7,"progress":{"phase":"accepted"}}
//     {"v":1,"id":7,"status":0,"result":{...}}
//     {"v":1,"id":7,"status":75,"error":"actord is stopping"}
//
// Version 1 is the first. Readers ignore members that they do not know. If a member changes its
// meaning, the version changes. Not here: frames (frame.hpp), and the list of verbs (app).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.hpp"
#include "wire/json.hpp"

namespace actord::wire {

inline constexpr int version = 1;
/// Limit for nested brackets and braces. A deeper text is rejected before it is parsed.
inline constexpr unsigned depth_max = 64;
/// Limit for the members of all objects in a request.
inline constexpr std::size_t request_members_max = 256;
/// Limit for the members of one object in an answer.
inline constexpr std::size_t answer_object_members_max = 1024;

struct Request {
  std::uint64_t id = 0;  // chosen by the client and repeated in every answer
  std::string verb;      // "config.reload"
  Json arguments = Json::object();
};

struct Progress {
  std::uint64_t id = 0;
  Json what;
};

struct Reply {
  std::uint64_t id = 0;
  int status = 0;     // exit status of actorctl
  std::string error;  // one sentence; empty if the status is 0
  Json result;        // the verb's result; may accompany an error; null: no result
};

using Answer = std::variant<Progress, Reply>;

std::string text_of(const Request& request);
std::string text_of(const Progress& progress);
std::string text_of(const Reply& reply);

/// The error is one sentence that can be sent back to the peer unchanged.
base::Result<Request> read_request(std::string_view text);
base::Result<Answer> read_answer(std::string_view text);

}  // namespace actord::wire
