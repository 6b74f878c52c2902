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
  Args args{wanted.args, wanted.args_destroy};
  auto behaviour = wanted.behaviour != nullptr
                       ? environment.behaviour(*wanted.behaviour, spawner)
                       : environment.behaviour(message::view(wanted.behaviour_name));
  if (!behaviour) {
    args.drop();
    return std::move(behaviour).error();
  }
  const bool has_strategy =
      ACTORD_HAS(actord_props, &wanted, strategy) && wanted.strategy != nullptr;
  if (wanted.create == nullptr && wanted.args_destroy == nullptr && !has_strategy)
    return PropsPtr(&(*behaviour)->shared_props());
  PropsPtr props(new Props(**behaviour));
  props->create = wanted.create;
  props->args = args;
  if (has_strategy && wanted.strategy->within_ns == 0)
    return base::Error{"a strategy with an empty window (within = 0)"};
  if (has_strategy) props->own_strategy = from_c(*wanted.strategy, "code");
  return props;
}

Ref Activation::spawn(std::string_view name, const actord_props& wanted, std::string& why_not) {
  std::uint16_t dispatcher = default_dispatcher;
  if (ACTORD_HAS(actord_props, &wanted, dispatcher) && wanted.dispatcher.size != 0) {
    const auto named = environment_.dispatcher_named(message::view(wanted.dispatcher));
    if (!named) {
      Args{wanted.args, wanted.args_destroy}.drop();
      why_not = named.error().what;
      return nobody;
    }
    dispatcher = *named;
  }
  const bool has_strategy =
      ACTORD_HAS(actord_props, &wanted, strategy) && wanted.strategy != nullptr;
  if (wanted.behaviour == nullptr || has_strategy) {
    auto props = make_props(environment_, wanted, cell_.props->behaviour);
    if (props) return spawn(name, std::move(*props), why_not, dispatcher);
    why_not = std::move(props).error().what;
    return nobody;
  }
  const bool has_args = wanted.create != nullptr || wanted.args_destroy != nullptr;
  const Args args{wanted.args, wanted.args_destroy};
  Props* const props = local_.shared_props(*wanted.behaviour, wanted.create, has_args,
                                           cell_.props->behaviour, why_not);
  if (props != nullptr) [[likely]]
    return spawn(name, *props, args, why_not, dispatcher);
  args.drop();
  return nobody;
}

Ref Activation::spawn(std::string_view name, PropsPtr props, std::string& why_not,
                      std::uint16_t dispatcher) {
  return spawn(name, *props, {}, why_not, dispatcher);
}

Ref Activation::spawn(std::string_view name, Props& props, Args args, std::string& why_not,
                      std::uint16_t dispatcher) {
  const bool is_plain =
      name.empty() && props.node == nullptr && !environment_.has_deployments.load(base::relaxed);
  if (cell_.stage >= Stage::terminating || !name.empty()) [[unlikely]] {
    if (!may_spawn(name, why_not)) return refuse_to_spawn(props, args);
  }
  Cell* const made = new_child(props, args);
  if (made == nullptr) [[unlikely]] {
    why_not = "there can be no more actors: all cells of the system are taken";
    return refuse_to_spawn(props, args);
  }
  Cell& child = *made;
  child.dispatcher.store(dispatcher, base::relaxed);
  if (is_plain) [[likely]] {
    child.name = family().last_number++ << 1 | 1;
    link(child);
  } else {
    const auto discard = [&] {
      free_block(child, std::exchange(child.instance, nullptr));
      local_.retire(child);
    };
    try {
      if (!enrol(child, name, why_not)) {
        discard();
        return nobody;
      }
    } catch (const std::bad_alloc&) {  // nobody has seen it
      discard();
      throw;
    }
  }
  const Ref ref = ref_of(child);
  child.system.open();
  child.mailbox.open();
  local_.schedule(child);
  log_lifecycle("now supervising", ref);
  return ref;
}

Ref Activation::refuse_to_spawn(const Props& props, Args args) {
  if (props.keeps_args) args.drop();
  return nobody;
}

bool Activation::may_spawn(std::string_view name, std::string& why_not) const {
  if (cell_.stage == Stage::terminating || cell_.stage == Stage::terminated) {
    why_not = "cannot create children while stopping";
    return false;
  }
  if (name.empty()) return true;
  if (why_not = why_name_is_invalid(name); !why_not.empty()) return false;
  if (child_named(name) == nullptr) return true;
  why_not = "the name " + std::string{name} + " is taken: " + path() + " has a child of that name";
  return false;
}

// A cell that nobody else knows yet, without a name; null if there can be no more.
[[gnu::always_inline]] inline Cell* Activation::new_child(Props& props, Args args) {
  Cell* const free_cell = local_.take_cell();
  if (free_cell == nullptr) [[unlikely]]
    return nullptr;
  Cell& child = *free_cell;
  child.parent = index_of(self);
  child.parent_generation = generation_of(self);
  child.stage = Stage::fresh;
  child.incarnation = 0;
  child.fail_state = Cell::healthy;
  child.owner_flags = 0;
  child.child_flags = 0;
  child.suspensions = cell_.suspensions;  // runs when its parent does (supervision.md 66)
  child.sender_flags.store(0, base::relaxed);
  child.receive = &props.behaviour.initial();
  child.family = nullptr;
  child.stats = nullptr;
  child.organs = nullptr;
  child.instance = nullptr;
  child.props = &props;
  if (!props.is_shared) props.retain();
  if (props.keeps_args) {
    child.instance = local_.blocks.take(props.block);
    ::new (&props.args_in(child.instance)) Args(args);
  }
  return free_cell;
}

// Its name and what the operator says of its path, then into the list and the directory.
bool Activation::enrol(Cell& child, std::string_view name, std::string& why_not) {
  give_name(child, name);
  std::string path;
  const bool has_deployments = environment_.has_deployments.load(base::relaxed);
  if (!name.empty() || has_deployments) path = environment_.cells.path_of(child);
  if (child.props->node != nullptr) child.child_flags |= Cell::from_node;
  if ((has_deployments || child.props->node != nullptr) && !place(child, path, why_not))
    return false;
  link(child);
  if (name.empty()) return true;
  try {
    environment_.enlist(std::move(path), ref_of(child));
  } catch (const std::bad_alloc&) {
    unlink(child);
    throw;
  }
  return true;
}

void Activation::give_name(Cell& child, std::string_view name) {
  if (name.empty()) {
    child.name = family().last_number++ << 1 | 1;
    return;
  }
  char* const text = static_cast<char*>(std::malloc(name.size() + 1));
  if (text == nullptr) throw std::bad_alloc();
  name.copy(text, name.size());
  text[name.size()] = '\0';
  child.name = reinterpret_cast<std::uint64_t>(text);
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

// What the operator says of the path. One that code spawns is built from the newest blueprint, so
// that its parent, which may have taken that one over already, need not tell it.
bool Activation::place(Cell& child, std::string_view child_path, std::string& why_not) {
  const NodeSpec* const node = child.props->node;
  const BlueprintPtr blueprint =
      node != nullptr ? child.props->blueprint : environment_.blueprint();
  const Terms terms = blueprint->terms_of(node, child_path);
  if (terms.dispatcher != 0) child.dispatcher.store(terms.dispatcher, base::relaxed);
  if (node != nullptr && !node->dispatcher.empty()) {
    const auto dispatcher = environment_.dispatcher_named(node->dispatcher);
    if (!dispatcher) {
      why_not = dispatcher.error().what;
      return false;
    }
    child.dispatcher.store(*dispatcher, base::relaxed);
  }
  if (terms.strategy != nullptr || terms.stash_capacity != 0) {
    Props& own = own_props(child);
    own.blueprint = blueprint;
    own.strategy = terms.strategy;
    own.stash_capacity = terms.stash_capacity;
  }
  if (terms.mailbox_capacity > 0) {
    const auto room = std::min<std::int64_t>(terms.mailbox_capacity, INT32_MAX);
    child.room.store(static_cast<std::int32_t>(room), base::relaxed);
    child.sender_flags.store(Cell::bounded, base::relaxed);
    child.owner_flags |= Cell::is_bounded;
  }
  return true;
}

// A guardian's or a test's wish from another thread.
void Activation::on_spawn(SpawnRequest& request) {
  std::string why_not;
  const Ref child = spawn(request.name, request.props, why_not, default_dispatcher);
  request.answer(child, std::move(why_not));
}

// ---- the list -----------------------------------------------------------------------------------

Family& Activation::found_family() {
  cell_.family = ::new (local_.blocks.take(base::block_of<Family>)) Family;
  return *cell_.family;
}

Cell* Activation::child_named(std::string_view name) const {
  const Family* const family = cell_.family;
  if (family == nullptr || family->named == 0) return nullptr;
  if (family->by_name) {
    const auto found = family->by_name->find(name);
    return found == family->by_name->end() ? nullptr : at(found->second);
  }
  for (Cell* child = first_child(); child != nullptr; child = at(child->next_sibling)) {
    if ((child->name & 1) == 0 && name == reinterpret_cast<const char*>(child->name)) return child;
  }
  return nullptr;
}

[[gnu::always_inline]] inline void Activation::link(Cell& child) {
  Family& family = this->family();
  const std::uint32_t index = environment_.cells.index_of(child);
  const bool is_named = (child.name & 1) == 0;
  if (is_named && family.by_name)  // first, for want of memory it may throw
    family.by_name->emplace(reinterpret_cast<const char*>(child.name), index);
  child.previous_sibling = family.last;
  child.next_sibling = Cell::none;
  (family.last != Cell::none ? at(family.last)->next_sibling : family.first) = index;
  family.last = index;
  ++family.count;
  if (is_named) ++family.named;
  if (family.count > Family::searched_in_line && family.named != 0 && !family.by_name) [[unlikely]]
    make_table_of_names();
}

// Without memory they are looked for in line, until the next one comes.
void Activation::make_table_of_names() try {
  auto names = std::make_unique<Family::Names>();
  for (const Cell* each = first_child(); each != nullptr; each = at(each->next_sibling)) {
    if ((each->name & 1) == 0)
      names->emplace(reinterpret_cast<const char*>(each->name), environment_.cells.index_of(*each));
  }
  cell_.family->by_name = std::move(names);
} catch (const std::bad_alloc&) {}

[[gnu::always_inline]] inline void Activation::unlink(Cell& child) {
  Family& family = *cell_.family;
  child.child_flags |= Cell::gone;  // its cell keeps generation and parent until it is recycled
  --family.count;
  if ((child.name & 1) == 0) {
    if (family.by_name) family.by_name->erase(reinterpret_cast<const char*>(child.name));
    if (--family.named == 0) family.by_name.reset();
  }
  (child.previous_sibling != Cell::none ? at(child.previous_sibling)->next_sibling : family.first) =
      child.next_sibling;
  (child.next_sibling != Cell::none ? at(child.next_sibling)->previous_sibling : family.last) =
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
  if ((child->child_flags & Cell::dying) != 0) --cell_.family->dying;
  if ((child->name & 1) == 0) environment_.delist(environment_.cells.path_of(*child));
  unlink(*child);
  if (child->stats != nullptr) delete std::exchange(child->stats, nullptr);
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
  if (cell_.organs != nullptr) {
    if (cell_.organs->roster.awaited == ref) start_next_of_roster();
    else resume_roster();  // somebody may wait for its name
  }
  if (dying() != 0) return;
  switch (cell_.stage) {
    case Stage::recreating:
    case Stage::creating: return recreate_when_ready();
    case Stage::terminating: return finish_termination();
    default: return;
  }
}

}  // namespace actord::actor
