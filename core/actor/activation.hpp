// SPDX-License-Identifier: Apache-2.0
//
// Runs a turn: passes user messages to the handlers, and system messages to the parts of this
// folder that carry them out. A part returns what is to be done next, and the functions here do it.
// Calls that an actor makes during its turn go from the host table to the parts directly.
//
// Threads: an Activation belongs to the worker that runs the cell.
#pragma once

#include "actor/cell_extras.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

class Activation final : public Turn {
 public:
  using Turn::Turn;

  /// sched::Hooks::run for cells: `thread` is a ThreadState, `cell` a Cell. Runs the cell until it
  /// has nothing to do, its slice is over or it has terminated. Then runs the cells that the worker
  /// returns from next_task(). After its turn another worker may run the cell.
  static void run(void* thread, sched::Task* cell);

  /// Stops this actor, one of its children or, by a system message, any other actor.
  void stop(Ref whom);

 private:
  // ---- user messages ----
  // The whole turn.
  void run();
  // `end_ns` is 0 at the first call, which sets it.
  bool is_slice_over(std::int64_t& end_ns) const;
  // Ends the turn with messages left: schedules the cell again.
  void yield();
  void set_overloaded(bool is_overloaded);
  void log_message(std::string_view event, std::string_view text) const {
    log().message(event, text, message_type, sending_actor());
  }
  // Adds to the actor's row in ActorCounts.
  void count_messages(std::uint32_t envelopes);
  // Ends the turn with an empty mailbox. False: messages have come, and the turn goes on.
  bool park(ThreadState& thread, Cell& tenant);
  // Ends the turn of a suspended actor.
  void park_suspended();
  // True: the message was handled, and neither the stage nor the suspensions can have changed.
  bool handle(ThreadState& thread, Cell& tenant, Envelope* envelope);
  // handle() for packets, ticks, answers, built-in types, former tenants, and mailboxes that are
  // bounded or have an order of their own.
  void handle_special(Envelope* envelope);
  // handle_special() for a message to this tenant, which is no packet.
  void handle_one(Envelope* envelope);
  void handle_traced(Envelope* envelope);
  // handle_one() for a message whose router is told when it is handled.
  void handle_credited(Envelope* envelope);
  // handle_one(), as a new span.
  void handle_in_span(Envelope* envelope, const message::TraceContext& caller,
                      std::int64_t waited_ns = -1);
  // Ends a message to a former tenant of this cell.
  void send_stray_to_dead_letters(Envelope* envelope);
  // Puts the messages of a packet before the fetched ones.
  void open(message::Packet& packet);
  // Handles a message of any type, built-in ones included.
  void dispatch(Envelope* envelope);
  // Calls the behaviour's handler with the current message. True as in handle().
  bool receive(ThreadState& thread, Cell& tenant, Envelope* envelope);
  // The same with a handler.
  bool call(ThreadState& thread, Cell& tenant, Envelope* envelope, actord_handler handler);
  // receive() for a message that the table of handlers does not find: it may have to be translated
  // first, or is unhandled.
  void receive_any(Envelope* envelope);
  // dispatch() for a message of a further layout.
  void dispatch_layout(Envelope* envelope);
  // The layout in which the actor has to get a message of `type`: that of its handler, else the one
  // that its plugin has declared. 0: it gets the message as it was sent.
  message::TypeId layout_wanted(message::TypeId type) const;
  // A message of the layout `to` with the content of `from`, which stays, and with its sender and
  // token. If it cannot be translated, logs that, returns null and has the reason in `failure`.
  Envelope* translate(Envelope& from, message::TypeId to, FailurePtr& failure);
  // Puts the message in that layout in the place of the current one, and returns it; null: it is a
  // dead letter now.
  Envelope* replace_by(message::TypeId layout, Envelope* envelope);
  // Updates the receive timeout, and logs the message at level debug.
  void before_handler();
  // Called if has_more_to_do(): ends the message, unless it is kept.
  void do_more(Envelope* envelope);
  void on_handler_failed(Envelope* envelope, FailurePtr failure);
  bool fails_after_all(Envelope* envelope);
  void on_unhandled(Envelope* envelope);
  void on_poison_or_kill(Envelope* envelope);
  void on_identify(Envelope* envelope);
  // False: the caller passes the Terminated to the handler.
  bool on_terminated_message(Envelope* envelope);
  void on_tick(Envelope* envelope);
  // Handles the message whose place that is once more.
  void redeliver(Envelope* place);
  void on_reply(Envelope* envelope);
  // The answer in the layout that the asker takes it in. If it cannot be translated, the answer as
  // it is, and the failure that the asker gets instead of it.
  Envelope* translated_answer(Envelope* envelope, FailurePtr& failure);
  void on_ask_timeout(std::uint64_t token);
  // Calls the ask's callback. `ask_failure`: the failure that came instead of an answer, or null.
  void complete_ask(const Ask& ask, const FailurePtr& ask_failure);

  // ---- system messages ----
  // False: the actor has terminated, and the cell must not be touched again.
  bool handle_system_messages();
  // Stops the actor if `call` runs out of memory.
  template <class Call>
  void safely(Call&& call);
  // Returns `list`, after the deferred system messages if these need not wait any more.
  Envelope* with_deferred(Envelope* list, Deferral before);
  void handle(SystemMessage& received);
  void on_terminated(const SystemMessage& notice);
  void on_child_terminated(Ref child);
  // Calls the behaviour's child_terminated hook.
  void on_child_terminated_hook(Ref child);
  void on_journal(const SystemMessage& received);
  // A call of the plugin is over: passes to the journal what it has persisted, or drops that if the
  // call has failed.
  void pass_on_unstored() {
    if (take_unstored()) [[unlikely]]
      flush();
  }
  void flush();
  void on_unwatch(const SystemMessage& request);
  // The start of a configured child is over, with those of its own configured children.
  void on_subtree_started(Ref child);
};
static_assert(sizeof(Activation) <= 128,
              "built for every turn: the state of organs is CellExtras'");

}  // namespace actord::actor
