// SPDX-License-Identifier: Apache-2.0
//
// A message that lies in no envelope, with its memory.
#pragma once

#include "base/result.hpp"
#include "message/message_type.hpp"

namespace actord::message {

/// About how many bytes the message takes up: its size and the texts in it. 0 bytes are counted for
/// what the type does not write.
std::size_t bytes_of(const MessageType& type, const void* message);

class OwnedMessage {
 public:
  /// Memory for a message of the type, which outlives the object. Throws std::bad_alloc.
  OwnedMessage(TypeId id, const MessageType& type);
  ~OwnedMessage();
  OwnedMessage(const OwnedMessage&) = delete;
  OwnedMessage& operator=(const OwnedMessage&) = delete;

  TypeId id() const noexcept { return id_; }
  const MessageType& type() const noexcept { return type_; }
  /// The message, once it was moved or read here. A send moves from it.
  void* content() const noexcept { return at_; }

  /// Moves the message *from here; the caller destroys *from. Once.
  void take(void* from) noexcept;
  /// Lets the type read the message from a value of the configuration language. Once.
  actord_status read(actord_value from, actord_errors& errors);
  /// Translates the message *from of another layout of the type. Once; fails as translate() does.
  actord_status translate(const MessageType& layout, const void* from, actord_errors& errors);
  /// bytes_of() what is here.
  std::size_t bytes() const;

 private:
  const TypeId id_;
  const MessageType& type_;
  void* const at_;
  bool is_constructed_ = false;
};

}  // namespace actord::message
