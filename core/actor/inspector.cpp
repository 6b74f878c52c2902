// SPDX-License-Identifier: Apache-2.0
#include "actor/inspector.hpp"

#include <algorithm>
#include <new>

#include "actor/cell_extras.hpp"
#include "actor/census.hpp"
#include "actor/child_list.hpp"
#include "actor/supervisor.hpp"

namespace actord::actor {

namespace {

std::string_view state_of(const Lifecycle& life) noexcept {
  switch (life.stage()) {
    case Stage::fresh: return "starting";
    case Stage::running:
      if (life.is_failed()) return "failed";
      if (life.is_suspended()) return "suspended";
      if (life.is_waiting_for_journal()) return "waiting for the journal";
      return life.is_waiting_for_room() ? "waiting for room" : "running";
    case Stage::recreating:
    case Stage::creating: return "restarting";
    case Stage::backing_off: return "backing off";
    case Stage::terminating: return "stopping";
    case Stage::terminated: break;
  }
  return "stopped";
}

void list_children(const Turn& turn, Inspection& answer) {
  const CellPool& cells = turn.environment().cells;
  for (Cell& child : children_of(turn)) {
    if (++answer.n_children > Inspection::list_max) continue;
    CellName::Buffer buffer;
    answer.children.push_back(
        {cells.ref_of(child), std::string{child.name.text(buffer)}, child.has(Cell::dying)});
  }
}

void list_types(const Turn& turn, Inspection& answer) {
  const Cell& cell = turn.cell();
  const auto add = [](std::vector<std::string>& names, const actord_receive& of) {
    for (const actord_case& each : std::span{of.cases, of.n_cases}) {
      std::string name{message::view(each.type)};
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  };
  add(answer.takes, *cell.receive->table());
  answer.named_state = message::view(cell.receive->table()->name);
  answer.takes_all = cell.receive->table()->otherwise != nullptr;
  for (const ReceiveTable& each : cell.props->behaviour.receives())
    add(answer.takes_later, *each.table());
  std::erase_if(answer.takes_later, [&](const std::string& name) {
    return std::ranges::find(answer.takes, name) != answer.takes.end();
  });
}

void describe_limit(const Turn& turn, Inspection::Mailbox& mailbox) {
  const MailboxLimits::Row* const row = turn.environment().mailbox_limits.find(turn.cell());
  if (row == nullptr) return;
  const MailboxLimit limit = row->limit();
  mailbox.capacity = limit.capacity;
  mailbox.overflow = limit.overflow;
  mailbox.overflows = row->overflows.load(base::relaxed);
}

void list_extras(const Turn& turn, const CellExtras& extras, Inspection& answer) {
  const DeathWatch::Watches& watches = extras.death_watch.watches();
  answer.n_watchers = watches.watchers.size();
  answer.n_watched = watches.watching.size();
  const auto has_room = [](const auto& list) { return list.size() < Inspection::list_max; };
  for (const DeathWatch::Watcher& each : watches.watchers) {
    if (has_room(answer.watchers)) answer.watchers.push_back(each.who);
  }
  for (const auto& [watched, replacement] : watches.watching) {
    if (has_room(answer.watched)) answer.watched.push_back(watched);
  }
  extras.timers.for_each([&](const ActorTimer& timer) {
    ++answer.n_timers;
    if (has_room(answer.timers))
      answer.timers.push_back({timer.key, timer.due_ns, timer.period_ns, timer.message->type()});
  });
  answer.receive_timeout_ns = extras.timers.receive_timeout_ns();
  answer.asks = extras.asks.size();
  answer.is_held = extras.recovery.is_held();
  answer.mailbox.stashed = extras.stash.count();
  if (extras.order != nullptr) answer.mailbox.order = extras.order->text();
  if (extras.persistence != nullptr && extras.persistence->id() != nullptr)
    answer.persistence = {*extras.persistence->id(), extras.persistence->state()};
  if (turn.cell().life.stage() == Stage::backing_off)
    answer.restart_due_ns = extras.recovery.backoff_until_ns();
}

void describe_router(const Turn& turn, Inspection& answer) {
  const Routes& routes = turn.environment().routes;
  const auto logic = routes.logic_of(turn.self);
  if (!logic) return;
  InspectedRouter& router = answer.router.emplace();
  router.logic = *logic;
  router.routees = routes.read(turn.self);
  router.n_routees = router.routees.size();
  if (router.n_routees > Inspection::list_max) router.routees.resize(Inspection::list_max);
}

void describe(Turn& turn, Inspection& answer) {
  const Cell& cell = turn.cell();
  const Props& props = *cell.props;
  answer.self = turn.self;
  answer.behaviour = props.behaviour.name;
  answer.plugin_version = props.behaviour.version;
  answer.state = state_of(cell.life);
  answer.incarnation = cell.life.incarnation();
  answer.dispatcher = cell.dispatcher.load(base::relaxed);
  const Remoting* const remoting = props.behaviour.remoting;
  if (remoting != nullptr && cell.instance != nullptr && !remoting->is_lost(cell.instance))
    answer.process_id = remoting->process_of(cell.instance);
  if (props.node != nullptr) answer.origin = props.node->origin;
  answer.strategy = supervisor::strategy(turn);
  const Census::Count count = count_messages(turn);
  answer.mailbox.messages = count.messages;
  answer.mailbox.has_more = count.has_more;
  answer.mailbox.most = count.type;
  describe_limit(turn, answer.mailbox);
  list_children(turn, answer);
  list_types(turn, answer);
  describe_router(turn, answer);
  if (const CellExtras* const extras = turn.find_extras()) list_extras(turn, *extras, answer);
}

}  // namespace

void answer_inspection(Turn& turn, Inspection& inspection) noexcept {
  try {
    describe(turn, inspection);
  } catch (const std::bad_alloc&) {
    return inspection.done(Inspection::Outcome::no_memory);
  }
  inspection.done(Inspection::Outcome::answered);
}

}  // namespace actord::actor
