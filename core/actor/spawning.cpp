// SPDX-License-Identifier: Apache-2.0
#include "actor/spawning.hpp"

#include <algorithm>
#include <cstdlib>

#include "actor/cell_extras.hpp"
#include "actor/instance.hpp"
#include "actor/path.hpp"

namespace actord::actor {

// ---- props --------------------------------------------------------------------------------------

namespace {

Args args_of(const actord_props& wanted) { return {wanted.args, wanted.args_destroy}; }

bool has_strategy(const actord_props& wanted) {
  return ACTORD_HAS(actord_props, &wanted, strategy) && wanted.strategy != nullptr;
}

// The behaviour of a table cannot be used: it handles messages that its plugin does not list.
SpawnError unlisted(base::Error error) { return {std::move(error), causes::unlisted_message}; }

}  // namespace

base::Result<PropsPtr, SpawnError> make_props(Environment& environment, const actord_props& wanted,
                                              const Behaviour& spawner) {
  const Args args = args_of(wanted);
  auto behaviour = wanted.behaviour != nullptr
                       ? environment.behaviour(*wanted.behaviour, spawner)
                       : environment.behaviour(message::view(wanted.behaviour_name));
  if (!behaviour) {
    args.drop();
    if (wanted.behaviour != nullptr) return unlisted(std::move(behaviour).error());
    return SpawnError{std::move(behaviour).error()};
  }
  if (wanted.create == nullptr && wanted.args_destroy == nullptr && !has_strategy(wanted))
    return PropsPtr(&(*behaviour)->shared_props());
  PropsPtr props(new Props(**behaviour));
  props->create = wanted.create;
  props->args = args;
  if (has_strategy(wanted) && wanted.strategy->within_ns == 0)
    return SpawnError{{"a strategy with an empty window (within = 0)"}};
  if (has_strategy(wanted)) props->own_strategy = from_c(*wanted.strategy, "code");
  return props;
}

Props& own_props(Cell& cell) {
  if (!cell.props->is_shared) return *cell.props;
  const Props& shared = *cell.props;
  PropsPtr own(new Props(shared.behaviour));
  own->create = shared.create;
  if (shared.keeps_args) own->keep_args_in_block();
  cell.props = own.release();
  return *cell.props;
}

// ---- a cell for the child -----------------------------------------------------------------------

namespace {

// Makes the child's cell, still without a name and unknown to other threads. Null if all cells are
// taken.
[[gnu::always_inline]] inline Cell* new_child(Turn& parent, Props& props,
                                              const actord_props* wanted) {
  ThreadState& thread = parent.thread();
  Cell* const vacant = thread.take_cell();
  if (vacant == nullptr) [[unlikely]]
    return nullptr;
  Cell& child = *vacant;
  ACTORD_ASSERT(child.is_vacant());
  child.parent = index_of(parent.self);
  child.parent_generation = generation_of(parent.self);
  child.life.begin(parent.cell().life.suspensions());
  child.owner_flags = 0;
  child.child_flags = 0;
  child.sender_flags.store(0, base::relaxed);
  child.stop_reason = {};  // with `is_counted` one store
  child.is_counted = false;
  child.receive = &props.behaviour.initial();
  child.props = &props;
  if (!props.is_shared) props.retain();
  if (props.keeps_args) {
    child.instance = thread.blocks.take(props.block);
    ::new (&props.args_in(child.instance)) Args(args_of(*wanted));
  }
  return vacant;
}

// Stores the name in the cell, or the next number of the parent if `name` is empty.
void give_name(Turn& parent, Cell& child, std::string_view name) {
  const bool is_helper = child.has(Cell::helper);
  child.name = name.empty() ? CellName::generated(ChildList::of(parent).take_number(is_helper))
                            : CellName::given(name);
}

// Makes a child that code spawns live in a host process, if it should. Its name stands. The
// arguments that it was spawned with go; `wanted` has them until then. No actor spawns it: null.
base::Result<void> isolate(const Turn& parent, Cell& child, const ActorSettings& settings,
                           const actord_props* wanted) {
  Environment& environment = parent.environment();
  const Props& was = *child.props;
  const bool is_isolated = was.behaviour.remoting != nullptr && was.create != nullptr;
  if (environment.isolator == nullptr || is_isolated || was.node != nullptr) return {};
  const std::string path = environment.cells.path_of(child);
  actord_props props{};
  props.struct_size = sizeof props;
  props.behaviour = &was.behaviour.table;
  props.create = was.create;
  props.args = was.args.args;
  auto isolated = environment.isolator->isolate(
      {was.behaviour, path, settings, wanted != nullptr ? wanted : &props});
  if (!isolated) return base::Error{path + ": " + isolated.error().what};
  if (isolated->behaviour == nullptr) return {};
  PropsPtr own(new Props(*isolated->behaviour));
  own->create = isolated->create;
  own->args.args = const_cast<void*>(isolated->origin.get());  // create() takes it as const
  own->origin = std::move(isolated->origin);
  own->own_strategy = was.own_strategy;
  if (void* const block = std::exchange(child.instance, nullptr)) {
    was.args_in(block).drop();
    parent.thread().blocks.give(block, was.block);
  }
  if (!was.is_shared) child.props->drop();
  child.props = own.release();
  child.receive = &child.props->behaviour.initial();
  if (settings.dispatcher != 0) return {};
  const auto dispatcher = environment.dispatcher_named(blocking_dispatcher);
  if (!dispatcher) return dispatcher.error();
  child.dispatcher.store(*dispatcher, base::relaxed);
  return {};
}

// How long a sender waits for room if nothing else is configured. It is Akka's, too.
constexpr std::int64_t default_push_timeout_ns = 10'000'000'000;

// Bounds the child's mailbox and gives it an order, if it is configured so.
void give_mailbox(Environment& environment, Cell& child, const ActorSettings& settings) {
  if (settings.ranks != nullptr) {
    child.extras = new CellExtras;
    child.extras->order = std::make_unique<MailboxOrder>(settings.ranks);
    child.owner_flags |= Cell::has_own_mailbox;
  }
  if (settings.mailbox_capacity <= 0) return;
  const auto capacity =
      static_cast<std::int32_t>(std::min<std::int64_t>(settings.mailbox_capacity, INT32_MAX));
  environment.mailbox_limits.set(
      child, {capacity, settings.overflow,
              settings.push_timeout_ns != 0 ? settings.push_timeout_ns : default_push_timeout_ns});
  child.capacity_left.store(capacity, base::relaxed);
  child.sender_flags.store(Cell::bounded, base::relaxed);
  child.owner_flags |= Cell::has_own_mailbox;
}

// Applies the operator's configuration of the child's path. A child that code spawns uses the
// newest snapshot, because its parent may have taken that one over already and would not send it on
// to the child.
base::Result<void> apply_settings(Turn& parent, Cell& child, const actord_props* wanted) {
  Environment& environment = parent.environment();
  const NodeSpec* const node = child.props->node;
  const ConfigSnapshotPtr snapshot =
      node != nullptr ? child.props->snapshot : environment.snapshot();
  const ActorSettings settings =
      snapshot->settings_of(node, [&] { return environment.cells.path_of(child); });
  if (auto isolated = isolate(parent, child, settings, wanted); !isolated) return isolated;
  if (settings.dispatcher != 0) child.dispatcher.store(settings.dispatcher, base::relaxed);
  const RouterRule* const rule = child.props->is_router ? settings.router : nullptr;
  if (has_settings_of_props(settings) || rule != nullptr) {
    Props& own = own_props(child);
    own.snapshot = snapshot;
    own.adopt(settings);
    if (own.is_router) own.build_from(rule);
  }
  give_mailbox(environment, child, settings);
  return {};
}

// Names and configures the child, then enters it into the parent's list and, if it has a name of
// its own, into the directory.
base::Result<void> register_child(Turn& parent, Cell& child, std::string_view name,
                                  const actord_props* wanted) {
  Environment& environment = parent.environment();
  CellPool& cells = environment.cells;
  const bool is_helper = wanted != nullptr && (wanted->flags & ACTORD_HELPER) != 0;
  if (is_helper) [[unlikely]]
    child.child_flags |= Cell::helper;
  give_name(parent, child, name);
  const bool is_node = child.props->node != nullptr;
  const bool has_deployments = environment.has_deployments.load(base::relaxed);
  if (is_node) child.child_flags |= Cell::from_node;
  if (environment.counts.includes(is_node)) [[unlikely]]
    environment.counts.set_counted(child, true);
  if ((is_node || has_deployments) && !is_helper) {
    if (auto applied = apply_settings(parent, child, wanted); !applied) return applied;
  }
  ChildList& children = ChildList::of(parent);
  children.add(cells, child);
  if (name.empty()) return {};
  try {
    environment.list_by_name(child);
  } catch (const std::bad_alloc&) {
    children.remove(cells, child);
    throw;
  }
  return {};
}

// The largest capacity of a mailbox that is only counted. Half of what the counter can hold, as
// pushes that were admitted at once may pass it.
constexpr std::int32_t counted_capacity = INT32_MAX / 2;

// Counts what waits in the mailbox, without a limit.
void count_mailbox(Cell& child) {
  if ((child.sender_flags.load(base::relaxed) & Cell::bounded) != 0) return;
  child.capacity_left.store(counted_capacity, base::relaxed);
  child.sender_flags.store(Cell::bounded, base::relaxed);
  child.owner_flags |= Cell::has_own_mailbox;
}

// Prepares a child to be a router, or a routee of its parent, which it becomes when its mailbox is
// open. `wanted` may be null. Throws std::bad_alloc.
void prepare_routing(Turn& parent, Cell& child, const actord_props* wanted) {
  const NodeSpec* const node = child.props->node;
  const std::uint32_t flags = wanted != nullptr ? wanted->flags : node != nullptr ? node->flags : 0;
  if ((flags & ACTORD_ROUTER) != 0) own_props(child).is_router = true;
  if ((flags & ACTORD_ROUTEE) == 0) return;
  child.child_flags |= Cell::routee;
  if ((flags & ACTORD_COUNTED_MAILBOX) != 0) count_mailbox(child);
  parent.environment().routes.reserve(parent.cell());
}

// Undoes new_child().
void discard(Turn& parent, Cell& child) {
  delete std::exchange(child.extras, nullptr);
  Instance::release(parent.thread(), child, std::exchange(child.instance, nullptr));
  parent.thread().retire(child);
}

// ---- spawning -----------------------------------------------------------------------------------

// Fails if the parent is ending, or the name is invalid or taken.
base::Result<void> may_spawn(const Turn& parent, std::string_view name) {
  if (parent.cell().life.is_ending()) return base::Error{"cannot create children while stopping"};
  if (name.empty()) return {};
  if (std::string fault = why_name_is_invalid(name); !fault.empty())
    return base::Error{std::move(fault)};
  if (find_child(parent, name) == nullptr) return {};
  return base::Error{"the name " + std::string{name} + " is taken: " + parent.path() +
                     " has a child of that name"};
}

// Drops arguments that no cell has taken over, and returns the error.
SpawnError drop_args(const Props& props, const actord_props* wanted, base::Error error) {
  if (props.keeps_args) args_of(*wanted).drop();
  return {std::move(error)};
}

// Counts the child in the usage of its plugin. Fails if that has as many actors as it may; a
// configured actor starts all the same.
base::Result<void, SpawnError> count(const Turn& parent, Cell& child, PluginUsage& usage) {
  if (child.props->node != nullptr) usage.count_configured_actor();
  else if (!usage.take(PluginUsage::actors))
    return SpawnError{{parent.refuse(usage, PluginUsage::actors)}, causes::limit_reached};
  child.owner_flags |= Cell::has_usage;
  return {};
}

// What an isolated actor spawns lives in its process and runs where it runs, unless code says
// otherwise.
std::uint16_t dispatcher_of(const Turn& parent, const Props& props, std::uint16_t wanted) {
  const bool inherits = wanted == default_dispatcher && props.behaviour.remoting != nullptr &&
                        parent.cell().props->behaviour.remoting != nullptr;
  return inherits ? parent.cell().dispatcher.load(base::relaxed) : wanted;
}

// Spawns a child from looked-up props. `wanted` is what they were made from, and has the child's
// own arguments if props.keeps_args; null: no actor spawns the child.
base::Result<Ref, SpawnError> spawn(Turn& parent, std::string_view name, Props& props,
                                    const actord_props* wanted, std::uint16_t dispatcher) {
  Environment& environment = parent.environment();
  const bool is_plain = name.empty() && props.node == nullptr &&
                        (wanted == nullptr || wanted->flags == 0) &&
                        !environment.has_deployments.load(base::relaxed);
  if (parent.cell().life.is_ending() || !name.empty()) [[unlikely]] {
    if (auto allowed = may_spawn(parent, name); !allowed)
      return drop_args(props, wanted, std::move(allowed).error());
  }
  Cell* const made = new_child(parent, props, wanted);
  if (made == nullptr) [[unlikely]] {
    return drop_args(props, wanted,
                     {"the limit of actors is reached: all cells of the system are in use"});
  }
  Cell& child = *made;
  child.dispatcher.store(dispatcher_of(parent, props, dispatcher), base::relaxed);
  if (PluginUsage* const usage = props.behaviour.usage()) [[unlikely]] {
    if (auto counted = count(parent, child, *usage); !counted) {
      discard(parent, child);
      return std::move(counted).error();
    }
  }
  if (is_plain) [[likely]] {
    ChildList& children = ChildList::of(parent);
    child.name = CellName::generated(children.take_number(false));
    children.add(environment.cells, child);
  } else {
    try {
      prepare_routing(parent, child, wanted);
      if (auto registered = register_child(parent, child, name, wanted); !registered) {
        discard(parent, child);
        return SpawnError{std::move(registered).error()};
      }
    } catch (const std::bad_alloc&) {  // no other thread has seen the child
      discard(parent, child);
      throw;
    }
  }
  const Ref ref = environment.cells.ref_of(child);
  child.system.open();
  child.mailbox.open();
  if (child.has(Cell::routee)) [[unlikely]]
    environment.routes.add(parent.cell(), ref);
  parent.thread().schedule(child);
  parent.log_lifecycle("now supervising", ref);
  return ref;
}

}  // namespace

base::Result<Ref, SpawnError> spawn(Turn& parent, std::string_view name,
                                    const actord_props& wanted) {
  Environment& environment = parent.environment();
  const Behaviour& spawner = parent.cell().props->behaviour;
  std::uint16_t dispatcher = default_dispatcher;
  if (ACTORD_HAS(actord_props, &wanted, dispatcher) && wanted.dispatcher.size != 0) {
    const auto named = environment.dispatcher_named(message::view(wanted.dispatcher));
    if (!named) {
      args_of(wanted).drop();
      return SpawnError{named.error()};
    }
    dispatcher = *named;
  }
  if (wanted.behaviour == nullptr || has_strategy(wanted)) {
    auto props = make_props(environment, wanted, spawner);
    if (!props) return std::move(props).error();
    return spawn(parent, name, **props, &wanted, dispatcher);
  }
  const bool has_args = wanted.create != nullptr || wanted.args_destroy != nullptr;
  auto props = parent.thread().shared_props(*wanted.behaviour, wanted.create, has_args, spawner);
  if (props) [[likely]]
    return spawn(parent, name, **props, &wanted, dispatcher);
  args_of(wanted).drop();
  return unlisted(std::move(props).error());
}

base::Result<Ref, SpawnError> spawn(Turn& parent, std::string_view name, PropsPtr props) {
  return spawn(parent, name, *props, nullptr, default_dispatcher);
}

void spawn_requested(Turn& parent, SpawnRequest& request) {
  auto child = spawn(parent, request.name, *request.props, nullptr, request.dispatcher);
  if (child) return request.answer(*child);
  if (request.is_refusal_logged) parent.log().spawn_refused(request.name, child.error().what);
  request.answer(std::move(child).error());
}

}  // namespace actord::actor
