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
  if (journal_of(ctx).work(thread_of(ctx))) ctx.tell(ctx.self(), detail::JournalWork{});
}

}  // namespace actord::system
