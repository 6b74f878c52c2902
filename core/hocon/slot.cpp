// SPDX-License-Identifier: Apache-2.0
#include "hocon/slot.hpp"

#include <algorithm>

namespace actord::hocon {

View* ViewSpace::make_view(Slot& owner, const ViewPart* top, const SourceSpan& written) {
  View* view = arena_.new_object<View>();
  view->owner = &owner;
  view->top = top;
  view->written = written;
  return view;
}

ViewPart* ViewSpace::make_part(const ViewPart& part, const ViewPart* under) {
  auto* made = arena_.new_object<ViewPart>(part);
  made->under = under;
  made->secret_form =
      part.literal != nullptr ? part.literal->secret_form : part.view->secret_form();
  if (made->secret_form == SecretForm::none && under != nullptr)
    made->secret_form = under->secret_form;
  return made;
}

Slot* ViewSpace::make_root(const Node* root) {
  Slot* slot = arena_.new_object<Slot>();
  fill_stack(*slot, root);
  return slot;
}

Slot* ViewSpace::make_slot(View& containing_view, std::string_view key) {
  ++slots_made_;
  Slot* slot = arena_.new_object<Slot>();
  slot->containing_view = &containing_view;
  slot->parent = containing_view.owner;
  slot->key = key;
  return slot;
}

void ViewSpace::fill_stack(Slot& slot, const Node* top) {
  if (top->below == nullptr) {
    slot.only.node = top;
    slot.stack = {&slot.only, 1};
    return;
  }
  std::size_t count = 0;
  for (const Node* node = top; node != nullptr; node = node->below) ++count;
  auto* entries = arena_.allocate_object<StackEntry>(count);
  for (const Node* node = top; node != nullptr; node = node->below)
    entries[--count] = {node, nullptr};
  for (const Node* node = top; node != nullptr; node = node->below) ++count;
  slot.stack = {entries, count};
}

Slot* ViewSpace::slot_of_field(View& view, const ObjectLiteral& literal, std::size_t position) {
  if (view.slots.empty()) {
    auto* slots = arena_.allocate_object<Slot*>(literal.fields.size());
    std::fill_n(slots, literal.fields.size(), nullptr);
    view.slots = {slots, literal.fields.size()};
  }
  Slot*& slot = view.slots[position];
  if (slot == nullptr) {
    slot = make_slot(view, literal.fields[position].key);
    fill_stack(*slot, literal.fields[position].top);
  }
  return slot;
}

Slot* ViewSpace::child(View& view, std::string_view key) {
  if (const ObjectLiteral* literal = view.only_literal()) {
    const std::size_t position = literal->find(key);
    return position == literal->fields.size() ? nullptr : slot_of_field(view, *literal, position);
  }
  enumerate(view);
  const auto found = view.index->find(key);
  return found == view.index->end() ? nullptr : found->second;
}

std::span<Slot* const> ViewSpace::children(View& view) {
  if (const ObjectLiteral* literal = view.only_literal()) {
    for (std::size_t i = 0; i < literal->fields.size(); ++i) slot_of_field(view, *literal, i);
    return view.slots;
  }
  enumerate(view);
  return view.slots;
}

// Views inside come first. There is no recursion, because they may be nested very deep.
void ViewSpace::enumerate(View& view) {
  std::vector<View*> pending = {&view};
  while (!pending.empty()) {
    View& current = *pending.back();
    const std::size_t before = pending.size();
    for (const ViewPart* part = current.top; part != nullptr && !current.enumerated;
         part = part->under) {
      const bool needed =
          part->view != nullptr && part->view->only_literal() == nullptr && !part->view->enumerated;
      if (needed) pending.push_back(part->view);
    }
    if (pending.size() != before) continue;
    pending.pop_back();
    if (!current.enumerated) enumerate_parts(current);
  }
}

void ViewSpace::enumerate_parts(View& view) {
  struct Entry {
    std::uint32_t slot;
    StackEntry entry;
  };
  view.enumerated = true;
  view.index = arena_.new_object<std::pmr::unordered_map<std::string_view, Slot*>>();
  std::vector<const ViewPart*> parts;
  for (const ViewPart* part = view.top; part != nullptr; part = part->under) parts.push_back(part);
  std::reverse(parts.begin(), parts.end());

  std::vector<Slot*> slots;
  std::vector<Entry> entries;  // oldest first, as in the stacks
  std::unordered_map<std::string_view, std::uint32_t> positions;
  const auto position_of = [&](std::string_view key) {
    const auto [at, is_new] = positions.try_emplace(key, static_cast<std::uint32_t>(slots.size()));
    if (is_new) slots.push_back(make_slot(view, key));
    return at->second;
  };
  for (const ViewPart* part : parts) {
    if (part->view != nullptr) {
      for (Slot* slot : children(*part->view)) {
        const bool passes_on = slot->stack.size() == 1 && slot->stack.front().link != nullptr;
        entries.push_back(
            {position_of(slot->key), {nullptr, passes_on ? slot->stack.front().link : slot}});
      }
      continue;
    }
    for (const Field& field : part->literal->fields) {
      const std::uint32_t position = position_of(field.key);
      const std::size_t first = entries.size();
      for (const Node* node = field.top; node != nullptr; node = node->below)
        entries.push_back({position, {node, nullptr}});
      std::reverse(entries.begin() + static_cast<std::ptrdiff_t>(first), entries.end());
    }
  }

  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.slot < b.slot; });
  auto* stacked = arena_.allocate_object<StackEntry>(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) stacked[i] = entries[i].entry;
  for (std::size_t i = 0, end = 0; i < entries.size(); i = end) {
    while (end < entries.size() && entries[end].slot == entries[i].slot) ++end;
    slots[entries[i].slot]->stack = {stacked + i, end - i};
  }
  auto* kept = arena_.allocate_object<Slot*>(slots.size());
  std::copy(slots.begin(), slots.end(), kept);
  view.slots = {kept, slots.size()};
  for (Slot* slot : slots) view.index->emplace(slot->key, slot);
}

}  // namespace actord::hocon
