// SPDX-License-Identifier: Apache-2.0
#include "link/message_codec.hpp"

#include <cstring>
#include <new>

#include "message/message_pack.hpp"
#include "message/message_values.hpp"
#include "message/pack_check.hpp"
#include "message/packed_message.hpp"
#include "message/report.hpp"

namespace actord::link {

using message::PackedMessage;

void TakenMessage::clear() noexcept {
  const bool is_destroyed_here = table_ != nullptr && (table_->flags & ACTORD_TRIVIAL) == 0;
  if (is_destroyed_here) table_->destroy(at_);
  if (outside_ != nullptr) ::operator delete(outside_, std::align_val_t{outside_align_});
  table_ = nullptr;
  at_ = outside_ = nullptr;
  id_ = 0;
}

void* TakenMessage::prepare(const actord_message_type& table) {
  if (table.size <= sizeof inside_ && table.align <= alignof(decltype(inside_))) return inside_;
  outside_align_ = table.align;
  return outside_ = ::operator new(table.size, std::align_val_t{table.align});
}

void MessageCodec::add(const Known& type) {
  by_local_[type.local] = by_wire_[type.wire] = types_.size();
  types_.push_back(type);
}

const MessageCodec::Known* MessageCodec::find_local(message::TypeId id) const noexcept {
  const auto found = by_local_.find(id);
  return found == by_local_.end() ? nullptr : &types_[found->second];
}

const MessageCodec::Known* MessageCodec::find_wire(message::TypeId id) const noexcept {
  const auto found = by_wire_.find(id);
  return found == by_wire_.end() ? nullptr : &types_[found->second];
}

actord_status MessageCodec::put(FrameWriter& frame, message::TypeId id, const void* message,
                                actord_errors& errors) const {
  const Known* const known = id != 0 && message != nullptr ? find_local(id) : nullptr;
  if (known == nullptr) {
    frame.put(id & ~foreign);
    frame.put(Form::none);
    return ACTORD_OK;
  }
  frame.put(known->wire);
  frame.put(known->form);
  if (known->form == Form::bytes) {
    frame.raw(message, known->table->size);
    return ACTORD_OK;
  }
  if (message::is_packed(*known->table)) {
    frame.text(static_cast<const PackedMessage*>(message)->view());
    return ACTORD_OK;
  }
  message::PackWriter writer;
  const message::MessageType type{.table = known->table};
  if (message::write_message(type, message, writer, errors) != ACTORD_OK) return ACTORD_FAILED;
  if (const std::string_view fault = writer.fault(); !fault.empty())
    return message::report(errors, fault);
  frame.text(writer.bytes());
  return ACTORD_OK;
}

actord_status MessageCodec::take(FrameReader& frame, TakenMessage& message,
                                 actord_errors& errors) const {
  message.clear();
  const auto wire = frame.take<message::TypeId>();
  const auto form = frame.take<Form>();
  if (form == Form::none) {
    message.id_ = wire == 0 ? 0 : wire | foreign;
    return ACTORD_OK;
  }
  const Known* const known = find_wire(wire);
  const std::string_view content = frame.text();
  if (known == nullptr || known->form != form || frame.has_failed()) {
    frame.fail();
    return ACTORD_OK;
  }
  const actord_message_type& table = *known->table;
  const bool is_right =
      form == Form::bytes ? content.size() == table.size : message::is_whole_pack(content);
  if (!is_right) {
    frame.fail();
    return ACTORD_OK;
  }
  void* const at = message.prepare(table);
  if (form == Form::bytes) {
    std::memcpy(at, content.data(), content.size());
    if (!message::is_possible(table, at)) {
      frame.fail();
      return ACTORD_OK;
    }
  } else if (message::is_packed(table)) {
    ::new (at) PackedMessage(message::packed_message(content));
  } else {
    const message::PackReader reader(content);
    const message::MessageType type{.table = &table};
    if (message::read_message(type, at, reader.root(), errors) != ACTORD_OK) return ACTORD_FAILED;
  }
  message.at_ = at;
  message.table_ = &table;
  message.id_ = known->local;
  return ACTORD_OK;
}

}  // namespace actord::link
