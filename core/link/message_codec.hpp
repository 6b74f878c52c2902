// SPDX-License-Identifier: Apache-2.0
//
// Messages in frames. Each end knows the types of the plugin by its own ids; in a frame a type has
// the runtime's id. A message is put as bytes or as MessagePack (codes.hpp).
#pragma once

#include <actord/plugin.h>

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "link/codes.hpp"
#include "link/link_frame.hpp"
#include "message/message_type.hpp"

namespace actord::link {

/// A message that was taken from a frame, with its memory. Used again and again.
class TakenMessage {
 public:
  TakenMessage() = default;
  ~TakenMessage() { clear(); }
  TakenMessage(const TakenMessage&) = delete;
  TakenMessage& operator=(const TakenMessage&) = delete;

  message::TypeId id() const noexcept { return id_; }
  /// Null: there is none.
  void* content() const noexcept { return at_; }
  void clear() noexcept;

 private:
  friend class MessageCodec;
  void* prepare(const actord_message_type& table);

  message::TypeId id_ = 0;
  const actord_message_type* table_ = nullptr;  // of a message that was constructed
  void* at_ = nullptr;
  void* outside_ = nullptr;  // memory of its own, if it has any
  std::size_t outside_align_ = 0;
  alignas(16) std::byte inside_[128];
};

class MessageCodec {
 public:
  /// A type that both ends know.
  struct Known {
    message::TypeId local = 0, wire = 0;
    const actord_message_type* table = nullptr;
    Form form = Form::none;
  };
  /// Before the first use.
  void add(const Known& type);
  const Known* find_local(message::TypeId id) const noexcept;
  const Known* find_wire(message::TypeId id) const noexcept;

  /// The id of a type that this end does not know, as the other end has named it; and back.
  static constexpr message::TypeId foreign = 0x8000'0000;

  /// `id` 0: there is no message. Fails as the plugin's function `write` does.
  actord_status put(FrameWriter& frame, message::TypeId id, const void* message,
                    actord_errors& errors) const;
  /// A frame that cannot be right makes `frame` fail. ACTORD_FAILED: the plugin's function `read`
  /// has failed.
  actord_status take(FrameReader& frame, TakenMessage& message, actord_errors& errors) const;

 private:
  std::vector<Known> types_;
  std::unordered_map<message::TypeId, std::size_t> by_local_, by_wire_;
};

}  // namespace actord::link
