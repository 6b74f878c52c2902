// SPDX-License-Identifier: Apache-2.0
#include "actor/asks.hpp"

#include <algorithm>

#include "actor/selection.hpp"
#include "actor/token.hpp"
#include "base/duration_text.hpp"

namespace actord::actor {

namespace {

// Ends the watch of a graceful stop that is no longer pending (supervision.md 137).
void unwatch_end(Turn& turn, const Ask& ask, std::uint64_t token) {
  turn.thread().send_system(ask.target, SystemMessage::unwatch(turn.self, token));
}

actord_field text_field(std::string_view key, std::string_view text) {
  return {message::to_c(key), ACTORD_TEXT, {.text = message::to_c(text)}};
}

}  // namespace

[[gnu::always_inline]] inline std::uint64_t Asks::await(Turn& turn, Ask ask) {
  static_assert(token::make(token::Kind::ask, 1) == 1, "the token of an ask is its number");
  const Turn::Counted counted = turn.count(PluginUsage::asks);
  if (counted == Turn::Counted::refused) return 0;
  ask.is_counted = counted == Turn::Counted::yes;
  const std::uint64_t token = asks_.add(generation_of(turn.self), ask);
  asks_.find(token)->timeout = turn.thread().timer_after(ask.timeout_ns, turn.self, token);
  return token;
}

void Asks::ask(Turn& turn, Ref to, message::TypeId type, void* question, std::int64_t timeout_ns,
               actord_reply_handler handler) {
  const std::uint64_t number = await(turn, {handler, to, type, false, timeout_ns});
  if (number == 0) return;
  turn.thread().tell(to, type, question, make_answer_ref(index_of(turn.self), number),
                     Envelope::ask | Envelope::correlated, turn.self);
}

std::size_t Asks::ask_selection(Turn& turn, std::string_view paths, message::TypeId type,
                                void* question, std::int64_t timeout_ns,
                                actord_reply_handler handler) {
  Selected selected = select(turn, paths);
  const std::size_t n = selected.actors.size();
  // An Identify asks for any actor there: one is enough, and that there is none is no dead letter.
  const Environment& environment = turn.environment();
  const bool is_identify = environment.types.first_layout(type) == environment.builtin.identify;
  if (n == 1 || (n != 0 && is_identify)) {
    const auto living = std::ranges::find_if(
        selected.actors, [&](Ref each) { return turn.thread().is_mailbox_open(each); });
    const Ref to = living != selected.actors.end() ? *living : selected.actors.front();
    ask(turn, to, type, question, timeout_ns, handler);
    return n;
  }
  const std::uint64_t number = await(turn, {handler, nobody, type, false, timeout_ns});
  if (number == 0) return n;
  const Ref answer_ref = make_answer_ref(index_of(turn.self), number);
  if (!is_identify) tell_all(turn, selected, type, question, answer_ref);
  if (n == 0)
    turn.thread().fail_ask(turn.self, answer_ref, dead_letters,
                           no_recipient(turn, type, selected.pattern));
  patterns_.emplace_back(number, std::move(selected.pattern));
  return n;
}

bool Asks::ask_for_end(Turn& turn, Ref who, std::int64_t timeout_ns, actord_reply_handler handler) {
  const std::uint64_t token = await(turn, {handler, who, 0, false, timeout_ns});
  if (token == 0) return false;
  turn.thread().send_system(who, SystemMessage::watch(turn.self, token));
  return true;
}

Ask Asks::take_timed_out(Turn& turn, std::uint64_t token) {
  const Ask ask = take(turn, token);
  if (ask.is_graceful_stop()) unwatch_end(turn, ask, token);
  if (ask.target == nobody) forget_pattern(token);
  return ask;
}

FailurePtr Asks::timeout_failure(Turn& turn, std::uint64_t token) {
  const Ask& ask = *asks_.find(token);
  const std::string within = " within " + base::duration_text(ask.timeout_ns);
  const auto pattern =
      std::ranges::find(patterns_, token, &std::pair<std::uint64_t, std::string>::first);
  const std::string whom =
      pattern == patterns_.end() ? turn.thread().path(ask.target) : pattern->second;
  const std::string asker = turn.path();
  std::string question, what;
  if (ask.is_graceful_stop()) {
    what = whom + " did not stop" + within;
  } else if (ask.question == turn.environment().builtin.perform) {
    what = "work of " + asker + " was not done" + within;  // of pipe()
  } else {
    question = turn.environment().types.name(ask.question);
    what = question + " to " + whom + " was not answered" + within;
  }
  FailurePtr failure = turn.builtin_failure(causes::ask_timeout, what);
  std::vector<actord_field> details{text_field("target", whom), text_field("sender", asker)};
  if (!question.empty()) details.push_back(text_field("message_type", question));
  details.push_back({message::to_c("timeout"), ACTORD_DURATION, {.i = ask.timeout_ns}});
  failure->details = details_of(details);
  return failure;
}

FailurePtr Asks::complete_remotely(Turn& turn, const Ask& ask, const FailurePtr& ask_failure) {
  void* const instance = turn.cell().instance;
  const Remoting& remoting = *turn.cell().props->behaviour.remoting;
  return turn.call_plugin([&](actord_context* context, actord_errors* errors) {
    if (!ask_failure)
      return remoting.answer(instance, context, ask.handler, turn.message, nullptr, errors);
    const FailureView view = turn.view_of(*ask_failure);
    return remoting.answer(instance, context, ask.handler, nullptr, view.c(), errors);
  });
}

void Asks::forget_pattern(std::uint64_t token) {
  std::erase_if(patterns_, [token](const auto& each) { return each.first == token; });
}

void Asks::cancel_pending(Turn& turn) {
  asks_.take_all([&](std::uint64_t key, const Ask& ask) {
    if (ask.is_counted) turn.uncount(PluginUsage::asks);
    turn.thread().cancel(ask.timeout);
    if (ask.is_graceful_stop()) unwatch_end(turn, ask, key);
  });
  patterns_.clear();
}

}  // namespace actord::actor
