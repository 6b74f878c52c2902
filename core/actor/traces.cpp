// SPDX-License-Identifier: Apache-2.0
//
// Messages of a trace: what a ThreadState sends while it carries a context goes into traced
// envelopes, and an Activation handles such a message as a span of the trace.
#include "actor/activation.hpp"

namespace actord::actor {

using message::TraceContext;

// Each message passes collect(), push_if_admitted() or push_always(), as if it were one too many to
// be sent at once, and is put into a traced envelope there. So a thread that carries nothing needs
// no test of its own for that.
void ThreadState::carry(const TraceContext& context) {
  carried_ = context;
  if (!std::exchange(is_carrying_, true)) {
    flush_send_buffer();
    collects_from_otherwise_ = std::exchange(collects_from_, SendBuffer::never);
  }
  burst_ = 0;
  burst_end_ = 0;
  if (worker == nullptr) return;  // its emitter is shared with other threads
  message::write_trace_id(context.trace_id, carried_texts_.trace);
  message::write_span_id(context.span_id, carried_texts_.span);
  log.add_to_each(carried_fields_);
}

void ThreadState::carry_nothing() noexcept {
  is_carrying_ = false;
  collects_from_ = collects_from_otherwise_;
  burst_ = burst_of(worker);
  burst_end_ = SendBuffer::never;
  if (worker != nullptr) log.add_to_each({});
}

Envelope* ThreadState::enclose(Envelope* envelope) {
  Envelope* const traced = take_block();
  message::enclose(*traced, {envelope, carried_, now_ns()});
  return traced;
}

message::Traced ThreadState::open_traced(Envelope& envelope) {
  const message::Traced traced = message::traced_in(envelope);
  Envelope* const next = envelope.next;
  const std::uint32_t generation = envelope.target_generation;
  const message::TypeId type = traced.content->type();
  message::relocate(envelope, *traced.content, type != 0 ? &types_[type] : nullptr);
  envelope.next = next;
  envelope.target_generation = generation;
  free_block(traced.content);
  return traced;
}

bool ThreadState::begins_trace() noexcept {
  const std::uint64_t limit = environment.tracing.sampled_below.load(base::relaxed);
  return limit != 0 && random.next() < limit;
}

TraceContext ThreadState::new_trace() noexcept {
  TraceContext context;
  while (context.trace_id == TraceContext::Id{}) context.trace_id = {random.next(), random.next()};
  return context;
}

TraceContext ThreadState::new_span(const TraceContext& parent) noexcept {
  TraceContext context = parent;
  do context.span_id = random.next();
  while (context.span_id == 0);
  return context;
}

void ThreadState::tell_from_outside(Ref to, message::TypeId type, void* message, Ref sender,
                                    const TraceContext* context) {
  if (context == nullptr && !begins_trace()) return tell(to, type, message, sender);
  carry(context != nullptr ? *context : new_trace());
  tell(to, type, message, sender);
  carry_nothing();
}

// ---- handling -----------------------------------------------------------------------------------

void Activation::handle_traced(Envelope* envelope) {
  const message::Traced traced = thread().open_traced(*envelope);
  handle_in_span(envelope, traced.context, thread().now_ns() - traced.sent_ns);
}

// What the handling of a message sends and logs belongs to the span.
void Activation::handle_in_span(Envelope* envelope, const TraceContext& caller,
                                std::int64_t waited_ns) {
  ThreadState& thread = this->thread();
  const Span span{caller, thread.now_ns(), waited_ns};
  const TraceContext context = thread.new_span(caller);
  const message::TypeId type = envelope->type();
  const Ref from = envelope->has(Envelope::ask) ? envelope->token() : envelope->sender;
  const std::uint64_t failed = thread.counters.failed, handled = thread.counters.handled;
  const auto stashed = [this] { return find_extras() ? find_extras()->stash.count() : 0; };
  const std::int64_t stashed_before = stashed();
  thread.carry(context);
  handle_one(envelope);
  const std::string_view outcome = thread.counters.failed != failed     ? "failed"
                                   : thread.counters.handled != handled ? "handled"
                                   : stashed() > stashed_before         ? "stashed"
                                                                        : "unhandled";
  thread.carry(context);  // again, because a handler may have continued another trace
  log().span(span, outcome, type, from);
  thread.carry_nothing();
}

}  // namespace actord::actor
