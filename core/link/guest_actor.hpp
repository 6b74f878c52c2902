// SPDX-License-Identifier: Apache-2.0
//
// What a guest keeps of the plugin's behaviours and of their instances.
#pragma once

#include <actord/plugin.h>

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/sync.hpp"
#include "link/guest.hpp"
#include "link/message_codec.hpp"
#include "system/declared_types.hpp"

namespace actord::link {

/// The handlers of a behaviour, by the guest's ids of the types.
struct GuestBehaviour {
  struct State {
    std::unordered_map<message::TypeId, actord_handler> handlers;
    actord_handler otherwise = nullptr;

    actord_handler find(message::TypeId type) const noexcept {
      const auto found = handlers.find(type);
      return found == handlers.end() ? otherwise : found->second;
    }
  };
  const actord_behaviour* key = nullptr;  // the plugin's own table
  actord_behaviour table{};               // members that the plugin does not know are null
  std::vector<State> states;
};

struct GuestActor {
  /// Owns the arguments of the props, if they are to be destroyed.
  GuestActor(const GuestBehaviour& of, const actord_props& props);
  ~GuestActor();
  GuestActor(const GuestActor&) = delete;
  GuestActor& operator=(const GuestActor&) = delete;

  const GuestBehaviour& behaviour;
  void* const self;  // memory for the instance

 private:
  void* const args_;
  void (*const destroy_args_)(void*);  // null: they are not its own
};

struct GuestState {
  GuestState(const actord_plugin& plugin_, Guest::Surroundings surroundings_);
  /// Destroys the instances that are left.
  ~GuestState();

  /// The behaviour of that table, which is made known if it is not listed. Any thread.
  const GuestBehaviour& behaviour(const actord_behaviour& table);
  /// Where the plugin lists the behaviour; -1: it does not.
  std::int32_t place_of(const actord_behaviour* table) const noexcept;
  void know_types(FrameReader& welcome);
  GuestActor* find(std::uint64_t instance);
  void add(std::uint64_t instance, std::unique_ptr<GuestActor> actor);
  void remove(std::uint64_t instance);

  actord_system* handle() noexcept { return reinterpret_cast<actord_system*>(this); }
  static GuestState& of(actord_system* system) noexcept {
    return *reinterpret_cast<GuestState*>(system);
  }

  const actord_plugin& plugin;
  const std::vector<system::DeclaredType> types;
  const Guest::Surroundings surroundings;
  MessageCodec codec;
  std::string state_directory;

  base::Mutex mutex;  // of what follows
  std::map<const actord_behaviour*, std::unique_ptr<GuestBehaviour>> behaviours;
  std::unordered_map<std::uint64_t, std::unique_ptr<GuestActor>> actors;
  std::map<std::string, const void*, std::less<>> extensions;
  std::map<message::TypeId, std::string> type_names;  // of types that the plugin does not know
};

}  // namespace actord::link
