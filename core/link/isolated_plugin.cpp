// SPDX-License-Identifier: Apache-2.0
#include "link/isolated_plugin.hpp"

#include <algorithm>

#include "link/code_place.hpp"
#include "link/isolated_plugin_state.hpp"
#include "link/remote.hpp"
#include "link/request_server.hpp"
#include "message/complete.hpp"
#include "message/message_pack.hpp"
#include "message/message_values.hpp"
#include "message/packed_message.hpp"
#include "message/report.hpp"
#include "system/declared_types.hpp"

namespace actord::link {

using message::view;

const actord_type_id* IsolatedPluginState::id_of(const void* of, std::string_view type) {
  const auto& ids = static_cast<const IsolatedPluginState*>(of)->ids_by_name;
  const auto found = ids.find(type);
  return found == ids.end() ? nullptr : found->second;
}

const actord_behaviour* IsolatedPluginState::twin_of(std::string_view description) {
  const std::lock_guard lock(mutex);
  return twins.add_described(description);
}

struct IsolatedPlugin::State : IsolatedPluginState {
  using IsolatedPluginState::IsolatedPluginState;

  // How the runtime has a message of the type.
  actord_message_type table_for(const actord_message_type& declared, actord_type_id* id) const {
    actord_message_type table = message::complete(declared);
    table.struct_size = sizeof table;
    table.id = id;
    // Bytes that a plugin of this process would take for an enumeration, or for a struct in the
    // struct, cannot be checked, so that they do not cross, although the layout is the same.
    if (!message::is_plain(table)) return message::packed_table(declared, id);
    table.write = nullptr;
    table.read = nullptr;
    table.move = nullptr;
    table.copy = nullptr;
    table.destroy = nullptr;
    return table;
  }
};

IsolatedPlugin::IsolatedPlugin(std::unique_ptr<State> state) : state_(std::move(state)) {}
IsolatedPlugin::~IsolatedPlugin() = default;

base::Result<std::unique_ptr<IsolatedPlugin>> IsolatedPlugin::add(system::ActorSystem& actors,
                                                                  const actord_plugin& description,
                                                                  Hosts& hosts,
                                                                  std::string_view file) {
  auto state = std::make_unique<State>(actors, description, hosts);
  std::vector<const actord_message_type*> messages;
  const auto declared = system::declared_types(description);
  if (!declared) return declared.error();
  for (const system::DeclaredType& type : *declared) {
    actord_type_id& id = state->ids.emplace_back(0);
    messages.push_back(&state->tables.emplace_back(state->table_for(*type.table, &id)));
    state->ids_by_name.emplace(view(type.table->name), &id);
  }
  for (std::size_t i = 0; i < description.n_behaviours; ++i)
    state->behaviours.push_back(&state->twins.add(message::complete(*description.behaviours[i])));
  const std::vector<const actord_behaviour*> behaviours(state->behaviours.begin(),
                                                        state->behaviours.end());
  actord_plugin twin = message::complete(description);
  twin.struct_size = sizeof twin;
  twin.messages = messages.data();
  twin.n_messages = messages.size();
  twin.imports = nullptr;
  twin.n_imports = 0;
  twin.behaviours = behaviours.data();
  twin.configurators = nullptr;
  twin.n_configurators = 0;
  if (auto added = actors.behaviours().add_isolated(twin, remoting, file); !added)
    return std::move(added).error();
  for (std::size_t i = 0; i < state->tables.size(); ++i) {
    const message::TypeId id = state->ids[i];
    const actord_message_type& known = *actors.types.at(id).table;
    const bool is_packed = message::is_packed(known);
    state->codec.add({id, id, &known, is_packed ? Form::packed : Form::bytes});
  }
  return std::unique_ptr<IsolatedPlugin>(new IsolatedPlugin(std::move(state)));
}

std::string_view IsolatedPlugin::name() const noexcept { return view(state_->described.name); }

bool IsolatedPlugin::has_attach() const noexcept {
  return message::complete(state_->described).attach != nullptr;
}

std::string IsolatedPlugin::welcome() const {
  FrameWriter frame;
  frame.put(protocol_version);
  frame.put(static_cast<std::uint32_t>(state_->ids.size()));
  for (const actord_type_id id : state_->ids) {
    frame.put(id);
    frame.put(state_->codec.find_wire(id)->form);
  }
  frame.text(state_->actors.host->state_directory(state_->actors.handle));
  frame.put(state_->actors.host->abi_minor);
  return std::string{frame.bytes()};
}

bool IsolatedPlugin::serve_outside(std::string_view request, std::string& answer) const {
  answer.clear();
  FrameReader frame(request);
  const auto kind = frame.take<Request>();
  FrameWriter written;
  bool has_answer = false;
  if (frame.has_failed() || kind < first_outside) return false;
  const bool is_right = serve_outside_request(*state_, *state_->actors.host, state_->actors.handle,
                                              kind, frame, written, has_answer);
  if (has_answer) answer = written.bytes();
  return is_right && frame.is_at_end();
}

actord_props IsolatedPlugin::props_by_address(const actord_props& given, HostPtr host) const {
  actord_props props = message::complete(given);
  auto origin = std::make_unique<RemoteOrigin>();
  origin->plugin = state_.get();
  const actord_plugin& described = state_->described;
  if (props.behaviour == nullptr) {
    const std::string_view full = view(props.behaviour_name);
    for (std::size_t i = 0; i < described.n_behaviours; ++i) {
      if (full.ends_with(view(described.behaviours[i]->name)))
        props.behaviour = described.behaviours[i];
    }
  }
  origin->creation = Creation::by_address;
  origin->host = std::move(host);
  origin->table = reinterpret_cast<std::uint64_t>(props.behaviour);
  origin->create = reinterpret_cast<std::uint64_t>(props.create);
  origin->args = reinterpret_cast<std::uint64_t>(props.args);
  origin->args_destroy = reinterpret_cast<std::uint64_t>(props.args_destroy);
  FrameWriter description;
  put_behaviour(description, *props.behaviour);
  props.behaviour = state_->twin_of(description.bytes());
  // No actor of the plugin spawns it, so that its plugin has to be said.
  static_cast<void>(
      state_->actors.behaviours().add_isolated(*props.behaviour, view(described.name)));
  props.behaviour_name = {};
  props.struct_size = sizeof props;
  props.create = &remote_create;
  props.args = origin.release();
  props.args_destroy = &destroy_origin;
  return props;
}

namespace {

// Makes the actor be created from the props of its spawn.
base::Result<void> write_props(const actord_props& props, const actord_plugin& plugin,
                               RemoteOrigin& origin) {
  if (props.codec == nullptr)
    return base::Error{
        "is spawned with arguments that cannot leave actord: give it values that a message may "
        "have, too (structs with ACTORD_FIELDS), or configure it, or rebuild a plugin that was "
        "built for an interface before 1.9"};
  const actord_props_codec codec = message::complete(*props.codec);
  const auto place = place_of(reinterpret_cast<const void*>(codec.remake), plugin);
  if (!place)
    return base::Error{
        "is spawned by code that is not of the build of its plugin that is loaded now"};
  origin.creation = Creation::remade;
  origin.remake = *place;
  if (codec.write_args == nullptr) return {};
  message::FirstText errors;
  message::PackWriter writer;
  if (codec.write_args(props.args, &writer, &errors) != ACTORD_OK)
    return base::Error{"is spawned with arguments that cannot be written: " + errors.text};
  if (const std::string_view fault = writer.fault(); !fault.empty())
    return base::Error{"is spawned with arguments that cannot be written: " + std::string{fault}};
  origin.written_args = writer.bytes();
  return {};
}

}  // namespace

base::Result<const actor::Behaviour*> IsolatedPlugin::twin_of(
    const actor::Behaviour& behaviour) const {
  if (behaviour.remoting != nullptr) return &behaviour;
  FrameWriter description;
  put_behaviour(description, behaviour.table);
  const actord_behaviour* const twin = state_->twin_of(description.bytes());
  if (twin == nullptr) return base::Error{"is of a behaviour that cannot be described"};
  return state_->actors.behaviours().add_isolated(*twin, view(state_->described.name));
}

base::Result<actor::Isolator::Isolated> IsolatedPlugin::isolate(const actor::Isolator::Actor& actor,
                                                                std::string group) const {
  const auto refused = [](const std::string& why) {
    return base::Error{"it should live in a host process (isolation = process), and " + why};
  };
  auto origin = std::make_shared<RemoteOrigin>();
  origin->plugin = state_.get();
  origin->group = std::move(group);
  const std::string_view name = view(actor.behaviour.table.name);
  const auto listed = std::ranges::find(
      state_->behaviours, name, [](const actord_behaviour* each) { return view(each->name); });
  const bool is_listed = listed != state_->behaviours.end();
  const actord_props props =
      actor.props != nullptr ? message::complete(*actor.props) : actord_props{};
  const bool has_args = props.create != nullptr || props.args != nullptr;
  if (props.behaviour != nullptr && (props.codec != nullptr || has_args || !is_listed)) {
    const auto written = write_props(props, state_->described, *origin);
    if (!written) return refused(written.error().what);
    auto twin = twin_of(actor.behaviour);
    if (!twin) return refused(twin.error().what);
    return actor::Isolator::Isolated{*twin, &remote_create, std::move(origin)};
  }
  if (!is_listed) return refused("its plugin does not list its behaviour");
  origin->behaviour = static_cast<std::uint32_t>(listed - state_->behaviours.begin());
  // It may be retired, so that it is not found by its name.
  auto twin = state_->actors.behaviours().add_isolated(**listed, view(state_->described.name));
  if (!twin) return std::move(twin).error();
  return actor::Isolator::Isolated{*twin, &remote_create, std::move(origin)};
}

}  // namespace actord::link
