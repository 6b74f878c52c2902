// SPDX-License-Identifier: Apache-2.0
//
// What the resolver works on: the tree as it will be, made as far as somebody has looked.
//
// A View is an object: parts laid upon each other, literals and other views. A Slot is one key of a
// view: the stack of everything that its parts say about the key, and the value of that stack once
// it is known. A part that is a view puts the slot of that view on the stack, so that each
// definition is evaluated in one place only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hocon/node.hpp"
#include "hocon/tree.hpp"

namespace actord::hocon {

struct View;
struct Evaluated;
struct Blend;

/// Text in the tree's arena that grows at its end while shorter prefixes of it stay valid values.
using TextBuffer = std::pmr::string;
using ItemBuffer = std::pmr::vector<const Evaluated*>;

/// A value found, objects only as far as their parts. Never changed once made.
struct Evaluated {
  Kind kind = Kind::null;
  SourceSpan written;      // where it stands as a definition, element or piece
  Origin source;           // where its text comes from
  Blend* blend = nullptr;  // what substitutions brought into a joined text

  Evaluated() : text_(nullptr) {}

  std::string_view text() const noexcept {
    if (form_ == Form::buffer) return std::string_view(*buffer_).substr(0, count_);
    return form_ == Form::text ? std::string_view(text_, count_) : std::string_view();
  }
  /// A text that may grow: its first count() bytes are this one.
  TextBuffer* buffer() const noexcept { return form_ == Form::buffer ? buffer_ : nullptr; }
  /// The elements of a list without any substitution.
  const Elements* literal() const noexcept { return form_ == Form::literal ? literal_ : nullptr; }
  /// The elements of any other list: the first count() of these.
  ItemBuffer* items() const noexcept { return form_ == Form::items ? items_ : nullptr; }
  View* view() const noexcept { return form_ == Form::view ? view_ : nullptr; }
  /// Bytes of a text, elements of a list.
  std::size_t count() const noexcept { return count_; }

  void set_text(std::string_view text) noexcept {
    set(Form::text, text.size()), text_ = text.data();
  }
  void set_buffer(TextBuffer* text) noexcept { set(Form::buffer, text->size()), buffer_ = text; }
  void set_literal(const Elements* list) noexcept {
    set(Form::literal, list->size()), literal_ = list;
  }
  void set_items(ItemBuffer* list) noexcept { set(Form::items, list->size()), items_ = list; }
  void set_view(View* view) noexcept { set(Form::view, 0), view_ = view; }

 private:
  enum class Form : std::uint8_t { text, buffer, literal, items, view };

  void set(Form form, std::size_t count) noexcept {
    form_ = form;
    count_ = static_cast<std::uint32_t>(count);
  }

  Form form_ = Form::text;
  std::uint32_t count_ = 0;
  union {
    const char* text_;
    TextBuffer* buffer_;
    const Elements* literal_;
    ItemBuffer* items_;
    View* view_;
  };
};

/// Why a substitution came back to where it started, kept until it is known whether looking back
/// helps.
struct Cycle {
  const Node* reference = nullptr;
  std::string chain;  // "a needs b needs a"
};

/// Which evaluations in progress shaped an answer, by their positions. It holds as long as all of
/// them last.
struct Reliance {
  static constexpr std::uint32_t nothing = UINT32_MAX;

  std::uint32_t oldest = nothing;
  std::uint32_t latest = 0;

  bool any() const noexcept { return oldest != nothing; }
  void add(std::uint32_t position) noexcept {
    oldest = std::min(oldest, position);
    latest = std::max(latest, position);
  }
  void add(const Reliance& other) noexcept {
    oldest = std::min(oldest, other.oldest);
    latest = std::max(latest, other.latest);
  }
  /// What remains of it outside the evaluation at `here`.
  void leave(std::uint32_t here) noexcept {
    if (oldest >= here) *this = {};
    else latest = std::min(latest, here - 1);
  }
};

/// The answer to "what is this?".
struct Outcome {
  enum class State : std::uint8_t {
    undefined,  // nothing is there, and that may be all right
    value,
    cyclic,    // nothing is there because of a circle that only looking back could break
    poisoned,  // an error, already reported
  };

  State state = State::undefined;
  // when cyclic: which, as Resolver::cycle_at() numbers them; 0: not known
  std::uint32_t cycle = 0;
  Reliance reliance;
  const Evaluated* value = nullptr;

  bool is_value() const noexcept { return state == State::value; }
  bool is_object() const noexcept { return is_value() && value->kind == Kind::object; }
  bool is_undefined() const noexcept { return state == State::undefined; }
  /// Neither a value nor the plain absence of one: nothing can be made of it.
  bool is_broken() const noexcept { return state == State::cyclic || state == State::poisoned; }
};

/// An answer kept: for good, or while the evaluation that it relies on lasts.
struct Memo {
  Outcome outcome;
  std::uint64_t serial = 0;
  std::uint32_t position = Reliance::nothing;
  bool known = false;
};

struct Slot;

/// One entry of a stack: a definition as written, or the same key of another view.
struct StackEntry {
  const Node* node = nullptr;
  Slot* link = nullptr;
};

struct Slot {
  View* home = nullptr;   // null for the root
  Slot* above = nullptr;  // home's owner: the way up is walked all the time
  std::string_view key;
  std::span<const StackEntry> stack;  // oldest first
  StackEntry only;                    // what `stack` shows when there is one definition

  Memo whole;               // of the whole stack
  Memo* partial = nullptr;  // [i]: of the definitions below i; allocated when somebody looks back

  // While one of the definitions is being evaluated: which, and by which evaluation in progress.
  // Closed: it is a list literal, from inside which nothing of the slot is visible.
  bool marked = false;
  bool marked_closed = false;
  bool fetching = false;  // it stands for a secret, whose name is being evaluated
  bool growing = false;   // its value is being copied into the tree
  std::uint32_t marked_at = 0;
  std::uint32_t marked_since = 0;

  std::uint32_t inside = 0;  // evaluations in progress somewhere beneath this slot
};

struct ViewPart {
  const ObjectLiteral* literal = nullptr;  // either this
  View* view = nullptr;                    // or this
  std::uint32_t definition = 0;            // of the owner, by which the part came in
  const ViewPart* under = nullptr;
  SecretForm secret_form = SecretForm::none;  // the newest of the part and those under it
};

struct View {
  Slot* owner = nullptr;  // whose value this is, or in whose list or concatenation it stands
  const ViewPart* top = nullptr;
  SourceSpan written;
  bool has_all_below = false;  // all that the owner's older definitions say is among the parts

  SecretForm secret_form() const noexcept {
    return top == nullptr ? SecretForm::none : top->secret_form;
  }

  bool enumerated = false;
  std::span<Slot*>
      slots;  // in order of first definition; entries null until looked at when one literal
  std::pmr::unordered_map<std::string_view, Slot*>* index = nullptr;

  /// The literal, when the view is nothing but one.
  const ObjectLiteral* only_literal() const noexcept {
    return top != nullptr && top->under == nullptr ? top->literal : nullptr;
  }
  /// The other view, when this one is nothing but that.
  View* only_view() const noexcept {
    return top != nullptr && top->under == nullptr ? top->view : nullptr;
  }
};

/// Makes slots and views and knows their members.
class ViewSpace {
 public:
  explicit ViewSpace(std::pmr::memory_resource* arena) : arena_(arena) {}

  View* make_view(Slot& owner, const ViewPart* top, const SourceSpan& written);
  /// A part upon those under it.
  ViewPart* make_part(const ViewPart& part, const ViewPart* under);
  Slot* make_root(const Node* root);

  /// The slot of a key, or null.
  Slot* child(View& view, std::string_view key);
  /// All slots, in order of first definition.
  std::span<Slot* const> children(View& view);

  /// How many slots there are: they are what a hostile file could make many of.
  std::uint64_t slots_made() const noexcept { return slots_made_; }

 private:
  Slot* make_slot(View& home, std::string_view key);
  Slot* slot_of_field(View& view, const ObjectLiteral& literal, std::size_t position);
  void fill_stack(Slot& slot, const Node* top);
  void enumerate(View& view);
  void enumerate_parts(View& view);

  std::pmr::polymorphic_allocator<> arena_;
  std::uint64_t slots_made_ = 0;
};

}  // namespace actord::hocon
