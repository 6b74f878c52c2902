// SPDX-License-Identifier: Apache-2.0
#include "system/journal_actor.hpp"

#include "system/actor_system.hpp"

namespace actord::system {

namespace {

Journal& journal_of(Context& ctx) { return *ActorSystem::of(ctx.c().system).event_journal(); }

actor::ThreadState& thread_of(Context& ctx) {
  return static_cast<actor::Activation&>(ctx.c()).thread();
}

}  // namespace

void JournalActor::pre_start(Context& ctx) {
  journal_of(ctx).attach(ctx.self().value);
  ctx.tell(ctx.self(), detail::JournalWork{});
}

void JournalActor::post_stop(Context& ctx) { journal_of(ctx).detach(thread_of(ctx)); }

void JournalActor::work(Context& ctx, const detail::JournalWork& /*notice*/) {
  Journal& journal = journal_of(ctx);
  if (journal.work(thread_of(ctx))) return ctx.tell(ctx.self(), detail::JournalWork{});
  if (const std::int64_t rest_ns = journal.rest_ns(); rest_ns != 0)
    ctx.receive_timeout(std::chrono::nanoseconds{rest_ns});
}

// A step takes as long as a group. What is asked for meanwhile is a message, and so comes before
// the next step.
void JournalActor::tidy_up(Context& ctx, const ReceiveTimeout& /*idle*/) {
  if (!journal_of(ctx).tidy_up()) ctx.receive_timeout(std::chrono::nanoseconds{0});
}

}  // namespace actord::system
