// SPDX-License-Identifier: Apache-2.0
#include "hocon/resolver.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "hocon/key_path.hpp"

namespace actord::hocon {

namespace {

// Slots looked at, some nanoseconds each; far more than a sane configuration needs.
constexpr std::uint64_t work_most = 80'000'000;
// further work after the first error, to find more errors
constexpr std::uint64_t work_after_error = 5'000'000;
constexpr std::uint64_t work_of_evaluation = 5;

Kind kind_of(NodeKind kind) noexcept {
  switch (kind) {
    case NodeKind::null: return Kind::null;
    case NodeKind::boolean: return Kind::boolean;
    case NodeKind::number: return Kind::number;
    case NodeKind::object: return Kind::object;
    case NodeKind::array: return Kind::array;
    default: return Kind::string;
  }
}

}  // namespace

Resolver::Resolver(const Node& root, TreeData& tree, const Limits& limits, const Outside& outside,
                   Diagnostics& errors)
    : root_node_(root), tree_(tree), limits_(limits), outside_(outside), errors_(errors) {}

bool Resolver::resolve() {
  const std::size_t errors_before = errors_.size();
  root_ = space_.make_root(&root_node_);
  tree_.root = std::pmr::polymorphic_allocator<>(&tree_.arena).new_object<TreeNode>();
  tree_.root->kind = Kind::object;
  tree_.root->set_children({});
  tree_.root->written = root_node_.span;
  const Outcome root = at_once(root_node_, *root_);
  root_view_ = root.value->view();
  root_->whole = {.outcome = root, .known = true};
  grow_object(*root_view_, *tree_.root, 0).get();
  ACTORD_ASSERT(in_progress_.empty());
  return errors_.size() == errors_before && !given_up_;
}

// ---- values without waiting ---------------------------------------------------------------------

Evaluated* Resolver::make_value(Kind kind, const SourceSpan& written) {
  Evaluated* value = arena_.new_object<Evaluated>();
  value->kind = kind;
  value->written = written;
  value->source = written.at;
  return value;
}

// The value of a scalar, an object literal, or a list without substitutions.
Outcome Resolver::at_once(const Node& node, Slot& slot) {
  Evaluated* value = make_value(kind_of(node.kind), node.span);
  if (node.kind == NodeKind::object) {
    const std::uint32_t definition = slot.marked ? slot.marked_at : 0;
    const ViewPart* part = space_.make_part({node.object, nullptr, definition}, nullptr);
    value->set_view(space_.make_view(slot, part, node.span));
  } else if (node.kind == NodeKind::array) {
    value->set_literal(node.elements);
  } else {
    value->set_text(node.text);
  }
  return answer(value);
}

// The value of a slot that is known already, or needs no other value; else nothing.
std::optional<Outcome> Resolver::at_once(Slot& slot) {
  if (slot.marked) return std::nullopt;
  const Outcome* ready = known(slot, slot.stack.size());
  if (ready != nullptr && !ready->is_object()) return *ready;
  const Node* top = slot.stack.back().node;
  if (top == nullptr || top->kind == NodeKind::object || !top->pure) return std::nullopt;
  return settle(slot, slot.stack.size(), at_once(*top, slot));
}

// ---- stacks -------------------------------------------------------------------------------------

bool Resolver::begin(Slot& slot, bool growing) {
  if (given_up_) return false;
  if (!reported_.empty() && work_ > work_at_error_ + work_after_error) given_up_ = true;
  if (in_progress_.size() >= limits_.reference_depth) {
    give_up(place_of(slot), "more than " + std::to_string(limits_.reference_depth) +
                                " substitutions wait for each other");
    return false;
  }
  ++evaluations_;
  work_ += work_of_evaluation;
  if (work_ > work_most || space_.slots_made() > limits_.nodes) {
    give_up(place_of(slot), "the substitutions are too entangled to be resolved",
            "refer to plain values instead of objects that refer back");
    return false;
  }
  in_progress_.push_back({&slot, growing, evaluations_});
  for (Slot* above = slot.above; above != nullptr; above = above->above, ++work_) ++above->inside;
  return true;
}

void Resolver::end() {
  Slot* slot = in_progress_.back().slot;
  in_progress_.pop_back();
  for (Slot* above = slot->above; above != nullptr; above = above->above) --above->inside;
}

const Outcome* Resolver::known(const Slot& slot, std::size_t below) const noexcept {
  if (below != slot.stack.size() && slot.partial == nullptr) return nullptr;
  const Memo& memo = below == slot.stack.size() ? slot.whole : slot.partial[below];
  if (!memo.known) return nullptr;
  if (memo.position == Reliance::nothing) return &memo.outcome;
  const bool lasts =
      memo.position < in_progress_.size() && in_progress_[memo.position].serial == memo.serial;
  return lasts ? &memo.outcome : nullptr;
}

// Stores an outcome for as long as it is valid.
Outcome Resolver::settle(Slot& slot, std::size_t below, Outcome outcome) {
  if (below != slot.stack.size() && slot.partial == nullptr) {
    slot.partial = arena_.allocate_object<Memo>(slot.stack.size());
    std::uninitialized_fill_n(slot.partial, slot.stack.size(), Memo());
  }
  Memo& memo = below == slot.stack.size() ? slot.whole : slot.partial[below];
  memo = {.outcome = outcome, .known = true};
  if (outcome.reliance.any()) {
    memo.position = outcome.reliance.latest;
    memo.serial = in_progress_[memo.position].serial;
  }
  return outcome;
}

// The value of the slot as the evaluation in progress sees it: of all definitions, or only of those
// below the definition that is being evaluated.
Descent<Outcome> Resolver::look(Slot& slot, Demand demand) {
  if (!slot.marked) {
    Outcome outcome = co_await evaluate(slot, slot.stack.size(), demand);
    co_return outcome;
  }
  const std::uint32_t since = slot.marked_since;
  Outcome outcome;
  if (!slot.marked_closed && slot.marked_at > 0)
    outcome = co_await evaluate(slot, slot.marked_at, demand);
  if (outcome.is_undefined()) outcome.state = State::cyclic;
  outcome.reliance.add(since);
  co_return outcome;
}

// Whether the entry is a list below objects. The objects hide such a list without evaluating it.
bool Resolver::hides_unseen(const StackEntry& entry) noexcept {
  return entry.node != nullptr &&
         (entry.node->kind == NodeKind::array || entry.node->kind == NodeKind::append);
}

// Adds the object that is the value of definition `definition`.
void Resolver::gather(Gathering& gathering, Slot& slot, const Outcome& object,
                      std::size_t definition) {
  View* view = object.value->view();
  if (view->owner != &slot) {
    gathering.parts.push_back({nullptr, view, static_cast<std::uint32_t>(definition)});
    return;
  }
  // The slot's own older definitions, alone or with more on top: their parts are used directly.
  if (view->has_all_below) {
    gathering.base = view->top;
    gathering.complete = true;
    return;
  }
  for (const ViewPart* part = view->top; part != nullptr; part = part->under)
    gathering.parts.push_back(*part);
}

Outcome Resolver::object_of(const Gathering& gathering, Slot& slot) {
  const ViewPart* top = gathering.base;
  for (auto part = gathering.parts.rbegin(); part != gathering.parts.rend(); ++part) {
    top = space_.make_part(*part, top);
  }
  SourceSpan written;
  if (top->literal == nullptr) written = top->view->written;
  const Node* newest = slot.stack.back().node;
  if (newest != nullptr) written = newest->span;
  View* view = space_.make_view(slot, top, written);
  view->has_all_below = true;
  Evaluated* value = make_value(Kind::object, written);
  value->set_view(view);
  return answer(value);
}

// The value of the definitions before `below`, from the top.
Descent<Outcome> Resolver::evaluate(Slot& slot, std::size_t below, Demand demand) {
  const Outcome* ready = known(slot, below);
  if (ready != nullptr && (demand == Demand::path || !contains_asker(*ready))) co_return *ready;
  if (!begin(slot, false)) co_return poison();
  const std::uint32_t here = position();
  Gathering gathering;
  Outcome found;
  Reliance reliance;
  for (std::size_t i = below; i-- > 0 && !gathering.complete;) {
    const StackEntry& entry = slot.stack[i];
    const bool objects_above = !gathering.parts.empty();
    if (entry.node != nullptr && entry.node->kind == NodeKind::object) {
      gathering.parts.push_back({entry.node->object, nullptr, static_cast<std::uint32_t>(i)});
      continue;
    }
    if (objects_above && hides_unseen(entry)) break;
    Outcome outcome;
    if (entry.node != nullptr && entry.node->pure) {
      if (objects_above) break;
      outcome = at_once(*entry.node, slot);
    } else {
      outcome = co_await evaluate_definition(slot, i, demand);
    }
    reliance.add(outcome.reliance);
    if (outcome.state == State::cyclic && outcome.reliance.oldest >= here)
      outcome = fail_circle(outcome, slot);
    if (outcome.is_object()) {
      gather(gathering, slot, outcome, i);
      continue;
    }
    if (outcome.is_undefined()) continue;
    // The cycle closes further out; an older definition here may break it.
    if (outcome.state == State::cyclic) {
      found = outcome;
      continue;
    }
    if (outcome.state == State::poisoned || !objects_above) {
      found = outcome;
      gathering.parts.clear();
    }
    break;
  }
  if (!gathering.parts.empty() || gathering.base != nullptr) found = object_of(gathering, slot);
  if (found.is_object() && below == slot.stack.size() && is_fetched(slot, found)) {
    found = co_await fetch(slot, found);
    reliance.add(found.reliance);
  }
  end();
  reliance.leave(here);
  found.reliance = reliance;
  co_return settle(slot, below, found);
}

// The value of one definition; the slot is marked while it is evaluated.
Descent<Outcome> Resolver::evaluate_definition(Slot& slot, std::size_t definition, Demand demand) {
  const StackEntry& entry = slot.stack[definition];
  const bool was_marked = slot.marked;
  const bool was_closed = slot.marked_closed;
  const std::uint32_t was_at = slot.marked_at;
  const std::uint32_t was_since = slot.marked_since;
  slot.marked = true;
  slot.marked_closed = entry.node != nullptr && entry.node->kind == NodeKind::array;
  slot.marked_at = static_cast<std::uint32_t>(definition);
  slot.marked_since = position();
  Outcome outcome;
  const bool linked = entry.link != nullptr;
  const Outcome* ready =
      linked && !entry.link->marked ? known(*entry.link, entry.link->stack.size()) : nullptr;
  if (ready != nullptr) {
    outcome = *ready;
  } else if (linked) {
    outcome = co_await look(*entry.link, demand);
  } else if (entry.node->kind == NodeKind::append) {
    outcome = co_await evaluate_appends(slot, definition, demand);
  } else {
    outcome = co_await evaluate_node(*entry.node, slot, demand);
  }
  slot.marked = was_marked;
  slot.marked_closed = was_closed;
  slot.marked_at = was_at;
  slot.marked_since = was_since;
  co_return outcome;
}

// The list that `key += value` makes: this definition and all such definitions right below it,
// oldest first.
Descent<Outcome> Resolver::evaluate_appends(Slot& slot, std::size_t last, Demand demand) {
  const auto is_append = [&](std::size_t i) {
    return slot.stack[i].node != nullptr && slot.stack[i].node->kind == NodeKind::append;
  };
  std::size_t first = last;
  while (first > 0 && is_append(first - 1) && known(slot, first) == nullptr) --first;
  Outcome list;
  if (first > 0) list = co_await evaluate(slot, first, demand);
  for (std::size_t i = first; i <= last; ++i) {
    if (list.is_broken()) break;
    const Node& element = *slot.stack[i].node->appended;
    slot.marked_at = static_cast<std::uint32_t>(i);
    Outcome appended = co_await evaluate_node(element, slot, demand);
    if (appended.is_broken()) {
      list = appended;
      break;
    }
    Reliance reliance = list.reliance;
    reliance.add(appended.reliance);
    Evaluated empty;
    empty.kind = Kind::array;
    const Evaluated* before = list.is_undefined() ? &empty : list.value;
    Outcome numbered;
    if (before->kind == Kind::object) {
      numbered = co_await numbered_items(*before);
      reliance.add(numbered.reliance);
      if (numbered.is_value()) before = numbered.value;
    }
    if (before->kind != Kind::array) {
      list =
          fail(slot.stack[i].node->span,
               "`+=` needs a list, but the value so far is " + std::string(name_of(before->kind)),
               "set " + to_text(keys_of(slot)) + " to a list first, or use `=`",
               "it was set at " + tree_.files.place(before->written.at), codes::join);
      break;
    }
    const std::span<const Evaluated* const> item(&appended.value, appended.is_value() ? 1 : 0);
    list = append_items(*before, item, slot.stack[i].node->span);
    list.reliance = reliance;
    if (i < last) settle(slot, i + 1, list);
  }
  co_return list;
}

Descent<Outcome> Resolver::evaluate_node(const Node& node, Slot& slot, Demand demand) {
  Outcome outcome;
  if (node.kind == NodeKind::reference) {
    outcome = co_await evaluate_reference(node, slot, demand);
  } else if (node.kind == NodeKind::concatenation) {
    outcome = co_await evaluate_concatenation(node, slot, demand);
  } else if (node.kind == NodeKind::array && !node.pure) {
    outcome = co_await evaluate_array(node, slot, demand);
  } else {
    outcome = at_once(node, slot);
  }
  co_return outcome;
}

Descent<Outcome> Resolver::evaluate_array(const Node& node, Slot& slot, Demand demand) {
  auto* items = arena_.new_object<ItemBuffer>();
  Reliance reliance;
  for (const Node* element : *node.elements) {
    const bool waits = element->kind != NodeKind::object && !element->pure;
    Outcome outcome;
    if (waits) outcome = co_await evaluate_node(*element, slot, demand);
    else outcome = at_once(*element, slot);
    reliance.add(outcome.reliance);
    if (outcome.is_broken()) co_return outcome;
    if (outcome.is_value()) items->push_back(outcome.value);
  }
  Evaluated* list = make_value(Kind::array, node.span);
  list->set_items(items);
  co_return Outcome{State::value, 0, reliance, list};
}

// ---- messages -----------------------------------------------------------------------------------

Outcome Resolver::fail(const SourceSpan& at, std::string message, std::string help,
                       std::string note, std::string_view code) {
  if (!is_news(at.at, message)) return poison();
  errors_.push_back(coded(
      code, diagnostic_at(tree_.files, at, std::move(message), std::move(help), std::move(note))));
  if (errors_.size() >= limits_.errors) given_up_ = true;
  return poison();
}

// Whether the message has not been reported for this place yet.
bool Resolver::is_news(const Origin& at, const std::string& message) {
  if (reported_.empty()) work_at_error_ = work_;
  const std::uint64_t place = (std::uint64_t{at.file} << 32U | at.line) * 1'000'003 + at.column;
  return reported_.emplace(place, message).second;
}

Outcome Resolver::fail_circle(const Outcome& cyclic, const Slot& slot) {
  // The numbered members of an object that became a list closed the cycle.
  if (cyclic.cycle == 0)
    return fail(place_of(slot), "the value of " + to_text(keys_of(slot)) + " needs itself");
  const Cycle& cycle = cycles_[cyclic.cycle - 1];
  const std::string path = to_text(cycle.reference->reference->path);
  return fail(cycle.reference->span, "the substitution ${" + path + "} needs its own value",
              "give the key an earlier value to build on, or write ${?" + path + "}", cycle.chain);
}

Outcome Resolver::give_up(const SourceSpan& at, std::string message, std::string help) {
  if (!given_up_) fail(at, std::move(message), std::move(help), {}, codes::limit);
  given_up_ = true;
  return poison();
}

SourceSpan Resolver::place_of(const Slot& slot) noexcept {
  const Node* newest = slot.stack.back().node;
  return newest == nullptr ? SourceSpan() : newest->span;
}

}  // namespace actord::hocon
