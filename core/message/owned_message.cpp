// SPDX-License-Identifier: Apache-2.0
#include "message/owned_message.hpp"

#include <cstring>
#include <new>

#include "base/assert.hpp"
#include "message/data_values.hpp"
#include "message/message_values.hpp"
#include "message/report.hpp"
#include "message/translation.hpp"

namespace actord::message {

namespace {

/// Adds up the sizes of the texts, and a word for each other value.
struct SizeCounter : actord_writer {
  static constexpr std::size_t word = 8;

  SizeCounter()
      : actord_writer{sizeof(actord_writer),
                      [](actord_writer* w) { add(w, word); },
                      [](actord_writer* w, std::int32_t) { add(w, word); },
                      [](actord_writer* w, std::int64_t) { add(w, word); },
                      [](actord_writer* w, std::uint64_t) { add(w, word); },
                      [](actord_writer* w, double) { add(w, word); },
                      [](actord_writer* w, actord_str t) { add(w, t.size); },
                      [](actord_writer* w, actord_ref) { add(w, word); },
                      [](actord_writer* w, std::int64_t) { add(w, word); },
                      [](actord_writer* w, std::size_t) { add(w, word); },
                      [](actord_writer* w, std::size_t) { add(w, word); },
                      [](actord_writer* w, actord_str k) { add(w, k.size); },
                      [](actord_writer*) {},
                      &write_data} {}
  static void add(actord_writer* writer, std::size_t n) {
    static_cast<SizeCounter*>(writer)->bytes += n;
  }
  std::size_t bytes = 0;
};

}  // namespace

std::size_t bytes_of(const MessageType& type, const void* message) {
  SizeCounter counter;
  static_cast<void>(write_message(type, message, counter, ignored_errors()));
  return type.size + counter.bytes;
}

OwnedMessage::OwnedMessage(TypeId id, const MessageType& type)
    : id_(id), type_(type), at_(::operator new(type.size, std::align_val_t{type.table->align})) {}

OwnedMessage::~OwnedMessage() {
  if (is_constructed_ && !type_.is_trivial) type_.table->destroy(at_);
  ::operator delete(at_, std::align_val_t{type_.table->align});
}

void OwnedMessage::take(void* from) noexcept {
  ACTORD_ASSERT(!is_constructed_);
  if (type_.is_trivial) std::memcpy(at_, from, type_.size);
  else type_.table->move(at_, from);
  is_constructed_ = true;
}

actord_status OwnedMessage::read(actord_value from, actord_errors& errors) {
  ACTORD_ASSERT(!is_constructed_);
  const actord_status status = read_message(type_, at_, from, errors);
  is_constructed_ = status == ACTORD_OK;
  return status;
}

actord_status OwnedMessage::translate(const MessageType& layout, const void* from,
                                      actord_errors& errors) {
  ACTORD_ASSERT(!is_constructed_);
  const actord_status status = message::translate(layout, from, type_, at_, errors);
  is_constructed_ = status == ACTORD_OK;
  return status;
}

std::size_t OwnedMessage::bytes() const {
  ACTORD_ASSERT(is_constructed_);
  return bytes_of(type_, at_);
}

}  // namespace actord::message
