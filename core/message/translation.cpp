// SPDX-License-Identifier: Apache-2.0
#include "message/translation.hpp"

#include <new>
#include <string>

#include "message/message_pack.hpp"
#include "message/message_values.hpp"
#include "message/packed_message.hpp"
#include "message/report.hpp"

namespace actord::message {

actord_status translate(const MessageType& type, const void* from, const MessageType& to, void* at,
                        actord_errors& errors) {
  if (is_packed(*type.table)) {
    const PackReader reader(static_cast<const PackedMessage*>(from)->view());
    return read_message(to, at, reader.root(), errors);
  }
  PackWriter writer;
  if (write_message(type, from, writer, errors) != ACTORD_OK) return ACTORD_FAILED;
  if (const std::string_view fault = writer.fault(); !fault.empty())
    return report(errors, "the function `write` of " + named(type) + ": " + std::string{fault});
  if (is_packed(*to.table)) {
    ::new (at) PackedMessage(packed_message(writer.bytes()));
    return ACTORD_OK;
  }
  const PackReader reader(writer.bytes());
  return read_message(to, at, reader.root(), errors);
}

}  // namespace actord::message
