// SPDX-License-Identifier: Apache-2.0
//
// A turn that runs: user mail to handlers, orders to the organs that carry them out. The organs
// return what is due, and the functions here act on it; what an actor asks for during its turn goes
// from the host table to the organs themselves.
//
// Threads: an Activation belongs to the worker that runs the cell.
#pragma once

#include "actor/cell_extras.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

class Activation final : public Turn {
 public:
  using Turn::Turn;

  /// sched::Hooks::run for cells: `thread` is the ThreadState, `cell` a Cell. Runs the cell
  /// until it has nothing to do, its slice is over or it has terminated, and then those that the
  /// worker goes on with at once. Each may be another worker's when its turn is over.
  static void run(void* thread, sched::Task* cell);

  /// Stops this actor, a child of its, or by order any other actor.
  void stop(Ref whom);

 private:
  // ---- user mail ----
  void run();
  bool is_slice_over(std::int64_t& end_ns) const;
  void yield();
  void set_overloaded(bool is_overloaded);
  bool park(ThreadState& thread, Cell& tenant);
  void park_suspended();
  // True: the message was handled, and neither the stage nor the suspensions can have changed.
  bool handle(ThreadState& thread, Cell& tenant, Envelope* envelope);
  void handle_special(Envelope* envelope);
  void send_stray_to_dead_letters(Envelope* envelope);
  void open(message::Packet& packet);
  void dispatch(Envelope* envelope);
  bool receive(ThreadState& thread, Cell& tenant, Envelope* envelope);
  void before_handler();
  void on_kept();
  void on_handler_failed(Envelope* envelope, FailurePtr failure);
  void on_unhandled(Envelope* envelope);
  void on_poison_or_kill(Envelope* envelope);
  void on_identify(Envelope* envelope);
  bool on_terminated_message(Envelope* envelope);
  void on_tick(Envelope* envelope);
  void on_reply(Envelope* envelope);
  void on_ask_timeout(std::uint64_t token);
  void complete_ask(const Ask& ask, const FailurePtr& refusal);

  // ---- system messages ----
  bool handle_system_messages();
  template <class Call>
  void safely(Call&& call);
  Envelope* with_deferred(Envelope* list, Deferral before);
  void handle(SystemMessage& received);
  void on_terminated(const SystemMessage& notice, bool existence_confirmed);
  void on_child_terminated(Ref child);
  void strike_from_directory(const Cell& child, Ref ref);
  void on_child_terminated_hook(Ref child);
  void on_watch(const SystemMessage& request);
  void on_unwatch(const SystemMessage& request);
  void on_subtree_started(Ref child);
};
static_assert(sizeof(Activation) <= 128,
              "built for every turn: the state of organs is CellExtras'");

}  // namespace actord::actor
