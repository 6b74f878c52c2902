// SPDX-License-Identifier: Apache-2.0
//
// All message types of a system, under dense ids. A type gets its id when its plugin is loaded, and
// ids are never reused. A type is identified by its name. Plugins that share a type must declare
// the same members; addresses and hashes play no part.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.hpp"
#include "base/sync.hpp"
#include "message/message_type.hpp"

namespace actord::message {

class TypeRegistry {
 public:
  static constexpr TypeId capacity = 1u << 12;

  TypeRegistry();

  /// Adds the type, or finds the equal one, and writes its id to *table.id. The error says how the
  /// type differs from the one of the same name, or that there are too many types. Any thread.
  base::Result<TypeId> add(const actord_message_type& table);

  /// The id of a type; 0: there is none of that name. Any thread.
  TypeId find(std::string_view name) const;

  /// `id` must come from add() or find(). Any thread, no lock: a type does not change once added.
  const MessageType& at(TypeId id) const noexcept { return types_[id]; }
  /// The last id; the first is 1. Any thread.
  TypeId last() const noexcept { return count_.load(base::acquire); }
  /// "?" for an unknown id. Any thread.
  std::string_view name(TypeId id) const noexcept {
    return id == 0 || id > count_.load(base::acquire) ? std::string_view{"?"}
                                                      : view(types_[id].table->name);
  }

 private:
  mutable base::SharedMutex mutex_;
  std::unique_ptr<MessageType[]> types_;  // by id; [0] stays empty
  // The release of `count_` in add() pairs with the acquire in last() and name(): a thread that
  // reads a count sees the types up to it.
  base::Atomic<TypeId> count_{0};
  std::unordered_map<std::string_view, TypeId> ids_;
};

}  // namespace actord::message
