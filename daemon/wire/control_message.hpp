// SPDX-License-Identifier: Apache-2.0
//
// What actorctl and the daemon say to each other: a request, then any number of progress messages,
// then one reply. Each is a JSON object.
//
//     {"v":1,"id":7,"verb":"config.reload","args":{"dry_run":true}}
//     {"v":1,"id":7,"progress":{"phase":"checking"}}
//     {"v":1,"id":7,"status":0,"result":{...}}
//     {"v":1,"id":7,"status":75,"error":"another reload is under way"}
//
// Version 1 is the first. Members that a reader does not know are passed over; a new meaning of an
// old one is a new version. Not here: frames (frame.hpp), and which verbs there are (app).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.hpp"

namespace actord::wire {

using Json = nlohmann::ordered_json;

inline constexpr int version = 1;
/// Brackets and braces within each other. What is deeper is refused before it is parsed.
inline constexpr unsigned depth_max = 64;

struct Request {
  std::uint64_t id = 0;  // the client's, repeated in every answer
  std::string verb;      // "config.reload"
  Json arguments = Json::object();
};

struct Progress {
  std::uint64_t id = 0;
  Json what;
};

struct Reply {
  std::uint64_t id = 0;
  int status = 0;     // what actorctl exits with
  std::string error;  // one sentence; empty with status 0
  Json result;        // what the verb answers with, also beside an error; null: nothing
};

using Answer = std::variant<Progress, Reply>;

std::string text_of(const Request& request);
std::string text_of(const Progress& progress);
std::string text_of(const Reply& reply);

/// The error is one sentence that may be sent back as it is.
base::Result<Request> read_request(std::string_view text);
base::Result<Answer> read_answer(std::string_view text);

}  // namespace actord::wire
