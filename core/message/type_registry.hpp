// SPDX-License-Identifier: Apache-2.0
//
// Every message type of the process under a dense id. Ids are handed out as plugins load and never
// reused; the identity of a type is its name and its members, never an address or a hash.
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

  /// Adds the type or finds the equal one, and writes the id where the table wants it. An error
  /// names the member in which a type of the same name differs. Any thread.
  base::Result<TypeId> add(const actord_message_type& table);

  /// 0 if there is none. Any thread.
  TypeId find(std::string_view name) const;

  /// `id` must come from add() or find(). Any thread, no lock: what is published does not change.
  const MessageType& at(TypeId id) const noexcept { return types_[id]; }
  /// Ids go from 1 to this one. Any thread.
  TypeId last() const noexcept { return count_.load(base::acquire); }
  std::string_view name(TypeId id) const noexcept {
    return id == 0 || id > count_.load(base::acquire) ? std::string_view{"?"}
                                                      : view(types_[id].table->name);
  }

 private:
  mutable base::SharedMutex mutex_;
  std::unique_ptr<MessageType[]> types_;  // [0] stays empty
  // The release of `count_` in add() pairs with the acquire in last() and name(): whoever reads a
  // count sees the types up to it.
  base::Atomic<TypeId> count_{0};
  std::unordered_map<std::string_view, TypeId> ids_;
};

}  // namespace actord::message
