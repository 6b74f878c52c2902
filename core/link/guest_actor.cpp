// SPDX-License-Identifier: Apache-2.0
#include "link/guest_actor.hpp"

#include <algorithm>
#include <new>
#include <span>

#include "base/assert.hpp"
#include "message/complete.hpp"

namespace actord::link {

using message::view;

namespace {

// Those of a plugin whose imports fit: loader::table_fault() has looked at them.
std::vector<system::DeclaredType> types_of(const actord_plugin& plugin) {
  auto declared = system::declared_types(plugin);
  ACTORD_ASSERT(declared.ok());
  return std::move(declared).value();
}

// The id of the type that the case handles; 0: the plugin does not list it.
message::TypeId id_of_case(std::span<const system::DeclaredType> types,
                           const actord_receive& receive, std::uint32_t i) {
  if (receive.ids != nullptr && *receive.ids[i] != 0) return *receive.ids[i];
  const auto found =
      std::ranges::find(types, view(receive.cases[i].type),
                        [](const system::DeclaredType& type) { return view(type.table->name); });
  return found != types.end() ? *found->id : 0;
}

}  // namespace

GuestActor::GuestActor(const GuestBehaviour& of, const actord_props& props)
    : behaviour(of),
      self(::operator new(of.table.size, std::align_val_t{of.table.align})),
      args_(props.args),
      destroy_args_(props.args_destroy) {}

GuestActor::~GuestActor() {
  ::operator delete(self, std::align_val_t{behaviour.table.align});
  if (destroy_args_ != nullptr) destroy_args_(args_);
}

GuestState::GuestState(const actord_plugin& plugin_, Guest::Surroundings surroundings_)
    : plugin(plugin_), types(types_of(plugin_)), surroundings(surroundings_) {}

GuestState::~GuestState() {
  for (auto& [instance, actor] : actors) actor->behaviour.table.destroy(actor->self);
}

const GuestBehaviour& GuestState::behaviour(const actord_behaviour& table) {
  const std::lock_guard lock(mutex);
  auto& known = behaviours[&table];
  if (known != nullptr) return *known;
  known = std::make_unique<GuestBehaviour>();
  known->key = &table;
  known->table = message::complete(table);
  for (const actord_receive* const each : std::span{table.receives, table.n_receives}) {
    const actord_receive receive = message::complete(*each);
    GuestBehaviour::State& state = known->states.emplace_back();
    state.otherwise = receive.otherwise;
    for (std::uint32_t i = 0; i < receive.n_cases; ++i)
      state.handlers.emplace(id_of_case(types, receive, i), receive.cases[i].handle);
  }
  return *known;
}

std::int32_t GuestState::place_of(const actord_behaviour* table) const noexcept {
  const std::span listed{plugin.behaviours, plugin.n_behaviours};
  const auto found = std::ranges::find(listed, table);
  return found == listed.end() ? -1 : static_cast<std::int32_t>(found - listed.begin());
}

// In a process of its own the guest takes the runtime's ids. In the loopback the types have ids.
void GuestState::know_types(FrameReader& welcome) {
  const auto n = welcome.take<std::uint32_t>();
  if (n != types.size()) return welcome.fail();
  for (std::uint32_t i = 0; i < n && !welcome.has_failed(); ++i) {
    const auto wire = welcome.take<message::TypeId>();
    const auto form = welcome.take<Form>();
    const system::DeclaredType& type = types[i];
    if (*type.id == 0) *type.id = wire;
    codec.add({*type.id, wire, type.table, form});
  }
}

GuestActor* GuestState::find(std::uint64_t instance) {
  const std::lock_guard lock(mutex);
  const auto found = actors.find(instance);
  return found == actors.end() ? nullptr : found->second.get();
}

void GuestState::add(std::uint64_t instance, std::unique_ptr<GuestActor> actor) {
  const std::lock_guard lock(mutex);
  actors[instance] = std::move(actor);
}

void GuestState::remove(std::uint64_t instance) {
  const std::lock_guard lock(mutex);
  actors.erase(instance);
}

}  // namespace actord::link
