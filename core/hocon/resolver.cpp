// SPDX-License-Identifier: Apache-2.0
#include "hocon/resolver.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "hocon/key_path.hpp"

namespace actord::hocon {

namespace {

// Steps of work, some nanoseconds each; far more than a normal configuration needs.
constexpr std::uint64_t work_max = 80'000'000;
// The work that may follow the first error, to find more errors.
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

Resolver::Resolver(const Node& root, TreeData& tree, const Limits& limits,
                   const ExternalInput& external, Diagnostics& errors)
    : root_node_(root), tree_(tree), limits_(limits), external_(external), errors_(errors) {}

bool Resolver::resolve() {
  const std::size_t errors_before = errors_.size();
  root_ = space_.make_root(&root_node_);
  tree_.root = std::pmr::polymorphic_allocator<>(&tree_.arena).new_object<TreeNode>();
  tree_.root->kind = Kind::object;
  tree_.root->set_children({});
  tree_.root->written = root_node_.span;
  const Outcome root = literal_value(root_node_, *root_);
  root_view_ = root.value->view();
  root_->whole = {.outcome = root, .known = true};
  build_object(*root_view_, *tree_.root, 0).get();
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
Outcome Resolver::literal_value(const Node& node, Slot& slot) {
  Evaluated* value = make_value(kind_of(node.kind), node.span);
  if (node.kind == NodeKind::object) {
    const std::uint32_t definition = slot.is_evaluating ? slot.evaluating_definition : 0;
    const ViewPart* part = space_.make_part({node.object, nullptr, definition}, nullptr);
    value->set_view(space_.make_view(slot, part, node.span));
  } else if (node.kind == NodeKind::array) {
    value->set_literal(node.elements);
  } else {
    value->set_text(node.text);
  }
  return value_outcome(value);
}

// The value of the slot, if it is memoized or no other value is needed for it.
std::optional<Outcome> Resolver::value_if_ready(Slot& slot) {
  if (slot.is_evaluating) return std::nullopt;
  const Outcome* ready = memoized(slot, slot.stack.size());
  if (ready != nullptr && !ready->is_object()) return *ready;
  const Node* top = slot.stack.back().node;
  if (top == nullptr || top->kind == NodeKind::object || !top->pure) return std::nullopt;
  return memoize(slot, slot.stack.size(), literal_value(*top, slot));
}

// ---- stacks -------------------------------------------------------------------------------------

bool Resolver::begin(Slot& slot, bool is_building) {
  if (given_up_) return false;
  if (!reported_.empty() && work_ > work_at_error_ + work_after_error) given_up_ = true;
  if (in_progress_.size() >= limits_.reference_depth) {
    give_up(place_of(slot), "more than " + std::to_string(limits_.reference_depth) +
                                " substitutions wait for each other");
    return false;
  }
  ++evaluations_;
  work_ += work_of_evaluation;
  if (work_ > work_max || space_.slots_made() > limits_.nodes) {
    give_up(place_of(slot), "the substitutions are too complex to be resolved",
            "refer to plain values instead of objects that refer back");
    return false;
  }
  in_progress_.push_back({&slot, is_building, evaluations_});
  for (Slot* parent = slot.parent; parent != nullptr; parent = parent->parent, ++work_)
    ++parent->evaluations_inside;
  return true;
}

void Resolver::end() {
  Slot* slot = in_progress_.back().slot;
  in_progress_.pop_back();
  for (Slot* parent = slot->parent; parent != nullptr; parent = parent->parent)
    --parent->evaluations_inside;
}

const Outcome* Resolver::memoized(const Slot& slot, std::size_t below) const noexcept {
  if (below != slot.stack.size() && slot.partial == nullptr) return nullptr;
  const Memo& memo = below == slot.stack.size() ? slot.whole : slot.partial[below];
  if (!memo.known) return nullptr;
  if (memo.position == Dependencies::none) return &memo.outcome;
  const bool lasts =
      memo.position < in_progress_.size() && in_progress_[memo.position].serial == memo.serial;
  return lasts ? &memo.outcome : nullptr;
}

// Stores an outcome for as long as it is valid.
Outcome Resolver::memoize(Slot& slot, std::size_t below, Outcome outcome) {
  if (below != slot.stack.size() && slot.partial == nullptr) {
    slot.partial = arena_.allocate_object<Memo>(slot.stack.size());
    std::uninitialized_fill_n(slot.partial, slot.stack.size(), Memo());
  }
  Memo& memo = below == slot.stack.size() ? slot.whole : slot.partial[below];
  memo = {.outcome = outcome, .known = true};
  if (outcome.dependencies.any()) {
    memo.position = outcome.dependencies.latest;
    memo.serial = in_progress_[memo.position].serial;
  }
  return outcome;
}

// The value of the slot for the evaluation in progress: that of all definitions, or, while one of
// them is being evaluated, that of the definitions below it.
Descent<Outcome> Resolver::look_up(Slot& slot, Demand demand) {
  if (!slot.is_evaluating) {
    Outcome outcome = co_await evaluate(slot, slot.stack.size(), demand);
    co_return outcome;
  }
  const std::uint32_t since = slot.evaluating_since;
  Outcome outcome;
  if (!slot.is_evaluating_list && slot.evaluating_definition > 0)
    outcome = co_await evaluate(slot, slot.evaluating_definition, demand);
  if (outcome.is_undefined()) outcome.state = State::cyclic;
  outcome.dependencies.add(since);
  co_return outcome;
}

// Whether the entry is a list. Objects above a list hide it, so it need not be evaluated.
bool Resolver::is_list(const StackEntry& entry) noexcept {
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
  return value_outcome(value);
}

// The value of the definitions before `below`, from the top.
Descent<Outcome> Resolver::evaluate(Slot& slot, std::size_t below, Demand demand) {
  const Outcome* ready = memoized(slot, below);
  if (ready != nullptr && (demand == Demand::path || !has_evaluation_inside(*ready)))
    co_return *ready;
  if (!begin(slot, false)) co_return poisoned_outcome();
  const std::uint32_t here = position();
  Gathering gathering;
  Outcome found;
  Dependencies dependencies;
  for (std::size_t i = below; i-- > 0 && !gathering.complete;) {
    const StackEntry& entry = slot.stack[i];
    const bool objects_above = !gathering.parts.empty();
    if (entry.node != nullptr && entry.node->kind == NodeKind::object) {
      gathering.parts.push_back({entry.node->object, nullptr, static_cast<std::uint32_t>(i)});
      continue;
    }
    if (objects_above && is_list(entry)) break;
    Outcome outcome;
    if (entry.node != nullptr && entry.node->pure) {
      if (objects_above) break;
      outcome = literal_value(*entry.node, slot);
    } else {
      outcome = co_await evaluate_definition(slot, i, demand);
    }
    dependencies.add(outcome.dependencies);
    if (outcome.state == State::cyclic && outcome.dependencies.oldest >= here)
      outcome = fail_cycle(outcome, slot);
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
  if (found.is_object() && below == slot.stack.size() && is_fetchable(slot, found)) {
    found = co_await fetch(slot, found);
    dependencies.add(found.dependencies);
  }
  end();
  dependencies.leave(here);
  found.dependencies = dependencies;
  co_return memoize(slot, below, found);
}

// The value of one definition. The slot notes which definition is being evaluated.
Descent<Outcome> Resolver::evaluate_definition(Slot& slot, std::size_t definition, Demand demand) {
  const StackEntry& entry = slot.stack[definition];
  const bool was_evaluating = slot.is_evaluating;
  const bool was_evaluating_list = slot.is_evaluating_list;
  const std::uint32_t old_definition = slot.evaluating_definition;
  const std::uint32_t old_since = slot.evaluating_since;
  slot.is_evaluating = true;
  slot.is_evaluating_list = entry.node != nullptr && entry.node->kind == NodeKind::array;
  slot.evaluating_definition = static_cast<std::uint32_t>(definition);
  slot.evaluating_since = position();
  Outcome outcome;
  const bool linked = entry.link != nullptr;
  const Outcome* ready = linked && !entry.link->is_evaluating
                             ? memoized(*entry.link, entry.link->stack.size())
                             : nullptr;
  if (ready != nullptr) {
    outcome = *ready;
  } else if (linked) {
    outcome = co_await look_up(*entry.link, demand);
  } else if (entry.node->kind == NodeKind::append) {
    outcome = co_await evaluate_appends(slot, definition, demand);
  } else {
    outcome = co_await evaluate_node(*entry.node, slot, demand);
  }
  slot.is_evaluating = was_evaluating;
  slot.is_evaluating_list = was_evaluating_list;
  slot.evaluating_definition = old_definition;
  slot.evaluating_since = old_since;
  co_return outcome;
}

// The list that `key += value` makes: this definition and all such definitions right below it,
// oldest first.
Descent<Outcome> Resolver::evaluate_appends(Slot& slot, std::size_t last, Demand demand) {
  const auto is_append = [&](std::size_t i) {
    return slot.stack[i].node != nullptr && slot.stack[i].node->kind == NodeKind::append;
  };
  std::size_t first = last;
  while (first > 0 && is_append(first - 1) && memoized(slot, first) == nullptr) --first;
  Outcome list;
  if (first > 0) list = co_await evaluate(slot, first, demand);
  for (std::size_t i = first; i <= last; ++i) {
    if (list.is_broken()) break;
    const Node& element = *slot.stack[i].node->appended;
    slot.evaluating_definition = static_cast<std::uint32_t>(i);
    Outcome appended = co_await evaluate_node(element, slot, demand);
    if (appended.is_broken()) {
      list = appended;
      break;
    }
    Dependencies dependencies = list.dependencies;
    dependencies.add(appended.dependencies);
    Evaluated empty;
    empty.kind = Kind::array;
    const Evaluated* before = list.is_undefined() ? &empty : list.value;
    Outcome numbered;
    if (before->kind == Kind::object) {
      numbered = co_await numbered_items(*before);
      dependencies.add(numbered.dependencies);
      if (numbered.is_value()) before = numbered.value;
    }
    if (before->kind != Kind::array) {
      list =
          fail(slot.stack[i].node->span,
               "`+=` needs a list, but the value so far is " + std::string(name_of(before->kind)),
               "set " + to_text(keys_of(slot)) + " to a list first, or use `=`",
               "it was set at " + tree_.files.text_of(before->written.at), codes::join);
      break;
    }
    const std::span<const Evaluated* const> item(&appended.value, appended.is_value() ? 1 : 0);
    list = append_items(*before, item, slot.stack[i].node->span);
    list.dependencies = dependencies;
    if (i < last) memoize(slot, i + 1, list);
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
    outcome = literal_value(node, slot);
  }
  co_return outcome;
}

Descent<Outcome> Resolver::evaluate_array(const Node& node, Slot& slot, Demand demand) {
  auto* items = arena_.new_object<ItemBuffer>();
  Dependencies dependencies;
  for (const Node* element : *node.elements) {
    const bool waits = element->kind != NodeKind::object && !element->pure;
    Outcome outcome;
    if (waits) outcome = co_await evaluate_node(*element, slot, demand);
    else outcome = literal_value(*element, slot);
    dependencies.add(outcome.dependencies);
    if (outcome.is_broken()) co_return outcome;
    if (outcome.is_value()) items->push_back(outcome.value);
  }
  Evaluated* list = make_value(Kind::array, node.span);
  list->set_items(items);
  co_return Outcome{State::value, 0, dependencies, list};
}

// ---- messages -----------------------------------------------------------------------------------

Outcome Resolver::fail(const SourceSpan& at, std::string message, std::string help,
                       std::string note, std::string_view code) {
  if (!is_first_report(at.at, message)) return poisoned_outcome();
  errors_.push_back(coded(
      code, diagnostic_at(tree_.files, at, std::move(message), std::move(help), std::move(note))));
  if (errors_.size() >= limits_.errors) given_up_ = true;
  return poisoned_outcome();
}

// Whether the message has not been reported for this place yet.
bool Resolver::is_first_report(const Origin& at, const std::string& message) {
  if (reported_.empty()) work_at_error_ = work_;
  const std::uint64_t place = (std::uint64_t{at.file} << 32U | at.line) * 1'000'003 + at.column;
  return reported_.emplace(place, message).second;
}

Outcome Resolver::fail_cycle(const Outcome& cyclic, const Slot& slot) {
  // The numbered members of an object that became a list closed the cycle.
  if (cyclic.cycle == 0)
    return fail(place_of(slot), "the value of " + to_text(keys_of(slot)) + " depends on itself");
  const Cycle& cycle = cycles_[cyclic.cycle - 1];
  const std::string path = to_text(cycle.reference->reference->path);
  return fail(cycle.reference->span, "the substitution ${" + path + "} depends on itself",
              "give the key an earlier value to build on, or write ${?" + path + "}", cycle.chain);
}

Outcome Resolver::give_up(const SourceSpan& at, std::string message, std::string help) {
  if (!given_up_) fail(at, std::move(message), std::move(help), {}, codes::limit);
  given_up_ = true;
  return poisoned_outcome();
}

SourceSpan Resolver::place_of(const Slot& slot) noexcept {
  const Node* newest = slot.stack.back().node;
  return newest == nullptr ? SourceSpan() : newest->span;
}

}  // namespace actord::hocon
