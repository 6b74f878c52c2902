// SPDX-License-Identifier: Apache-2.0
//
// The tree downwards: spawning, the list of children and their names, and what the parent does when
// one has stopped. The list is linked through the children's cells, in the order of creation.
#include <algorithm>
#include <cstdlib>

#include "actor/activation.hpp"
#include "actor/path.hpp"
#include "actor/spawn_request.hpp"

namespace actord::actor {

// ---- spawning -----------------------------------------------------------------------------------

base::Result<PropsPtr> make_props(Environment& environment, const actord_props& wanted,
                                  const Behaviour& spawner) {
  auto behaviour = wanted.behaviour != nullptr
                       ? environment.behaviour(*wanted.behaviour, spawner)
                       : environment.behaviour(message::view(wanted.behaviour_name));
  if (!behaviour) {
    if (wanted.args_destroy != nullptr) wanted.args_destroy(wanted.args);
    return std::move(behaviour).error();
  }
  const bool has_strategy =
      ACTORD_HAS(actord_props, &wanted, strategy) && wanted.strategy != nullptr;
  if (wanted.create == nullptr && wanted.args_destroy == nullptr && !has_strategy)
    return (*behaviour)->plain_props();
  PropsPtr props(new Props(**behaviour));
  props->create = wanted.create;
  props->args = wanted.args;
  props->args_destroy = wanted.args_destroy;
  if (has_strategy && wanted.strategy->within_ns == 0)
    return base::Error{"a strategy with an empty window (within = 0)"};
  if (has_strategy) props->own_strategy = from_c(*wanted.strategy, "code");
  return props;
}

Ref Activation::spawn(std::string_view name, const actord_props& wanted, std::string& why_not) {
  auto props = make_props(environment_, wanted, cell_.props->behaviour);
  if (!props) {
    why_not = std::move(props).error().what;
    return nobody;
  }
  const bool has_wish =
      ACTORD_HAS(actord_props, &wanted, dispatcher) && wanted.dispatcher.size != 0;
  if (!has_wish) return spawn(name, std::move(*props), why_not);
  const auto dispatcher = environment_.dispatcher_named(message::view(wanted.dispatcher));
  if (dispatcher) return spawn(name, std::move(*props), why_not, *dispatcher);
  why_not = dispatcher.error().what;
  return nobody;
}

Ref Activation::spawn(std::string_view name, PropsPtr props, std::string& why_not,
                      std::uint16_t dispatcher) {
  if (cell_.stage == Stage::terminating || cell_.stage == Stage::terminated) {
    why_not = "cannot create children while stopping";
    return nobody;
  }
  if (!name.empty()) {
    if (why_not = why_name_is_invalid(name); !why_not.empty()) return nobody;
    if (is_name_taken(name)) {
      why_not =
          "the name " + std::string{name} + " is taken: " + path() + " has a child of that name";
      return nobody;
    }
  }
  std::uint64_t label = 0;
  if (name.empty()) {
    label = organs().last_number++ << 1 | 1;
  } else {
    char* const text = static_cast<char*>(std::malloc(name.size() + 1));
    name.copy(text, name.size());
    text[name.size()] = '\0';
    label = reinterpret_cast<std::uint64_t>(text);
  }
  Cell* const free_cell = local_.take_cell();
  if (free_cell == nullptr) {
    if ((label & 1) == 0) std::free(reinterpret_cast<void*>(label));
    why_not = "there can be no more actors: all cells of the system are taken";
    return nobody;
  }
  Cell& child = *free_cell;
  child.name = label;
  child.parent = index_of(self);
  child.parent_generation = generation_of(self);
  child.stage = Stage::fresh;
  child.incarnation = 0;
  child.fail_state = Cell::healthy;
  child.owner_flags = 0;
  child.child_flags = 0;
  child.suspensions = cell_.suspensions;  // runs when its parent does (supervision.md 66)
  child.sender_flags.store(0, base::relaxed);
  child.receive = &props->behaviour.initial();
  child.stats = nullptr;
  child.organs = nullptr;
  child.instance = nullptr;
  child.dispatcher = dispatcher;
  const NodeSpec* const node = props->node;
  child.props = props.release();
  const bool is_named = !name.empty();
  std::string child_path;
  if (is_named || environment_.has_deployments) child_path = path_of_child(child);
  if (environment_.has_deployments || node != nullptr) {
    if (!place(child, *child.props, child_path, why_not)) {
      child.props->drop();
      local_.retire(child);
      return nobody;
    }
  }
  link(child);
  const Ref ref = ref_of(child);
  if (is_named) environment_.enlist(std::move(child_path), ref);
  child.system.open();
  child.mailbox.open();
  local_.schedule(child);
  log_lifecycle("now supervising", ref);
  return ref;
}

std::string Activation::path_of_child(const Cell& child) const {
  return (parent == nobody ? std::string{} : path()) + '/' + name_of(child);
}

// What the operator says of the path: the node itself first, then the most specific pattern.
bool Activation::place(Cell& child, const Props& props, std::string_view child_path,
                       std::string& why_not) {
  const Deployment* const pattern =
      environment_.has_deployments ? environment_.deployment(child_path) : nullptr;
  std::int64_t capacity = pattern != nullptr ? pattern->mailbox_capacity : 0;
  if (pattern != nullptr && pattern->dispatcher != 0) child.dispatcher = pattern->dispatcher;
  const Strategy* strategy = pattern != nullptr ? pattern->strategy : nullptr;
  std::int64_t stash_capacity = pattern != nullptr ? pattern->stash_capacity : 0;
  if (const NodeSpec* const node = props.node) {
    if (node->mailbox_capacity != 0) capacity = node->mailbox_capacity;
    if (node->stash_capacity != 0) stash_capacity = node->stash_capacity;
    if (node->strategy) strategy = &*node->strategy;
    if (!node->dispatcher.empty()) {
      const auto dispatcher = environment_.dispatcher_named(node->dispatcher);
      if (!dispatcher) {
        why_not = dispatcher.error().what;
        return false;
      }
      child.dispatcher = *dispatcher;
    }
  }
  if (strategy != nullptr || stash_capacity != 0) {
    if (&props == props.behaviour.plain_props().get()) {
      child.props->drop();
      child.props = PropsPtr(new Props(props.behaviour)).release();
    }
    child.props->strategy = strategy;
    child.props->stash_capacity = stash_capacity;
  }
  if (capacity > 0) {
    child.room.store(static_cast<std::int32_t>(std::min<std::int64_t>(capacity, INT32_MAX)),
                     base::relaxed);
    child.sender_flags.store(Cell::bounded, base::relaxed);
  }
  return true;
}

// A guardian's or a test's wish from another thread.
void Activation::on_spawn(SpawnRequest& request) {
  std::string why_not;
  const Ref child = spawn(request.name, request.props, why_not);
  request.answer(child, std::move(why_not));
}

// ---- the list -----------------------------------------------------------------------------------

bool Activation::is_name_taken(std::string_view name) const {
  const Organs* const o = cell_.organs;
  if (o != nullptr && o->named > Organs::names_in_line) return o->by_name.contains(name);
  for (const Cell* child = first_child(); child != nullptr; child = at(child->next_sibling)) {
    if ((child->name & 1) == 0 && name == reinterpret_cast<const char*>(child->name)) return true;
  }
  return false;
}

void Activation::link(Cell& child) {
  const std::uint32_t index = index_of(ref_of(child));
  child.previous_sibling = cell_.last_child;
  child.next_sibling = Cell::none;
  (cell_.last_child != Cell::none ? at(cell_.last_child)->next_sibling : cell_.first_child) = index;
  cell_.last_child = index;
  if ((child.name & 1) != 0) return;
  Organs& o = organs();
  if (++o.named <= Organs::names_in_line) return;
  if (!o.by_name.empty()) {
    o.by_name.emplace(reinterpret_cast<const char*>(child.name), index);
    return;
  }
  for (const Cell* each = first_child(); each != nullptr; each = at(each->next_sibling)) {
    if ((each->name & 1) == 0)
      o.by_name.emplace(reinterpret_cast<const char*>(each->name), index_of(ref_of(*each)));
  }
}

void Activation::unlink(Cell& child) {
  child.child_flags |= Cell::gone;  // its cell keeps generation and parent until it is recycled
  if ((child.name & 1) == 0) {
    Organs& o = organs();
    o.by_name.erase(reinterpret_cast<const char*>(child.name));
    if (--o.named <= Organs::names_in_line) o.by_name.clear();
  }
  (child.previous_sibling != Cell::none ? at(child.previous_sibling)->next_sibling
                                        : cell_.first_child) = child.next_sibling;
  (child.next_sibling != Cell::none ? at(child.next_sibling)->previous_sibling : cell_.last_child) =
      child.previous_sibling;
}

Cell* Activation::child_of(Ref ref) const noexcept {
  if (generation_of(ref) == 0 || !environment_.cells.is_index(index_of(ref))) return nullptr;
  Cell& child = environment_.cells.at(index_of(ref));
  const bool is_ours = child.generation.load(base::relaxed) == generation_of(ref) &&
                       child.parent == index_of(self) &&
                       child.parent_generation == generation_of(self) &&
                       (child.child_flags & Cell::gone) == 0;
  return is_ours ? &child : nullptr;
}

std::size_t Activation::children(Ref* out, std::size_t capacity) const {
  std::size_t n = 0;
  for (const Cell* child = first_child(); child != nullptr; child = at(child->next_sibling)) {
    if ((child->child_flags & Cell::dying) != 0) continue;
    if (n < capacity) out[n] = ref_of(*child);
    ++n;
  }
  return n;
}

std::vector<Ref> Activation::living_children() const {
  std::vector<Ref> refs(children(nullptr, 0));
  children(refs.data(), refs.size());
  return refs;
}

// ---- a child has stopped ------------------------------------------------------------------------

// The parent's books come first; then its behaviour's hook; then whatever waited for the last
// child.
void Activation::on_child_terminated(Ref ref) {
  Cell* const child = child_of(ref);
  if (child == nullptr) return;
  if ((child->child_flags & Cell::dying) != 0) --organs().dying;
  if ((child->name & 1) == 0) environment_.delist(path_of_child(*child));
  unlink(*child);
  delete std::exchange(child->stats, nullptr);
  local_.retire(*child);
  const auto hook = table().child_terminated;
  if (hook != nullptr && cell_.instance != nullptr) {
    sender = ref;
    FailurePtr failure = enter([&](actord_context* context, actord_errors* errors) {
      return hook(cell_.instance, context, ref, errors);
    });
    take_back();
    if (failure && cell_.stage == Stage::running) fail(std::move(failure), Phase::child_terminated);
    else if (failure)
      log_hook_failure("actor.child_terminated-failed", *failure, Phase::child_terminated);
  }
  if (cell_.organs != nullptr && cell_.organs->roster.awaited == ref) start_next_of_roster();
  if (organs().dying != 0) return;
  switch (cell_.stage) {
    case Stage::recreating:
    case Stage::creating: return recreate_when_ready();
    case Stage::terminating: return finish_termination();
    default: return;
  }
}

}  // namespace actord::actor
