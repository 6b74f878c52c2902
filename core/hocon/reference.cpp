// SPDX-License-Identifier: Apache-2.0
//
// The resolver's substitutions: following a path, and finding cycles.
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/suggestion.hpp"
#include "base/utf8.hpp"
#include "hocon/key_path.hpp"
#include "hocon/resolver.hpp"

namespace actord::hocon {

// The newest entry in progress inside `slot`, or its own copying, after position `after`.
std::uint32_t Resolver::latest_in_slot(const Slot& slot, std::uint32_t after) const noexcept {
  if (slot.evaluations_inside == 0 && !slot.is_building) return Dependencies::none;
  for (std::size_t i = in_progress_.size(); i-- > 0;) {
    if (after != Dependencies::none && i <= after) break;
    if (in_progress_[i].slot == &slot && in_progress_[i].is_building)
      return static_cast<std::uint32_t>(i);
    for (const Slot* parent = in_progress_[i].slot->parent; parent != nullptr;
         parent = parent->parent, ++work_) {
      if (parent == &slot) return static_cast<std::uint32_t>(i);
    }
  }
  return Dependencies::none;
}

// The same for a view and all views that it consists of, without those of `except`.
std::uint32_t Resolver::latest_in_view(const View& view, const Slot* except) const {
  constexpr std::size_t views_max = 1000;
  constexpr std::uint64_t work_of_view = 50;
  std::uint32_t latest = Dependencies::none;
  std::vector<const View*> pending = {&view};
  std::unordered_set<const View*> seen;
  while (!pending.empty() && seen.size() < views_max) {
    const View* current = pending.back();
    pending.pop_back();
    if (!seen.insert(current).second) continue;
    work_ += work_of_view;
    const std::uint32_t inside = current->owner == except
                                     ? Dependencies::none
                                     : latest_in_slot(*current->owner, Dependencies::none);
    if (inside != Dependencies::none)
      latest = latest == Dependencies::none ? inside : std::max(latest, inside);
    for (const ViewPart* part = current->top; part != nullptr; part = part->under) {
      if (part->view != nullptr) pending.push_back(part->view);
    }
  }
  return latest;
}

bool Resolver::has_evaluation_inside(const Outcome& outcome) const {
  return outcome.is_object() &&
         latest_in_view(*outcome.value->view(), nullptr) != Dependencies::none;
}

// Used when a definition of `slot` is a substitution, and a look-up from inside the target of that
// substitution comes back to `slot`. The definition refers to itself through its target. So the
// rest of the path is followed in the value of the older definitions. Undefined, without
// dependencies, if no definition of `slot` is of that kind.
Outcome Resolver::look_up_older(Slot& slot, const Outcome& object,
                                std::span<const std::string_view> path, Demand demand) {
  std::uint32_t since = Dependencies::none;
  std::uint32_t oldest = 0;
  for (const ViewPart* part = object.value->view()->top; part != nullptr; part = part->under) {
    const std::uint32_t inside =
        part->view == nullptr ? Dependencies::none : latest_in_view(*part->view, &slot);
    if (inside == Dependencies::none) continue;
    oldest = part->definition;
    since = std::min(since, inside);
  }
  const bool has_older = since != Dependencies::none && oldest > 0;
  Outcome older = has_older ? evaluate(slot, oldest, demand) : Outcome();
  if (!path.empty())
    older = older.is_object() ? walk(*older.value->view(), path, demand) : Outcome();
  if (since != Dependencies::none) older.dependencies.add_inside_object(since);
  return older;
}

// The index of the definition of `slot` that is a concatenation with `evaluation` inside one of its
// literals. Such an evaluation may use the definitions below that index. 0 if there is none.
std::size_t Resolver::concatenation_around(const Slot& slot, const Outcome& object,
                                           std::uint32_t evaluation) const noexcept {
  if (!object.is_object()) return 0;
  const Slot* child = in_progress_[evaluation].slot;
  while (child != nullptr && child->parent != &slot) child = child->parent;
  if (child == nullptr) return 0;
  for (const ViewPart* part = object.value->view()->top; part != nullptr; part = part->under) {
    const bool here =
        part->literal != nullptr && part->literal->find(child->key) != part->literal->fields.size();
    if (!here) continue;
    const Node* definition = slot.stack[part->definition].node;
    return definition != nullptr && definition->kind == NodeKind::concatenation ? part->definition
                                                                                : 0;
  }
  return 0;
}

// The value of the definitions before `definition`; a cycle if they have none.
Outcome Resolver::older_or_cycle(Slot& slot, std::size_t definition,
                                 const Dependencies& dependencies, Demand demand) {
  Outcome older = definition > 0 ? evaluate(slot, definition, demand) : Outcome();
  if (!older.is_value()) older = no_value(State::cyclic, older.dependencies);
  older.dependencies.add(dependencies);
  return older;
}

// Follows a path; only the keys on it are evaluated.
Outcome Resolver::walk(View& start, std::span<const std::string_view> path, Demand demand) {
  View* view = &start;
  Dependencies dependencies;
  while (true) {
    Slot* slot = space_.child(*view, path.front());
    if (slot == nullptr) return no_value(State::undefined, dependencies);
    path = path.subspan(1);
    const bool whole = path.empty() && demand == Demand::whole;
    // Only the keys on the path are needed of the value. Whether it contains the asking evaluation
    // is checked below.
    Outcome outcome = look_up(*slot, Demand::path);
    dependencies.add(outcome.dependencies);
    if (outcome.is_object() && (whole || !path.empty())) {
      Outcome older = look_up_older(*slot, outcome, path, demand);
      const bool self_reference = older.dependencies.any();
      older.dependencies.add(dependencies);
      if (older.is_value() || older.state == State::poisoned) return older;
      if (self_reference && whole) return no_value(State::cyclic, older.dependencies);
    }
    if (whole && outcome.is_value()) {
      const std::uint32_t after = slot->is_evaluating ? slot->evaluating_since : Dependencies::none;
      const std::uint32_t inside = latest_in_slot(*slot, after);
      // The whole value contains the asking evaluation.
      if (inside != Dependencies::none) {
        const std::size_t definition = concatenation_around(*slot, outcome, inside);
        dependencies.add_inside_object(inside);
        return older_or_cycle(*slot, definition, dependencies, demand);
      }
    }
    outcome.dependencies = dependencies;
    if (path.empty() || outcome.state == State::poisoned || outcome.state == State::cyclic)
      return outcome;
    if (!outcome.is_object()) return no_value(State::undefined, dependencies);
    view = outcome.value->view();
  }
}

// The view of the literal with the include statement, searched upwards from the slot that the
// substitution defines.
View& Resolver::anchor_of(const IncludeScope& scope, Slot& slot) {
  if (scope.anchor == nullptr) return *root_view_;
  for (Slot* step = &slot; step->containing_view != nullptr; step = step->containing_view->owner) {
    for (const ViewPart* part = step->containing_view->top; part != nullptr; part = part->under) {
      if (part->literal == scope.anchor) return *step->containing_view;
    }
  }
  return *root_view_;
}

// Looks below the include statement first, then at the root.
Outcome Resolver::find(const Node& node, Slot& slot, Demand demand) {
  const Reference& reference = *node.reference;
  if (reference.scope == nullptr) return walk(*root_view_, reference.path, demand);
  std::vector<std::string_view> path(reference.scope->prefix.begin(),
                                     reference.scope->prefix.end());
  path.insert(path.end(), reference.path.begin(), reference.path.end());
  const Outcome below = walk(anchor_of(*reference.scope, slot), path, demand);
  if (!below.is_undefined()) return below;
  Outcome outcome = walk(*root_view_, reference.path, demand);
  outcome.dependencies.add(below.dependencies);
  return outcome;
}

Outcome Resolver::evaluate_reference(const Node& node, Slot& slot, Demand demand) {
  const Outcome* known = known_value(node, demand);
  return known != nullptr ? *known : keep_value(node, find(node, slot, demand));
}

const Outcome* Resolver::known_value(const Node& reference, Demand demand) const {
  const auto found = references_.find(&reference);
  if (found == references_.end()) return nullptr;
  return demand == Demand::path || !has_evaluation_inside(found->second) ? &found->second : nullptr;
}

// Stores the outcome of a look-up as the value of the substitution from now on, and returns it. If
// no key has the path, the environment is asked. A cycle that an older definition may break is not
// stored. An optional substitution that has no value because of a circle of values is noted, so
// that end_notes() may let it be looked up again.
Outcome Resolver::keep_value(const Node& reference, Outcome outcome) {
  const bool optional = reference.reference->optional;
  const Dependencies circle = outcome.dependencies;
  if (outcome.is_undefined()) outcome = from_environment(reference);
  if (outcome.is_undefined() && !optional) outcome = fail_unresolved(reference);
  if (outcome.state == State::cyclic) {
    if (!optional) {
      if (outcome.cycle == 0) outcome.cycle = record_cycle(reference, outcome.dependencies.oldest);
      return outcome;
    }
    outcome.state = State::undefined;
  }
  if (outcome.is_undefined() && circle.any() && is_circle_of_values(circle))
    vanished_.push_back({&reference, circle.oldest});
  if (outcome.is_value()) {
    auto* here = arena_.new_object<Evaluated>(*outcome.value);
    here->written = reference.span;
    outcome.value = here;
  }
  outcome.dependencies = {};
  return references_[&reference] = outcome;
}

// Whether the circle leads from value to value. If an object on the way contains one of the
// evaluations, what vanishes in it depends on that object's copies.
bool Resolver::is_circle_of_values(const Dependencies& circle) const noexcept {
  if (circle.is_inside_object != 0) return false;
  return std::none_of(
      in_progress_.begin() + circle.oldest, in_progress_.end(),
      [](const auto& each) { return each.is_building || each.slot->evaluations_inside != 0; });
}

// An evaluation at `position` has ended without a value, and may have one once the circles of these
// notes are over. So it is not kept for longer.
void Resolver::note_second_look_ups(std::size_t first, std::uint32_t position,
                                    Dependencies& dependencies) const noexcept {
  if (second_look_ups_ >= second_look_ups_max) return;
  for (std::size_t i = first; i < vanished_.size(); ++i) {
    if (vanished_[i].position < position) dependencies.add(vanished_[i].position);
  }
}

// Called when the evaluation of a whole slot ends, with the number of notes at its begin. If the
// slot has a value, the value stands, and so do the substitutions in it. If it has none, those
// whose circle closes further out are looked up again once that circle is over. Therefore b is
// "foo" in `a = ${?b}foo, b = ${?a}`, whichever key comes first. Beyond a limit they stand as well.
void Resolver::end_notes(std::size_t first, std::uint32_t position, bool is_undefined) {
  for (std::size_t i = first; is_undefined && i < vanished_.size(); ++i) {
    if (vanished_[i].position >= position || second_look_ups_ >= second_look_ups_max) continue;
    ++second_look_ups_;
    references_.erase(vanished_[i].reference);
  }
  vanished_.resize(first);
}

// The variable with the path's name. If NAME is not set but NAME.0 is, the list of NAME.0, NAME.1
// and so on.
Outcome Resolver::from_environment(const Node& node) {
  if (!external_.environment) return {};
  const std::string name = to_text(node.reference->path);
  bool valid = true;
  const auto variable = [&](const std::string& wanted) -> const Evaluated* {
    const std::optional<std::string> text = external_.environment(wanted);
    if (!text) return nullptr;
    valid = valid && base::utf8::find_invalid(*text) == std::string_view::npos;
    Evaluated* value = make_value(Kind::string, node.span);
    value->set_text(*arena_.new_object<std::pmr::string>(*text));
    value->source = external_origin({"env", wanted, true, {}});
    return value;
  };
  const Evaluated* value = variable(name);
  if (value == nullptr) {
    ItemBuffer items(&memory_);
    while (const Evaluated* item = variable(name + "." + std::to_string(items.size())))
      items.push_back(item);
    if (items.empty()) return {};
    Evaluated* list = make_value(Kind::array, node.span);
    list->set_items(arena_.new_object<ItemBuffer>(std::move(items)));
    value = list;
  }
  if (!valid) return fail(node.span, "the environment variable " + name + " is not valid UTF-8");
  return value_outcome(value);
}

Outcome Resolver::fail_unresolved(const Node& node) {
  const auto path = node.reference->path;
  // The existing part of the path, then the key most similar to the missing one.
  std::vector<std::string_view> meant(path.begin(), path.end());
  std::string help = "write ${?" + to_text(path) + "} if it may be missing";
  std::string note = "neither a key nor an environment variable has that name";
  View* view = root_view_;
  for (std::size_t i = 0; i < path.size() && view != nullptr; ++i) {
    Slot* slot = space_.child(*view, path[i]);
    if (slot != nullptr) {
      const bool last = i + 1 == path.size();
      if (last)
        note = "the key exists, but only optional substitutions define it, and they have no value";
      const Outcome* there = memoized(*slot, slot->stack.size());
      view = there != nullptr && there->is_object() ? there->value->view() : nullptr;
      continue;
    }
    std::vector<std::string_view> keys;
    for (const Slot* other : space_.children(*view)) keys.push_back(other->key);
    meant[i] = base::nearest_of(path[i], keys);
    if (!meant[i].empty()) help = "did you mean ${" + to_text(meant) + "}?";
    break;
  }
  return fail(node.span, "the substitution ${" + to_text(path) + "} has no value", std::move(help),
              std::move(note));
}

// Records the cycle that `node` has closed, and returns its number.
std::uint32_t Resolver::record_cycle(const Node& node, std::uint32_t since) {
  constexpr std::size_t shown_max = 8;
  std::string chain;
  for (std::size_t i = since; i < in_progress_.size(); ++i) {
    if (i - since == shown_max) {
      chain.append("... needs ");
      break;
    }
    chain.append(to_text(keys_of(*in_progress_[i].slot))).append(" needs ");
  }
  chain.append(to_text(node.reference->path));
  cycles_.push_back({&node, std::move(chain)});
  return static_cast<std::uint32_t>(cycles_.size());
}

}  // namespace actord::hocon
