// SPDX-License-Identifier: Apache-2.0
#include "hocon/resolver.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "base/native_stack.hpp"
#include "hocon/key_path.hpp"

namespace actord::hocon {

namespace {

// Steps of work, some nanoseconds each; far more than a normal configuration needs.
constexpr std::uint64_t work_max = 80'000'000;
// The work that may follow the first error, to find more errors.
constexpr std::uint64_t work_after_error = 5'000'000;
constexpr std::uint64_t work_of_evaluation = 5;
// Bytes of the stack, far more than one evaluation takes.
constexpr std::size_t evaluation_room = 1U << 20U;

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
  // Below the lowest position there is room for the recursion of one evaluation, which
  // `Limits::nesting` and the length of a path bound, and for its messages.
  const std::size_t left = base::stack_left();
  lowest_position_ = base::stack_position() - left + std::min(evaluation_room, left / 2);
  root_ = space_.make_root(&root_node_);
  tree_.root = std::pmr::polymorphic_allocator<>(&tree_.arena).new_object<TreeNode>();
  tree_.root->kind = Kind::object;
  tree_.root->set_children({});
  tree_.root->written = root_node_.span;
  const Outcome root = literal_value(root_node_, *root_);
  root_view_ = root.value->view();
  root_->whole = {.outcome = root, .known = true};
  build_object(*root_view_, *tree_.root, 0);
  ACTORD_ASSERT(in_progress_.empty());
  return errors_.size() == errors_before && !given_up_;
}

// ---- values that need no other ------------------------------------------------------------------

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

// ---- stacks -------------------------------------------------------------------------------------

bool Resolver::begin(Slot& slot, bool is_building) {
  if (given_up_) return false;
  if (!reported_.empty() && work_ > work_at_error_ + work_after_error) given_up_ = true;
  const bool fits = base::stack_position() >= lowest_position_;
  if (in_progress_.size() >= limits_.reference_depth || !fits) {
    give_up(
        place_of(slot),
        "more than " + std::to_string(in_progress_.size()) + " substitutions wait for each other",
        fits ? "" : "there is no room for more on the stack of this thread (ulimit -s)");
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
const Outcome& Resolver::memoize(Slot& slot, std::size_t below, const Outcome& outcome) {
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
  return memo.outcome;
}

// The value of the slot for the evaluation in progress: that of all definitions, or, while one of
// them is being evaluated, that of the definitions below it.
Outcome Resolver::look_up(Slot& slot, Demand demand) {
  if (!slot.is_evaluating) return evaluate(slot, slot.stack.size(), demand);
  const std::uint32_t since = slot.evaluating_since;
  const bool has_older = !slot.is_evaluating_list && slot.evaluating_definition > 0;
  Outcome outcome = has_older ? evaluate(slot, slot.evaluating_definition, demand) : Outcome();
  if (outcome.is_undefined()) outcome.state = State::cyclic;
  outcome.dependencies.add(since);
  return outcome;
}

// Adds definition `definition` if no other value is needed for it. If the definitions above hide
// it, the value is complete. False if it must be evaluated first.
bool Resolver::gather_literal(Gathering& gathering, Slot& slot, std::size_t definition) {
  const Node* node = slot.stack[definition].node;
  if (node == nullptr) return false;
  if (node->kind == NodeKind::object) {
    gathering.parts.push_back({node->object, nullptr, static_cast<std::uint32_t>(definition)});
    return true;
  }
  const bool is_list = node->kind == NodeKind::array || node->kind == NodeKind::append;
  if (!gathering.parts.empty() && (is_list || node->pure)) {
    gathering.complete = true;  // objects hide whatever is no object
    return true;
  }
  if (node->pure) gather(gathering, slot, literal_value(*node, slot), definition);
  return node->pure;
}

// Adds the value of definition `definition`.
void Resolver::gather(Gathering& gathering, Slot& slot, Outcome outcome, std::size_t definition) {
  gathering.dependencies.add(outcome.dependencies);
  if (outcome.state == State::cyclic && outcome.dependencies.oldest >= gathering.position)
    outcome = fail_cycle(outcome, slot);
  if (outcome.is_undefined()) return;
  if (outcome.is_object()) return gather_object(gathering, slot, outcome, definition);
  const bool is_cyclic = outcome.state == State::cyclic;
  if (is_cyclic || outcome.state == State::poisoned || gathering.parts.empty())
    gathering.found = outcome;
  if (outcome.state == State::poisoned) gathering.parts.clear();
  // If the cycle closes further out, an older definition here may break it.
  gathering.complete = !is_cyclic;
}

void Resolver::gather_object(Gathering& gathering, Slot& slot, const Outcome& object,
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

void Resolver::make_object(Gathering& gathering, Slot& slot) {
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
  gathering.found = value_outcome(value);
}

// The value of the definitions before `below` if it is memoized or needs no other value, else null.
const Outcome* Resolver::value_if_ready(Slot& slot, std::size_t below, Demand demand) {
  const Outcome* ready = memoized(slot, below);
  if (ready != nullptr && (demand == Demand::path || !has_evaluation_inside(*ready))) return ready;
  const Node* newest = slot.stack[below - 1].node;
  if (newest == nullptr || newest->kind == NodeKind::object || !newest->pure) return nullptr;
  return &memoize(slot, below, literal_value(*newest, slot));
}

// The value of the definitions before `below`, from the top.
Outcome Resolver::evaluate(Slot& slot, std::size_t below, Demand demand) {
  const Outcome* ready = value_if_ready(slot, below, demand);
  if (ready != nullptr) return *ready;
  if (!begin(slot, false)) return poisoned_outcome();
  Gathering gathering{.position = position()};
  const std::size_t vanished_before = vanished_.size();
  for (std::size_t i = below; i-- > 0 && !gathering.complete;) {
    if (!gather_literal(gathering, slot, i))
      gather(gathering, slot, evaluate_definition(slot, i, demand), i);
  }
  if (!gathering.parts.empty() || gathering.base != nullptr) make_object(gathering, slot);
  if (below == slot.stack.size() && is_fetchable(slot, gathering.found)) fetch(gathering, slot);
  end();
  gathering.dependencies.leave(gathering.position);
  if (gathering.found.is_undefined())
    note_second_look_ups(vanished_before, gathering.position, gathering.dependencies);
  // Below the top, the notes wait for the value of the whole slot.
  if (below == slot.stack.size())
    end_notes(vanished_before, gathering.position, gathering.found.is_undefined());
  gathering.found.dependencies = gathering.dependencies;
  return memoize(slot, below, gathering.found);
}

// The value of one definition. The slot notes which definition is being evaluated.
Outcome Resolver::evaluate_definition(Slot& slot, std::size_t definition, Demand demand) {
  const StackEntry& entry = slot.stack[definition];
  const bool was_evaluating = slot.is_evaluating;
  const bool was_evaluating_list = slot.is_evaluating_list;
  const std::uint32_t old_definition = slot.evaluating_definition;
  const std::uint32_t old_since = slot.evaluating_since;
  slot.is_evaluating = true;
  slot.is_evaluating_list = entry.node != nullptr && entry.node->kind == NodeKind::array;
  slot.evaluating_definition = static_cast<std::uint32_t>(definition);
  slot.evaluating_since = position();
  const Outcome* ready = entry.link != nullptr && !entry.link->is_evaluating
                             ? memoized(*entry.link, entry.link->stack.size())
                             : nullptr;
  const bool is_append = entry.node != nullptr && entry.node->kind == NodeKind::append;
  const Outcome outcome = ready != nullptr        ? *ready
                          : entry.link != nullptr ? look_up(*entry.link, demand)
                          : is_append             ? evaluate_appends(slot, definition, demand)
                                                  : evaluate_node(*entry.node, slot, demand);
  slot.is_evaluating = was_evaluating;
  slot.is_evaluating_list = was_evaluating_list;
  slot.evaluating_definition = old_definition;
  slot.evaluating_since = old_since;
  return outcome;
}

// The list that `key += value` makes: this definition and all such definitions right below it,
// oldest first.
Outcome Resolver::evaluate_appends(Slot& slot, std::size_t last, Demand demand) {
  const auto is_append = [&](std::size_t i) {
    return slot.stack[i].node != nullptr && slot.stack[i].node->kind == NodeKind::append;
  };
  std::size_t first = last;
  while (first > 0 && is_append(first - 1) && memoized(slot, first) == nullptr) --first;
  Outcome list = first > 0 ? evaluate(slot, first, demand) : Outcome();
  for (std::size_t i = first; i <= last && !list.is_broken(); ++i) {
    slot.evaluating_definition = static_cast<std::uint32_t>(i);
    append(list, evaluate_node(*slot.stack[i].node->appended, slot, demand), slot, i);
    if (i < last && list.is_value()) memoize(slot, i + 1, list);
  }
  return list;
}

// Appends the value of definition `definition` to the list. An object with numeric keys becomes a
// list first.
void Resolver::append(Outcome& list, const Outcome& appended, Slot& slot, std::size_t definition) {
  if (appended.is_broken()) {
    list = appended;
    return;
  }
  Dependencies dependencies = list.dependencies;
  dependencies.add(appended.dependencies);
  if (list.is_object()) {
    const Outcome numbered = numbered_items(*list.value);
    dependencies.add(numbered.dependencies);
    if (numbered.is_value()) list = numbered;
  }
  const SourceSpan& written = slot.stack[definition].node->span;
  if (list.is_undefined()) list.value = make_value(Kind::array, written);
  if (list.value->kind != Kind::array) {
    list = fail_append(*list.value, slot, written);
    return;
  }
  const std::span<const Evaluated* const> item(&appended.value, appended.is_value() ? 1 : 0);
  list = append_items(*list.value, item, written);
  list.dependencies = dependencies;
}

Outcome Resolver::evaluate_node(const Node& node, Slot& slot, Demand demand) {
  if (node.kind == NodeKind::reference) return evaluate_reference(node, slot, demand);
  if (node.kind == NodeKind::concatenation) return evaluate_concatenation(node, slot, demand);
  if (node.kind == NodeKind::array && !node.pure) return evaluate_array(node, slot, demand);
  return literal_value(node, slot);
}

Outcome Resolver::evaluate_array(const Node& node, Slot& slot, Demand demand) {
  auto* items = arena_.new_object<ItemBuffer>();
  Dependencies dependencies;
  for (const Node* element : *node.elements) {
    const Outcome outcome = evaluate_node(*element, slot, demand);
    dependencies.add(outcome.dependencies);
    if (outcome.is_broken()) return outcome;
    if (outcome.is_value()) items->push_back(outcome.value);
  }
  Evaluated* list = make_value(Kind::array, node.span);
  list->set_items(items);
  return Outcome{State::value, 0, dependencies, list};
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

Outcome Resolver::fail_append(const Evaluated& before, const Slot& slot, const SourceSpan& at) {
  return fail(at, "`+=` needs a list, but the value so far is " + std::string(name_of(before.kind)),
              "set " + to_text(keys_of(slot)) + " to a list first, or use `=`",
              "it was set at " + tree_.files.text_of(before.written.at), codes::join);
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
