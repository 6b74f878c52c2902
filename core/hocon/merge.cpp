// SPDX-License-Identifier: Apache-2.0
#include "hocon/merge.hpp"

#include <utility>

namespace actord::hocon {

namespace {

void push_definition(Field& field, Node* value);

// Recursion is bounded by the nesting limit, which was checked when both objects were parsed.
void merge(ObjectLiteral& target, ObjectLiteral& newer) {
  target.pure = target.pure && newer.pure;
  if (newer.secret_form != SecretForm::none) target.secret_form = newer.secret_form;
  for (Field& field : newer.fields) {
    // The stack is moved from its bottom up, so that its lowest object still merges with the top
    // definition in `target`.
    Node* bottom_up = nullptr;
    for (Node* node = field.top; node != nullptr;) {
      Node* below = std::exchange(node->below, bottom_up);
      bottom_up = node;
      node = below;
    }
    Field& field_here = target.at(field.key);
    while (bottom_up != nullptr) {
      Node* next = std::exchange(bottom_up->below, nullptr);
      push_definition(field_here, bottom_up);
      bottom_up = next;
    }
  }
}

void push_definition(Field& field, Node* value) {
  const bool both_objects = field.top != nullptr && field.top->kind == NodeKind::object &&
                            value->kind == NodeKind::object;
  if (both_objects) {
    merge(*field.top->object, *value->object);
    field.top->span = value->span;  // messages point at the newest mention
    return;
  }
  value->below = field.top;
  field.top = value;
}

}  // namespace

void define(ObjectLiteral& target, std::span<const std::string_view> path, Node* value,
            const SourceSpan& key, std::pmr::memory_resource* arena) {
  std::pmr::polymorphic_allocator<> allocator(arena);
  const bool pure = value->is_pure();
  const bool in_passing = path.size() > 1;
  ObjectLiteral* object = &target;
  for (; path.size() > 1; path = path.subspan(1)) {
    object->pure = object->pure && pure;
    Field& field = object->at(path.front());
    if (field.top == nullptr || field.top->kind != NodeKind::object) {
      Node* made = allocator.new_object<Node>();
      made->kind = NodeKind::object;
      made->span = key;
      made->object = allocator.new_object<ObjectLiteral>(arena);
      made->below = field.top;
      field.top = made;
    }
    object = field.top->object;
  }
  object->pure = object->pure && pure;
  object->note_form(path.front(), in_passing);
  push_definition(object->at(path.front()), value);
}

}  // namespace actord::hocon
