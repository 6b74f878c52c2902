// SPDX-License-Identifier: Apache-2.0
//
// The instance of an isolated actor as its cell has it: a place in a host process. Each call of the
// runtime becomes a frame to the process, and what the process asks for meanwhile is carried out in
// the context of the call. A process that ends in a call makes the call fail; what is called after
// that is what a behaviour without functions of its own would do (supervision.md 181).
#pragma once

#include <actord/plugin.h>

#include <cstdint>
#include <string>

#include "actor/behaviour.hpp"
#include "link/codes.hpp"
#include "link/host.hpp"

namespace actord::link {

struct IsolatedPluginState;

/// What an instance is created from: the `args` of its props.
struct RemoteOrigin {
  /// An address of the host process.
  using Address = std::uint64_t;

  IsolatedPluginState* plugin = nullptr;
  std::string group;
  std::uint32_t behaviour = 0;  // its place in the plugin's list; if it has one
  Creation creation = Creation::configured;
  // ---- by_address ----
  HostPtr host;  // where the addresses hold
  Address table = 0, create = 0, args = 0, args_destroy = 0;
  // ---- remade ----
  std::uint64_t remake = 0;  // the place of the function in the file of the plugin
  std::string written_args;  // MessagePack; empty: there are none
};

/// `create` of every isolated actor's props.
actord_status remote_create(void* self, actord_context* context, actord_value config,
                            const void* origin, actord_errors* errors);
/// `args_destroy`, if the origin belongs to the actor alone.
void destroy_origin(void* origin);

/// The handler of every message.
actord_status remote_receive(void* self, actord_context* context, const void* message,
                             actord_errors* errors);
/// A table with all hooks. Its create() fails: props with remote_create() go first.
const actord_behaviour& remote_hooks();
/// The functions of a persistent behaviour.
const actord_persistence& remote_persistence();
extern const actor::Remoting remoting;

extern const std::uint32_t remote_size, remote_align;

}  // namespace actord::link
