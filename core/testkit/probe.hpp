// SPDX-License-Identifier: Apache-2.0
//
// The actor behind a Probe, and the state that the two share.
#pragma once

#include <actord/testkit.hpp>

#include <deque>
#include <map>

#include "message/message_type.hpp"
#include "testkit/world.hpp"

namespace actord::testkit {

/// A copy of a message that a probe received.
class KeptMessage {
 public:
  /// `object` is null if messages of the type cannot be copied.
  KeptMessage(const actord_message_type& type, actord_type_id id, const void* original, Ref sender);
  /// The same message in another layout of its type, which is that of the test.
  KeptMessage(const message::TypeRegistry& types, actord_type_id id, const KeptMessage& sent);
  ~KeptMessage();
  KeptMessage(const KeptMessage&) = delete;
  KeptMessage& operator=(const KeptMessage&) = delete;

  const actord_message_type& type;
  const actord_type_id id;
  const Ref sender;
  void* object = nullptr;
};

struct Probe::State {
  State(World& world_, std::string name_) : world(world_), name(std::move(name_)) {}

  World& world;
  const std::string name;
  Ref self;
  std::deque<std::unique_ptr<KeptMessage>> waiting;
  std::unique_ptr<KeptMessage> taken;  // the message that the test got last
  std::map<actord_type_id, Answering> answers;
  // The ask of the test: what its actor does, and what came of it.
  std::function<void(actord_context&)> to_do;
  std::unique_ptr<KeptMessage> answer;
  std::string failure;  // of the ask; empty if it was answered, or waits
};

/// Runs the system and lets virtual time pass, up to `within`, until `is_met`. Returns whether it
/// is.
bool run_until(World& world, Duration within, const std::function<bool()>& is_met);

/// The plugin of the probe: its messages must be known to the system. Classes that the test spawns
/// and no plugin lists count as its own, so that they are called test/Class in events.
inline constexpr std::string_view probe_behaviour = "test/ProbeActor";
const actord_plugin& probe_plugin();
/// The props of the probe's actor.
actord_props probe_props(std::shared_ptr<Probe::State> state);

}  // namespace actord::testkit
