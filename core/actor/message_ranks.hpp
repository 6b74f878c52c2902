// SPDX-License-Identifier: Apache-2.0
//
// The order in which an actor takes the messages that wait, by their types: what the operator has
// written, and as a table. Messages of one rank are taken as they came.
//
// Not here: the messages themselves (mailbox_order.hpp).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/intrusive_ptr.hpp"
#include "message/type_registry.hpp"

namespace actord::actor {

/// Names of message types, the first ones first. `all_others` stands for every type that is not
/// named.
using TypeNames = std::vector<std::string>;
inline constexpr std::string_view all_others = "*";

/// The ranks of all types. Immutable. Threads: any.
class MessageRanks final : public base::RefCounted<MessageRanks> {
 public:
  /// The ranks fit into the bits of a word.
  static constexpr std::size_t ranks_max = 64;
  /// How many types `priority` may name: there is a rank for control messages, and one for types
  /// that it does not name.
  static constexpr std::size_t priority_max = ranks_max - 2;

  /// `priority` is null if messages have no priorities. `control` is null if there are no control
  /// messages; else the types in it are, and those that their plugins declare so
  /// (ACTORD_CONTROL). A name that no plugin has is left out; `types` outlives the object.
  MessageRanks(const TypeNames* priority, const TypeNames* control,
               const message::TypeRegistry& types);

  /// The rank of a type; 0 is taken first. `type` 0: that of all others.
  unsigned of(message::TypeId type) const noexcept {
    if (type == 0) return rest_;
    if (has_control_ && types_.at(type).has(ACTORD_CONTROL)) return 0;
    const message::TypeId first = types_.first_layout(type);
    return first < ranks_.size() ? ranks_[first] : rest_;
  }
  /// For people: "control, shop.Urgent/1, *".
  const std::string& text() const noexcept { return text_; }

 private:
  void give(std::string_view name, unsigned rank);

  const message::TypeRegistry& types_;
  const bool has_control_;
  unsigned rest_ = 0;
  std::vector<std::uint8_t> ranks_;  // by the first layout of a type, as far as any is named
  std::string text_;
};

}  // namespace actord::actor
