// SPDX-License-Identifier: Apache-2.0
#include "message/canonical_text.hpp"

#include "message/data_values.hpp"
#include "message/message_values.hpp"
#include "message/report.hpp"

#include <bit>

namespace actord::message {

namespace {

// A writer that appends every value with a letter for its kind, so that 1 and "1" differ. 'p' is a
// duration, 'k' a key; ')' ends a list or a map.
struct Text : actord_writer {
  Text()
      : actord_writer{
            sizeof(actord_writer),
            [](actord_writer* w) { of(w) += "n;"; },
            [](actord_writer* w, std::int32_t v) { of(w) += v != 0 ? "t;" : "f;"; },
            [](actord_writer* w, std::int64_t v) { number(w, 'i', v); },
            [](actord_writer* w, std::uint64_t v) { number(w, 'u', v); },
            [](actord_writer* w, double v) { number(w, 'd', std::bit_cast<std::uint64_t>(v)); },
            [](actord_writer* w, actord_str v) { text_of(w, 's', v); },
            [](actord_writer* w, actord_ref v) { number(w, 'r', v); },
            [](actord_writer* w, std::int64_t v) { number(w, 'p', v); },
            [](actord_writer* w, std::size_t n) { number(w, '[', n); },
            [](actord_writer* w, std::size_t n) { number(w, '{', n); },
            [](actord_writer* w, actord_str v) { text_of(w, 'k', v); },
            [](actord_writer* w) { of(w) += ')'; },
            &write_data} {}

  std::string text;

 private:
  static std::string& of(actord_writer* writer) { return static_cast<Text*>(writer)->text; }
  template <class Number>
  static void number(actord_writer* writer, char kind, Number value) {
    of(writer).append(1, kind).append(std::to_string(value)).append(1, ';');
  }
  static void text_of(actord_writer* writer, char kind, actord_str value) {
    number(writer, kind, value.size);
    of(writer).append(view(value));
  }
};

}  // namespace

std::string canonical_text(const MessageType& type, const void* message) {
  Text writer;
  if (write_message(type, message, writer, ignored_errors()) == ACTORD_OK)
    return std::move(writer.text);
  return std::string{view(type.table->name)};
}

}  // namespace actord::message
