// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>

#include "link/isolated_plugin.hpp"
#include "link/message_codec.hpp"
#include "link/poisons.hpp"
#include "link/twin_tables.hpp"
#include "system/actor_system.hpp"

namespace actord::link {

/// What all instances of a plugin's behaviours share.
struct IsolatedPluginState {
  IsolatedPluginState(system::ActorSystem& actors_, const actord_plugin& described_, Hosts& hosts_)
      : actors(actors_), described(described_), hosts(hosts_), twins(&id_of, this) {}

  /// The twin of a behaviour that the plugin does not list. Null: the description is wrong. Whether
  /// the runtime takes the behaviour, a spawn says.
  const actord_behaviour* twin_of(std::string_view description);

  static const actord_type_id* id_of(const void* of, std::string_view type);

  system::ActorSystem& actors;
  const actord_plugin& described;
  Hosts& hosts;
  std::deque<actord_type_id> ids;
  std::deque<actord_message_type> tables;  // in the order of the plugin's messages
  std::map<std::string, const actord_type_id*, std::less<>> ids_by_name;
  MessageCodec codec;
  base::Mutex mutex;  // of `twins`
  TwinTables twins;
  std::deque<const actord_behaviour*> behaviours;  // the twins of the plugin's list
  Poisons poisons;
};

}  // namespace actord::link
