// SPDX-License-Identifier: Apache-2.0
//
// The resolver's concatenations: several values on one line become one text, one object or one
// list.
#include <algorithm>
#include <charconv>
#include <utility>

#include "hocon/resolver.hpp"

namespace actord::hocon {

namespace {

bool is_collection(const Evaluated& value) noexcept {
  return value.kind == Kind::object || value.kind == Kind::array;
}

}  // namespace

Outcome Resolver::evaluate_concatenation(const Node& node, Slot& slot, Demand demand) {
  const Elements& elements = *node.elements;
  std::vector<const Evaluated*> pieces(elements.size());
  Dependencies dependencies;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Outcome outcome = evaluate_node(*elements[i], slot, demand);
    dependencies.add(outcome.dependencies);
    if (outcome.is_broken()) return outcome;
    pieces[i] = outcome.is_value() ? outcome.value : nullptr;
  }
  Outcome joined = join(node, slot, pieces);
  joined.dependencies.add(dependencies);
  return joined;
}

// Joins the values of the node's elements; null stands for an undefined one.
Outcome Resolver::join(const Node& node, Slot& slot, std::span<const Evaluated* const> values) {
  std::vector<const Evaluated*> pieces;
  std::vector<const Evaluated*> solid;  // without the blanks in between
  bool collections = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == nullptr) continue;
    pieces.push_back(values[i]);
    if (!(*node.elements)[i]->blank) solid.push_back(values[i]);
    collections = collections || is_collection(*values[i]);
  }
  if (collections) return join_collections(node, slot, solid);
  return pieces.empty() ? Outcome() : join_texts(node, pieces);
}

// The buffer lies in the tree's arena, which frees no memory before its end, so that older views of
// the text stay valid. The capacity is too large for the string object itself (short-string
// optimization), where a growing text would be overwritten.
TextBuffer* Resolver::make_text(std::size_t bytes) {
  constexpr std::size_t capacity_min = 32;
  auto* text = std::pmr::polymorphic_allocator<>(&tree_.arena).new_object<TextBuffer>();
  text->reserve(std::max(bytes, capacity_min));
  return text;
}

Outcome Resolver::join_texts(const Node& node, std::span<const Evaluated* const> pieces) {
  if (pieces.size() == 1) return value_outcome(pieces.front());
  std::size_t bytes = 0;
  for (const Evaluated* piece : pieces) bytes += piece->text().size();
  // If the first piece ends where its buffer ends, the buffer is extended, so that a long chain of
  // appends costs only its length.
  const Evaluated& first = *pieces.front();
  const bool grows = first.buffer() != nullptr && first.buffer()->size() == first.count();
  text_bytes_ += grows ? bytes - first.count() : bytes;
  if (text_bytes_ > limits_.text_bytes) {
    return give_up(node.span, "the joined strings take more than " +
                                  std::to_string(limits_.text_bytes >> 20U) + " MiB");
  }
  auto* buffer = grows ? first.buffer() : make_text(bytes);
  for (const Evaluated* piece : pieces.subspan(grows ? 1 : 0)) {
    const std::size_t begin = piece->buffer() == buffer ? 0 : TextBuffer::npos;
    if (begin == 0) buffer->append(*buffer, 0, piece->count());
    else buffer->append(piece->text());
  }
  Evaluated* value = make_value(Kind::string, node.span);
  value->set_buffer(buffer);
  value->joined_origins = joined_origins_of(pieces);
  return value_outcome(value);
}

// The origins that substitutions brought into a text; null if there are none.
JoinedOrigins* Resolver::joined_origins_of(std::span<const Evaluated* const> pieces) {
  const auto is_substituted = [](const Evaluated* piece) {
    return piece->joined_origins != nullptr || !(piece->source == piece->written.at);
  };
  const auto count =
      static_cast<std::size_t>(std::count_if(pieces.begin(), pieces.end(), is_substituted));
  if (count == 0) return nullptr;
  std::pmr::polymorphic_allocator<> arena(&tree_.arena);
  auto* parts = arena.allocate_object<OriginPart>(count);
  std::size_t i = 0;
  for (const Evaluated* piece : pieces) {
    if (is_substituted(piece)) parts[i++] = {piece->source, piece->joined_origins};
  }
  auto* joined_origins = arena.new_object<JoinedOrigins>(JoinedOrigins{{parts, count}});
  tree_.joined_origins.push_back(joined_origins);
  return joined_origins;
}

Outcome Resolver::mismatch(const Evaluated& piece, const Evaluated& other) {
  const std::string what(name_of(piece.kind));
  std::string note;
  if (!(piece.source == piece.written.at))
    note = "it comes from " + tree_.files.text_of(piece.source);
  return fail(piece.written, what + " cannot be joined to " + std::string(name_of(other.kind)),
              "only strings, only objects or only lists can be joined into one value",
              std::move(note), codes::join);
}

// From left to right, objects are merged and lists are joined. Beside a list, an object with
// numeric keys becomes a list.
Outcome Resolver::join_collections(const Node& node, Slot& slot,
                                   std::span<const Evaluated* const> pieces) {
  Dependencies dependencies;
  const Evaluated* joined = nullptr;
  std::size_t objects = 0;
  while (objects < pieces.size() && pieces[objects]->kind == Kind::object) ++objects;
  if (objects > 0) joined = join_objects(node, slot, pieces.first(objects)).value;
  for (std::size_t i = objects; i < pieces.size(); ++i) {
    const Evaluated* piece = pieces[i];
    // The message points at the first piece that differs from those before it.
    if (!is_collection(*piece)) {
      const auto differs = std::find_if(pieces.begin(), pieces.end(),
                                        [](const auto* other) { return is_collection(*other); });
      return i == 0 ? mismatch(**differs, *piece) : mismatch(*piece, *joined);
    }
    const Evaluated* before = joined == nullptr ? piece : joined;
    for (const Evaluated** side : {&joined, &piece}) {
      if (*side == nullptr || (*side)->kind != Kind::object) continue;
      const Outcome numbered = numbered_items(**side);
      dependencies.add(numbered.dependencies);
      if (numbered.is_undefined()) return mismatch(*piece, *before);
      if (!numbered.is_value()) return numbered;
      *side = numbered.value;
    }
    if (joined == nullptr) {
      joined = piece;
      continue;
    }
    const Outcome appended = append_items(*joined, items_of(*piece, slot), node.span);
    if (!appended.is_value()) return appended;
    joined = appended.value;
  }
  Outcome outcome = value_outcome(joined);
  outcome.dependencies = dependencies;
  return outcome;
}

Outcome Resolver::join_objects(const Node& node, Slot& slot,
                               std::span<const Evaluated* const> pieces) {
  if (pieces.size() == 1) return value_outcome(pieces.front());
  const ViewPart* top = nullptr;
  bool has_all_below = false;
  const auto lay = [&](const ViewPart& part) { top = space_.make_part(part, top); };
  for (const Evaluated* piece : pieces) {
    View* view = piece->view();
    const bool first = top == nullptr;
    if (const ObjectLiteral* literal = view->only_literal();
        literal != nullptr && view->owner == &slot) {
      lay({literal, nullptr, slot.evaluating_definition});
      if (first) has_all_below = view->has_all_below;
    } else if (first && view->owner == &slot) {
      // The older value of the same key: its parts are used as they are.
      top = view->top;
      has_all_below = view->has_all_below;
    } else {
      lay({nullptr, view, slot.evaluating_definition});
    }
  }
  Evaluated* value = make_value(Kind::object, node.span);
  value->set_view(space_.make_view(slot, top, node.span));
  value->view()->has_all_below = has_all_below;
  return value_outcome(value);
}

std::vector<const Evaluated*> Resolver::items_of(const Evaluated& list, Slot& slot) {
  std::vector<const Evaluated*> items;
  items.reserve(list.count());
  if (list.literal() != nullptr) {
    for (const Node* element : *list.literal())
      items.push_back(literal_value(*element, slot).value);
  } else if (list.items() != nullptr) {
    items.assign(list.items()->begin(),
                 list.items()->begin() + static_cast<std::ptrdiff_t>(list.count()));
  }
  return items;
}

// A new list. It shares the buffer of `list` unless that buffer has grown in the meantime.
Outcome Resolver::append_items(const Evaluated& list, std::span<const Evaluated* const> items,
                               const SourceSpan& written) {
  const bool grows = list.items() != nullptr && list.items()->size() == list.count();
  items_ += grows ? items.size() : items.size() + list.count();
  if (items_ > limits_.nodes) {
    return give_up(written, "joined lists have more than " + std::to_string(limits_.nodes) +
                                " elements altogether");
  }
  ItemBuffer* buffer = list.items();
  if (!grows) {
    buffer = arena_.new_object<ItemBuffer>();
    const std::vector<const Evaluated*> before = items_of(list, *root_);
    buffer->assign(before.begin(), before.end());
  }
  buffer->insert(buffer->end(), items.begin(), items.end());
  Evaluated* value = make_value(Kind::array, written);
  value->set_items(buffer);
  return value_outcome(value);
}

// The members with numeric keys, ordered by number.
std::vector<Slot*> Resolver::numbered_members(const Evaluated& object) {
  std::vector<std::pair<std::uint64_t, Slot*>> numbered;
  for (Slot* slot : space_.children(*object.view())) {
    std::uint64_t number = 0;
    const auto [end, failed] =
        std::from_chars(slot->key.data(), slot->key.data() + slot->key.size(), number);
    if (failed == std::errc() && end == slot->key.data() + slot->key.size())
      numbered.emplace_back(number, slot);
  }
  std::stable_sort(numbered.begin(), numbered.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Slot*> members;
  members.reserve(numbered.size());
  for (const auto& [number, slot] : numbered) members.push_back(slot);
  return members;
}

// The members with numeric keys as a list, ordered by number; undefined if there are none.
Outcome Resolver::numbered_items(const Evaluated& object) {
  auto* items = arena_.new_object<ItemBuffer>();
  Dependencies dependencies;
  for (Slot* slot : numbered_members(object)) {
    const Outcome outcome = look_up(*slot, Demand::whole);
    dependencies.add(outcome.dependencies);
    if (outcome.is_broken()) return outcome;
    if (outcome.is_value()) items->push_back(outcome.value);
  }
  if (items->empty()) return no_value(State::undefined, dependencies);
  Evaluated* list = make_value(Kind::array, object.written);
  list->set_items(items);
  return Outcome{State::value, 0, dependencies, list};
}

}  // namespace actord::hocon
