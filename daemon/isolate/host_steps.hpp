// SPDX-License-Identifier: Apache-2.0
//
// What actord and a host process say to each other on the socket between them: how the process
// begins and ends, and what threads of the plugin ask for that serve no lane. A step is a letter
// and a text. A long one crosses in several packets.
//
// Not here: what happens on lanes, between the same processes (link/codes.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "os/descriptor.hpp"
#include "os/packet_socket.hpp"

namespace actord::isolate {

enum class StepKind : char {
  // ---- of actord ----
  load = 'L',    // a HostLoad, with two descriptors: the copy of the plugin, and the lanes
  lane = 'T',    // the number of a lane that gets a thread now; the first one has it
  answer = 'R',  // to an ask
  end = 'E',     // no lane is served any more: the plugin detaches, and the process ends
  fork = 'F',    // to a zygote: the name of a plugin, with the new host's end of a socket
  // ---- of the host ----
  loaded = 'l',   // the first frame on the first lane is the welcome
  refused = 'x',  // why it was not loaded
  ask = 'q',      // a request that is answered
  tell = 't',     // a request that is not
  forked = 'f'    // of a zygote: the id of the new process, or 0
};

/// The argument of a zygote. A host that it makes shows the name of its plugin in that room.
inline constexpr std::string_view zygote_argument =
    "zygote                                                          ";

/// What a host puts when it has attached the plugin; any other text says why it has not.
inline constexpr std::string_view attached = "attached";

struct Step {
  StepKind kind = StepKind::end;
  std::string text;
  std::vector<os::Descriptor> descriptors;
};

/// What a host loads, and its limits.
struct HostLoad {
  std::string build;             // of actord's library; a host of another one refuses
  std::string file;              // the operator's, for messages and stacks
  std::uint64_t memory_max = 0;  // bytes of address space; 0: no limit of its own
  std::uint64_t nofile = 0;      // open files; 0: that of actord
  bool may_dump_core = false;

  std::string text() const;
  static std::optional<HostLoad> of(std::string_view text);
};

/// The build of actord's library in this process.
std::string library_build();

/// The packets of a step.
std::vector<std::string> packets_of(StepKind kind, std::string_view text);

/// Puts steps together again from the packets of one connection.
class StepReader {
 public:
  /// nullopt: more packets follow. The error says what is wrong with the packet.
  base::Result<std::optional<Step>> take(os::Packet packet);

 private:
  Step step_;
  bool is_in_step_ = false;
};

}  // namespace actord::isolate
