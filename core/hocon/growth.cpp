// SPDX-License-Identifier: Apache-2.0
//
// The resolver's last step: the value of every key, copied into the tree that stays.
//
// What holds no substitution is copied straight from the literals; only the rest passes through
// slots.
#include <algorithm>
#include <utility>

#include "hocon/resolver.hpp"

namespace actord::hocon {

namespace {

/// True when the newest definition alone decides: nothing below can merge into it.
bool is_settled(const Field& field) noexcept {
  const Node& top = *field.top;
  if (!top.is_pure()) return false;
  if (top.kind != NodeKind::object || top.below == nullptr) return true;
  const NodeKind below = top.below->kind;
  return below != NodeKind::reference && below != NodeKind::concatenation;
}

Kind kind_of_scalar(NodeKind kind) noexcept {
  switch (kind) {
    case NodeKind::null: return Kind::null;
    case NodeKind::boolean: return Kind::boolean;
    case NodeKind::number: return Kind::number;
    default: return Kind::string;
  }
}

}  // namespace

// A text that outlives the resolver: in the sources, which the tree keeps, or copied.
std::string_view Resolver::kept(std::string_view text, const Stretch& source) {
  if (text.empty()) return {};
  if (source.at.known()) {
    const std::string& whole = tree_.files[source.at.file].text;
    const bool inside = !std::less<>()(text.data(), whole.data()) &&
                        std::less<>()(text.data(), whole.data() + whole.size());
    if (inside) return text;
  }
  std::pmr::polymorphic_allocator<> arena(&tree_.arena);
  auto* bytes = arena.allocate_object<char>(text.size());
  std::copy(text.begin(), text.end(), bytes);
  return {bytes, text.size()};
}

bool Resolver::deep(const Stretch& at, std::uint32_t depth) {
  if (depth <= limits_.nesting) return false;
  give_up(at, "the resolved configuration nests deeper than " + std::to_string(limits_.nesting) +
                  " levels");
  return true;
}

TreeNode* Resolver::make_child(TreeNode& parent, std::string_view key) {
  if (++nodes_ > limits_.nodes) {
    give_up(parent.written, "the resolved configuration has more than " +
                                std::to_string(limits_.nodes) + " values");
  }
  auto* child = std::pmr::polymorphic_allocator<>(&tree_.arena).new_object<TreeNode>();
  child->parent = &parent;
  child->key = key;
  return child;
}

void Resolver::adopt(TreeNode& parent, std::span<TreeNode* const> children) {
  std::pmr::polymorphic_allocator<> arena(&tree_.arena);
  auto** kept_children = arena.allocate_object<TreeNode*>(children.size());
  std::copy(children.begin(), children.end(), kept_children);
  parent.set_children({kept_children, children.size()});
  for (std::size_t i = 0; i < children.size(); ++i)
    children[i]->position = static_cast<std::uint32_t>(i);
  if (parent.kind != Kind::object || children.size() < TreeData::indexed_from) return;
  auto* index = arena.new_object<KeyIndex>(&tree_.arena);
  for (std::size_t i = 0; i < children.size(); ++i)
    index->insert(children[i]->key, static_cast<std::uint32_t>(i));
  extra_of(parent).index = index;
}

TreeExtra& Resolver::extra_of(TreeNode& node) {
  if (node.extra == nullptr)
    node.extra = std::pmr::polymorphic_allocator<>(&tree_.arena).new_object<TreeExtra>();
  return *node.extra;
}

void Resolver::fill_scalar(TreeNode& into, Kind kind, std::string_view text,
                           const Stretch& source) {
  into.kind = kind;
  into.set_text(kept(text, source));
  into.source = source.at;
}

// ---- without substitutions ----------------------------------------------------------------------

// Recursion is bounded by the nesting that the parser allowed, and by `depth`.
void Resolver::copy(const Node& node, TreeNode& into, std::uint32_t depth) {
  into.written = node.stretch;
  into.source = node.stretch.at;
  if (node.is_scalar()) {
    fill_scalar(into, kind_of_scalar(node.kind), node.text, node.stretch);
    return;
  }
  into.kind = node.kind == NodeKind::object ? Kind::object : Kind::array;
  into.set_children({});
  if (given_up_ || deep(node.stretch, depth)) return;
  if (node.kind == NodeKind::object) {
    copy_fields(*node.object, into, depth);
    return;
  }
  std::vector<TreeNode*> children;
  children.reserve(node.elements->size());
  for (const Node* element : *node.elements) {
    TreeNode* child = make_child(into, {});
    copy(*element, *child, depth + 1);
    children.push_back(child);
  }
  adopt(into, children);
}

void Resolver::copy_fields(const ObjectLiteral& literal, TreeNode& into, std::uint32_t depth) {
  std::vector<TreeNode*> children;
  children.reserve(literal.fields.size());
  for (const Field& field : literal.fields) {
    TreeNode* child = make_child(into, kept(field.key, into.written));
    copy_field(field, *child, depth + 1);
    children.push_back(child);
  }
  adopt(into, children);
}

void Resolver::copy_field(const Field& field, TreeNode& into, std::uint32_t depth) {
  copy(*field.top, into, depth);
  note_overridden(field.top->below, into);
}

void Resolver::note_overridden(const Node* hidden, TreeNode& into) {
  std::size_t count = 0;
  for (const Node* node = hidden; node != nullptr; node = node->below) ++count;
  if (count == 0) return;
  auto* stretches = std::pmr::polymorphic_allocator<>(&tree_.arena).allocate_object<Stretch>(count);
  extra_of(into).overridden = {stretches, count};
  for (const Node* node = hidden; node != nullptr; node = node->below) *stretches++ = node->stretch;
}

// ---- by way of slots ----------------------------------------------------------------------------

void Resolver::note_overridden(const Slot& slot, TreeNode& into) {
  if (slot.stack.size() < 2 || into.kind == Kind::object) return;
  std::vector<Stretch> stretches;
  for (auto entry = slot.stack.rbegin(); entry != slot.stack.rend(); ++entry) {
    Stretch stretch;
    if (entry->node != nullptr) stretch = entry->node->stretch;
    const Outcome* linked =
        entry->link == nullptr ? nullptr : known(*entry->link, entry->link->stack.size());
    if (linked != nullptr && linked->is_value()) stretch = linked->value->written;
    if (stretch.at.known() && !(stretch.at == into.written.at)) stretches.push_back(stretch);
  }
  if (stretches.empty()) return;
  auto* kept_stretches =
      std::pmr::polymorphic_allocator<>(&tree_.arena).allocate_object<Stretch>(stretches.size());
  std::copy(stretches.begin(), stretches.end(), kept_stretches);
  extra_of(into).overridden = {kept_stretches, stretches.size()};
}

// The value of a slot into its node. False when there is no value.
Descent<bool> Resolver::grow_slot(Slot& slot, TreeNode& into, std::uint32_t depth) {
  if (slot.growing) {
    fail(into.parent->written, "an object that contains itself",
         "refer to some of its keys instead of the whole");
    co_return false;
  }
  if (!begin(slot, true)) co_return false;
  slot.growing = true;
  Outcome outcome;
  if (const std::optional<Outcome> ready = at_once(slot)) outcome = *ready;
  else outcome = co_await evaluate(slot, slot.stack.size(), Demand::whole);
  if (outcome.state == State::cyclic) fail_circle(*outcome.cycle);
  if (outcome.is_value()) {
    const bool grown = co_await grow(*outcome.value, into, depth);
    static_cast<void>(grown);
    note_overridden(slot, into);
  }
  slot.growing = false;
  end();
  co_return outcome.is_value();
}

Descent<bool> Resolver::grow(const Evaluated& value, TreeNode& into, std::uint32_t depth) {
  into.written = value.written;
  into.source = value.source.at;
  into.kind = value.kind;
  if (value.kind != Kind::object && value.kind != Kind::array) {
    fill_scalar(into, value.kind, value.text(), value.source);
    co_return true;
  }
  into.set_children({});
  if (given_up_ || deep(value.written, depth)) co_return false;
  if (value.kind == Kind::object) {
    const bool grown = co_await grow_object(*value.view, into, depth);
    co_return grown;
  }
  std::vector<TreeNode*> children;
  children.reserve(value.count);
  for (std::size_t i = 0; i < value.count && !given_up_; ++i) {
    TreeNode* child = make_child(into, {});
    children.push_back(child);
    if (value.literal != nullptr) {
      copy(*(*value.literal)[i], *child, depth + 1);
      continue;
    }
    const Evaluated& item = *(*value.items)[i];
    const bool grown = co_await grow(item, *child, depth + 1);
    static_cast<void>(grown);
  }
  adopt(into, children);
  co_return true;
}

Descent<bool> Resolver::grow_object(View& whole, TreeNode& into, std::uint32_t depth) {
  View* view = &whole;
  while (View* same = view->only_view()) view = same;
  const ObjectLiteral* literal = view->only_literal();
  if (literal != nullptr && literal->pure) {
    copy_fields(*literal, into, depth);
    co_return true;
  }
  const std::size_t count =
      literal != nullptr ? literal->fields.size() : space_.children(*view).size();
  std::vector<TreeNode*> children;
  children.reserve(count);
  for (std::size_t i = 0; i < count && !given_up_; ++i) {
    if (literal != nullptr && is_settled(literal->fields[i])) {
      TreeNode* child =
          make_child(into, kept(literal->fields[i].key, literal->fields[i].top->stretch));
      copy_field(literal->fields[i], *child, depth + 1);
      children.push_back(child);
      continue;
    }
    Slot& slot =
        literal != nullptr ? *space_.child(*view, literal->fields[i].key) : *view->slots[i];
    TreeNode* child = make_child(into, {});
    const bool grown = co_await grow_slot(slot, *child, depth + 1);
    if (!grown) continue;
    child->key = kept(slot.key, child->written);
    children.push_back(child);
  }
  adopt(into, children);
  co_return true;
}

}  // namespace actord::hocon
