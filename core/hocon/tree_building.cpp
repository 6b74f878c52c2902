// SPDX-License-Identifier: Apache-2.0
//
// The resolver's last step: copies the value of every key into the resolved tree.
//
// Values without substitutions are copied straight from the literals; only the others go through
// slots.
#include <algorithm>
#include <memory>
#include <utility>

#include "hocon/resolver.hpp"

namespace actord::hocon {

namespace {

/// Whether the newest definition alone gives the value: nothing below can be merged into it.
bool is_decided_by_top(const Field& field) noexcept {
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

// A text that outlives the resolver: it lies in the sources, which the tree keeps, or is copied.
std::string_view Resolver::text_for_tree(std::string_view text, const Origin& source) {
  if (text.empty()) return {};
  if (source.known()) {
    const std::string& whole = tree_.files[source.file].text;
    const bool inside = !std::less<>()(text.data(), whole.data()) &&
                        std::less<>()(text.data(), whole.data() + whole.size());
    if (inside) return text;
  }
  std::pmr::polymorphic_allocator<> arena(&tree_.arena);
  auto* bytes = arena.allocate_object<char>(text.size());
  std::copy(text.begin(), text.end(), bytes);
  return {bytes, text.size()};
}

bool Resolver::is_too_deep(const SourceSpan& at, std::uint32_t depth) {
  if (depth <= limits_.nesting) return false;
  give_up(at, "the resolved configuration nests deeper than " + std::to_string(limits_.nesting) +
                  " levels");
  return true;
}

// Allocates at most `count` children; false, without any, if the tree would be too large.
bool Resolver::allocate_children(TreeNode& parent, std::size_t count, Children& children) {
  nodes_ += count;
  if (nodes_ > limits_.nodes) {
    give_up(parent.written, "the resolved configuration has more than " +
                                std::to_string(limits_.nodes) + " values");
    return false;
  }
  children = {std::pmr::polymorphic_allocator<>(&tree_.arena).allocate_object<TreeNode>(count), 0};
  return true;
}

// Constructs the next child. It belongs to the parent once `children` counts it; until then its
// place may be reused.
TreeNode& Resolver::next_child(TreeNode& parent, const Children& children) {
  TreeNode* child = std::construct_at(children.first + children.count);
  child->parent = &parent;
  return *child;
}

void Resolver::adopt(TreeNode& parent, const Children& children) {
  parent.set_children({children.first, children.count});
  if (parent.kind != Kind::object || children.count < TreeData::indexed_from) return;
  auto* index = std::pmr::polymorphic_allocator<>(&tree_.arena).new_object<KeyIndex>(&tree_.arena);
  index->reserve(children.count);
  for (const TreeNode& child : parent.children())
    index->insert(child.key(), static_cast<std::uint32_t>(child.position()));
  extra_of(parent).index = index;
}

TreeExtra& Resolver::extra_of(TreeNode& node) {
  if (node.extra == nullptr)
    node.extra = std::pmr::polymorphic_allocator<>(&tree_.arena).new_object<TreeExtra>();
  return *node.extra;
}

void Resolver::fill_scalar(TreeNode& into, Kind kind, std::string_view text, const Origin& source) {
  into.kind = kind;
  into.set_text(text);
  if (!(source == into.written.at)) extra_of(into).source = source;
}

// ---- without substitutions ----------------------------------------------------------------------

// Recursion is bounded by `depth`, and by the nesting that the parser allowed.
void Resolver::copy(const Node& node, TreeNode& into, std::uint32_t depth) {
  into.written = node.span;
  if (node.is_scalar()) {
    fill_scalar(into, kind_of_scalar(node.kind), text_for_tree(node.text, node.span.at),
                node.span.at);
    return;
  }
  into.kind = node.kind == NodeKind::object ? Kind::object : Kind::array;
  into.set_children({});
  if (given_up_ || is_too_deep(node.span, depth)) return;
  if (node.kind == NodeKind::object) {
    into.secret_form = node.object->secret_form;
    copy_fields(*node.object, into, depth);
    return;
  }
  Children children;
  if (!allocate_children(into, node.elements->size(), children)) return;
  for (const Node* element : *node.elements) {
    copy(*element, next_child(into, children), depth + 1);
    ++children.count;
  }
  adopt(into, children);
}

void Resolver::copy_fields(const ObjectLiteral& literal, TreeNode& into, std::uint32_t depth) {
  Children children;
  if (!allocate_children(into, literal.fields.size(), children)) return;
  for (const Field& field : literal.fields) {
    copy_field(field, next_child(into, children), depth + 1);
    ++children.count;
  }
  adopt(into, children);
}

void Resolver::copy_field(const Field& field, TreeNode& into, std::uint32_t depth) {
  into.set_key(text_for_tree(field.key, field.top->span.at));
  copy(*field.top, into, depth);
  note_overridden(field.top->below, into);
}

void Resolver::note_overridden(const Node* hidden, TreeNode& into) {
  std::size_t count = 0;
  for (const Node* node = hidden; node != nullptr; node = node->below) ++count;
  if (count == 0) return;
  auto* spans = std::pmr::polymorphic_allocator<>(&tree_.arena).allocate_object<SourceSpan>(count);
  extra_of(into).overridden = {spans, count};
  for (const Node* node = hidden; node != nullptr; node = node->below) *spans++ = node->span;
}

// ---- by way of slots ----------------------------------------------------------------------------

void Resolver::note_overridden(const Slot& slot, TreeNode& into) {
  if (slot.stack.size() < 2 || into.kind == Kind::object) return;
  std::vector<SourceSpan> spans;
  for (auto entry = slot.stack.rbegin(); entry != slot.stack.rend(); ++entry) {
    SourceSpan span;
    if (entry->node != nullptr) span = entry->node->span;
    const Outcome* linked =
        entry->link == nullptr ? nullptr : memoized(*entry->link, entry->link->stack.size());
    if (linked != nullptr && linked->is_value()) span = linked->value->written;
    if (span.at.known() && !(span.at == into.written.at)) spans.push_back(span);
  }
  if (spans.empty()) return;
  auto* kept_spans =
      std::pmr::polymorphic_allocator<>(&tree_.arena).allocate_object<SourceSpan>(spans.size());
  std::copy(spans.begin(), spans.end(), kept_spans);
  extra_of(into).overridden = {kept_spans, spans.size()};
}

// Copies the value of a slot into its node. False if the slot has no value.
bool Resolver::build_slot(Slot& slot, TreeNode& into, std::uint32_t depth) {
  if (slot.is_building) {
    fail(into.parent->written, "an object that contains itself",
         "refer to some of its keys instead of the whole");
    return false;
  }
  if (!begin(slot, true)) return false;
  slot.is_building = true;
  const Outcome outcome = evaluate(slot, slot.stack.size(), Demand::whole);
  if (outcome.state == State::cyclic) fail_cycle(outcome, slot);
  if (outcome.is_value()) {
    build_value(*outcome.value, into, depth);
    note_overridden(slot, into);
  }
  slot.is_building = false;
  end();
  return outcome.is_value();
}

void Resolver::build_value(const Evaluated& value, TreeNode& into, std::uint32_t depth) {
  into.written = value.written;
  into.kind = value.kind;
  if (value.kind != Kind::object && value.kind != Kind::array) {
    const bool lies_in_tree = value.buffer() != nullptr;
    fill_scalar(into, value.kind,
                lies_in_tree ? value.text() : text_for_tree(value.text(), value.source),
                value.source);
    if (value.joined_origins != nullptr) extra_of(into).joined_origins = value.joined_origins;
    return;
  }
  if (!(value.source == value.written.at)) extra_of(into).source = value.source;
  into.set_children({});
  if (given_up_ || is_too_deep(value.written, depth)) return;
  if (value.kind == Kind::object) {
    into.secret_form = value.view()->secret_form();
    return build_object(*value.view(), into, depth);
  }
  Children children;
  if (!allocate_children(into, value.count(), children)) return;
  for (; children.count < value.count() && !given_up_; ++children.count) {
    TreeNode& child = next_child(into, children);
    if (value.literal() != nullptr) {
      copy(*(*value.literal())[children.count], child, depth + 1);
      continue;
    }
    const Evaluated& item = *(*value.items())[children.count];
    build_value(item, child, depth + 1);
  }
  adopt(into, children);
}

void Resolver::build_object(View& whole, TreeNode& into, std::uint32_t depth) {
  View* view = &whole;
  bool secrets = may_contain_secrets(*view->owner);
  for (View* same = view->only_view(); same != nullptr && !secrets; same = view->only_view()) {
    view = same;
    secrets = may_contain_secrets(*view->owner);
  }
  const ObjectLiteral* literal = view->only_literal();
  if (literal != nullptr && literal->pure && !secrets) {
    copy_fields(*literal, into, depth);
    return;
  }
  const std::size_t count =
      literal != nullptr ? literal->fields.size() : space_.children(*view).size();
  Children children;
  if (!allocate_children(into, count, children)) return;
  for (std::size_t i = 0; i < count && !given_up_; ++i) {
    TreeNode& child = next_child(into, children);
    const bool is_copied = literal != nullptr && is_decided_by_top(literal->fields[i]) &&
                           !(secrets && may_contain_secrets(*view->owner, literal->fields[i].key));
    if (is_copied) {
      copy_field(literal->fields[i], child, depth + 1);
      ++children.count;
      continue;
    }
    Slot& slot =
        literal != nullptr ? *space_.child(*view, literal->fields[i].key) : *view->slots[i];
    if (!build_slot(slot, child, depth + 1)) continue;
    child.set_key(text_for_tree(slot.key, child.written.at));
    ++children.count;
  }
  adopt(into, children);
}

}  // namespace actord::hocon
