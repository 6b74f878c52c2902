// SPDX-License-Identifier: Apache-2.0
//
// A plugin whose actors live in host processes: the tables that the runtime has of it. Their
// functions speak to the process. Messages that are plain bytes cross as they are; all others lie
// in the runtime as MessagePack (packed_type.hpp).
#pragma once

#include <actord/plugin.h>

#include <memory>
#include <string>

#include "actor/isolator.hpp"
#include "base/result.hpp"
#include "link/host.hpp"

namespace actord::link {

/// Lives until the system has ended.
class IsolatedPlugin {
 public:
  /// `description` is the plugin's table, or one without functions of its own that says which there
  /// are (loader/plugin_description.hpp); it and `hosts` outlive the object. Registers the messages
  /// and the behaviours of it with the system, beside those of the same names that live in this
  /// process. The error says what is wrong with the plugin.
  static base::Result<std::unique_ptr<IsolatedPlugin>> add(system::ActorSystem& actors,
                                                           const actord_plugin& description,
                                                           Hosts& hosts, std::string_view file);
  ~IsolatedPlugin();
  IsolatedPlugin(const IsolatedPlugin&) = delete;
  IsolatedPlugin& operator=(const IsolatedPlugin&) = delete;

  /// What a new host process is told first: Guest::attach() takes it.
  std::string welcome() const;
  /// Carries out what a thread of a host without a channel has asked for. False: it must not ask
  /// for that, and is to be killed. `answer` stays empty if none is expected. Any thread.
  bool serve_outside(std::string_view request, std::string& answer) const;

  std::string_view name() const noexcept;
  /// Whether it wants to be attached, which may have any effect.
  bool has_attach() const noexcept;

  /// What an actor of the plugin is created with instead, so that it lives in a host process. The
  /// actors of one group live in one process. The error says why it cannot. Any thread.
  base::Result<actor::Isolator::Isolated> isolate(const actor::Isolator::Actor& actor,
                                                  std::string group) const;

  /// Props of an actor that is created by a function and with arguments of the host, for one whose
  /// memory is this process's.
  actord_props props_by_address(const actord_props& props, HostPtr host) const;

 private:
  struct State;
  base::Result<const actor::Behaviour*> twin_of(const actor::Behaviour& behaviour) const;
  explicit IsolatedPlugin(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace actord::link
