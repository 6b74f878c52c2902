// SPDX-License-Identifier: Apache-2.0
//
// The data that the resolver works on: objects and their keys, created when they are looked up.
//
// A View is an object. It consists of parts on top of each other: literals and other views. A Slot
// is one key of a view: the stack of all definitions that the parts have for the key, and the value
// of that stack once it is known. For a part that is a view, the stack has the slot of that view,
// so that each definition is evaluated in one place only.
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
struct JoinedOrigins;

/// A text in the tree's arena that can grow at its end. Shorter prefixes of it stay valid values.
using TextBuffer = std::pmr::string;
using ItemBuffer = std::pmr::vector<const Evaluated*>;

/// A value after evaluation; of an object, only the parts. Never changed once it is made.
struct Evaluated {
  Kind kind = Kind::null;
  SourceSpan written;                       // the definition, element or piece that gave this value
  Origin source;                            // the place where its text was written
  JoinedOrigins* joined_origins = nullptr;  // origins that substitutions brought into a joined text

  Evaluated() : text_(nullptr) {}

  std::string_view text() const noexcept {
    if (form_ == Form::buffer) return std::string_view(*buffer_).substr(0, count_);
    return form_ == Form::text ? std::string_view(text_, count_) : std::string_view();
  }
  /// The text as a buffer that may grow; the first count() bytes of it are this text.
  TextBuffer* buffer() const noexcept { return form_ == Form::buffer ? buffer_ : nullptr; }
  /// The elements of a list without substitutions.
  const Elements* literal() const noexcept { return form_ == Form::literal ? literal_ : nullptr; }
  /// The elements of any other list: the first count() of these.
  ItemBuffer* items() const noexcept { return form_ == Form::items ? items_ : nullptr; }
  View* view() const noexcept { return form_ == Form::view ? view_ : nullptr; }
  /// Bytes of a text, or elements of a list.
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

/// A substitution that needs its own value. It is an error only if no older definition breaks the
/// cycle.
struct Cycle {
  const Node* reference = nullptr;
  std::string chain;  // "a needs b needs a"
};

/// The positions of the evaluations in progress that an outcome depends on. The outcome is valid as
/// long as all of them last.
struct Dependencies {
  static constexpr std::uint32_t none = UINT32_MAX;

  std::uint32_t oldest = none;
  std::uint32_t latest : 31 = 0;
  // One of them lies inside an object that is needed as a whole.
  std::uint32_t is_inside_object : 1 = 0;

  bool any() const noexcept { return oldest != none; }
  void add(std::uint32_t position) noexcept {
    oldest = std::min(oldest, position);
    latest = std::max<std::uint32_t>(latest, position);
  }
  void add(const Dependencies& other) noexcept {
    oldest = std::min(oldest, other.oldest);
    latest = std::max<std::uint32_t>(latest, other.latest);
    is_inside_object |= other.is_inside_object;
  }
  /// Adds the evaluation at `position`, which lies inside an object that is needed as a whole.
  void add_inside_object(std::uint32_t position) noexcept {
    add(position);
    is_inside_object = 1;
  }
  /// Removes the evaluation at `here`, which has ended, and all later ones.
  void leave(std::uint32_t here) noexcept {
    if (oldest >= here) *this = {};
    else latest = std::min<std::uint32_t>(latest, here - 1);
  }
};

/// The result of an evaluation.
struct Outcome {
  enum class State : std::uint8_t {
    undefined,  // no value, which is not always an error
    value,
    cyclic,    // a cycle that only an older definition can break
    poisoned,  // an error, already reported
  };

  State state = State::undefined;
  // When cyclic: the number from Resolver::record_cycle(); 0: not known.
  std::uint32_t cycle = 0;
  Dependencies dependencies;
  const Evaluated* value = nullptr;

  bool is_value() const noexcept { return state == State::value; }
  bool is_object() const noexcept { return is_value() && value->kind == Kind::object; }
  bool is_undefined() const noexcept { return state == State::undefined; }
  /// Neither a value nor undefined: evaluation cannot go on with it.
  bool is_broken() const noexcept { return state == State::cyclic || state == State::poisoned; }
};

/// A stored outcome. It is valid for ever, or as long as the latest evaluation that it depends on
/// lasts: the one at `position` in Resolver::in_progress_, with that serial number.
struct Memo {
  Outcome outcome;
  std::uint64_t serial = 0;
  std::uint32_t position = Dependencies::none;
  bool known = false;
};

struct Slot;

/// One entry of a stack: a definition as written, or the slot of the same key in another view.
struct StackEntry {
  const Node* node = nullptr;
  Slot* link = nullptr;
};

struct Slot {
  View* containing_view = nullptr;  // null for the root
  Slot* parent = nullptr;  // owner of containing_view, stored because it is read very often
  std::string_view key;
  std::span<const StackEntry> stack;  // oldest first
  StackEntry only;                    // the storage of `stack` if it has one entry

  Memo whole;  // of the whole stack
  // [i]: of the definitions below i; allocated when first needed.
  Memo* partial = nullptr;

  // While one of the definitions is being evaluated: its index (evaluating_definition), and the
  // position of that evaluation (evaluating_since). Inside a list literal (is_evaluating_list) no
  // definition of the slot is visible.
  bool is_evaluating = false;
  bool is_evaluating_list = false;
  bool is_fetching = false;  // it names a secret, and that name is being evaluated
  bool is_building = false;  // its value is being copied into the tree
  std::uint32_t evaluating_definition = 0;
  std::uint32_t evaluating_since = 0;

  std::uint32_t evaluations_inside = 0;  // evaluations in progress inside this slot
};

struct ViewPart {
  const ObjectLiteral* literal = nullptr;  // null if `view` is set
  View* view = nullptr;                    // null if `literal` is set
  std::uint32_t definition = 0;            // the owner's definition that the part belongs to
  const ViewPart* under = nullptr;
  SecretForm secret_form = SecretForm::none;  // the newest of this part and those under it
};

struct View {
  // The slot with this value, or the slot with the object in its list or concatenation.
  Slot* owner = nullptr;
  const ViewPart* top = nullptr;
  SourceSpan written;
  // The parts include all older definitions of the owner.
  bool has_all_below = false;

  SecretForm secret_form() const noexcept {
    return top == nullptr ? SecretForm::none : top->secret_form;
  }

  bool enumerated = false;
  // In the order of first definition. If the view is one literal, an entry is null until needed.
  std::span<Slot*> slots;
  std::pmr::unordered_map<std::string_view, Slot*>* index = nullptr;

  /// The literal, if the view consists of one literal only.
  const ObjectLiteral* only_literal() const noexcept {
    return top != nullptr && top->under == nullptr ? top->literal : nullptr;
  }
  /// The other view, if this one consists of that view only.
  View* only_view() const noexcept {
    return top != nullptr && top->under == nullptr ? top->view : nullptr;
  }
};

/// Creates slots and views and finds their members.
class ViewSpace {
 public:
  explicit ViewSpace(std::pmr::memory_resource* arena) : arena_(arena) {}

  View* make_view(Slot& owner, const ViewPart* top, const SourceSpan& written);
  /// A part on top of `under`.
  ViewPart* make_part(const ViewPart& part, const ViewPart* under);
  Slot* make_root(const Node* root);

  /// The slot of a key, or null.
  Slot* child(View& view, std::string_view key);
  /// All slots, in the order of their first definition.
  std::span<Slot* const> children(View& view);

  /// The number of slots, which a hostile file could drive up.
  std::uint64_t slots_made() const noexcept { return slots_made_; }

 private:
  Slot* make_slot(View& containing_view, std::string_view key);
  // The slot of a literal's field, made on the first call.
  Slot* slot_of_field(View& view, const ObjectLiteral& literal, std::size_t position);
  // Fills the stack with the definitions from `top` down.
  void fill_stack(Slot& slot, const Node* top);
  // Fills `slots` and `index` of a view, and of the views it consists of.
  void enumerate(View& view);
  void enumerate_parts(View& view);

  std::pmr::polymorphic_allocator<> arena_;
  std::uint64_t slots_made_ = 0;
};

}  // namespace actord::hocon
