// SPDX-License-Identifier: Apache-2.0
//
// An envelope around another one, for a message that belongs to a trace. Only such messages pay for
// the trace: the others have no room for it and no code on their way.
#pragma once

#include "message/envelope.hpp"
#include "message/trace_context.hpp"

namespace actord::message {

/// What a traced envelope has instead of a payload.
struct Traced {
  Envelope* content = nullptr;
  TraceContext context;      // of the span that sent the message
  std::int64_t sent_ns = 0;  // monotonic clock
};
static_assert(sizeof(Traced) == Envelope::inline_size);

/// Makes `to`, which must not be small, the traced envelope of a message.
inline void enclose(Envelope& to, const Traced& traced) noexcept {
  // `outside`, so that clear() is not inline for it.
  to.type_and_flags = Envelope::traced | Envelope::outside;
  to.target_generation = traced.content->target_generation;
  to.sender = traced.content->sender;
  std::memcpy(to.bytes, &traced, sizeof traced);
}

inline Traced traced_in(const Envelope& envelope) noexcept {
  Traced traced;
  std::memcpy(&traced, envelope.bytes, sizeof traced);
  return traced;
}

/// The envelope that has the message: `envelope`, or the one inside of it.
inline const Envelope& message_in(const Envelope& envelope) noexcept {
  return envelope.has(Envelope::traced) ? *traced_in(envelope).content : envelope;
}

}  // namespace actord::message
