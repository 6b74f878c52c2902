// SPDX-License-Identifier: Apache-2.0
#include "sim/scan.hpp"

#include "actor/child_list.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace actord::sim {

namespace {

using actor::Cell;
using actor::CellExtras;
using actor::MailboxWord;
using actor::Stage;

std::uint64_t word_of(const Cell& cell) {
  static_assert(sizeof(MailboxWord) == sizeof(std::uint64_t));
  std::uint64_t word;
  std::memcpy(&word, static_cast<const void*>(&cell.mailbox), sizeof word);
  return word;
}

bool is_open(const Cell& cell) {
  return cell.props != nullptr && cell.life.stage() != Stage::terminated &&
         (word_of(cell) & MailboxWord::closed) == 0;
}

template <class Visit>
void visit_tree(SimWorld& world, actor::Ref top, Visit&& visit) {
  const actor::CellPool& cells = world.system().cells;
  std::vector<std::uint32_t> open{actor::index_of(top)};
  while (!open.empty()) {
    const Cell& cell = cells.at(open.back());
    open.pop_back();
    visit(cell);
    for (const Cell& child : actor::children_of(cells, cell)) open.push_back(cells.index_of(child));
  }
}

class Scan {
 public:
  Scan(SimWorld& world, Findings& findings)
      : world_(world), findings_(findings), queued_(world.simulator().runnable()) {
    std::ranges::sort(queued_);
    if (std::ranges::adjacent_find(queued_) != queued_.end())
      findings_.add(2, "a cell is in the run queues twice");
  }

  void all() {
    std::size_t awake = 0;
    visit_tree(world_, world_.system().find("/"), [&](const Cell& cell) {
      if (!is_open(cell)) return;
      if ((word_of(cell) & MailboxWord::parked) == 0) ++awake;
      parking(cell);
      balance(cell);
    });
    if (awake != queued_.size()) {
      findings_.add(2, std::to_string(awake) + " cells are awake, " +
                           std::to_string(queued_.size()) + " in the run queues");
    }
  }

  void parking(const Cell& cell) {
    const std::uint64_t word = word_of(cell);
    const bool is_parked = (word & MailboxWord::parked) != 0;
    const bool is_queued = std::ranges::binary_search(
        queued_, &cell, {}, [](const sched::Task* t) { return static_cast<const Cell*>(t); });
    if (is_parked == is_queued)
      say(2, cell, is_parked ? "is parked and in a run queue" : "is awake and in no run queue");
    if (!is_parked) return;
    if (cell.system.has_mail()) say(3, cell, "sleeps over its orders");
    const bool is_suspended = (word & MailboxWord::suspended) != 0;
    if (is_suspended && !cell.life.is_paused()) say(4, cell, "sleeps suspended, by nobody");
    if (!is_suspended && (MailboxWord::pointer(word) != nullptr || cell.inbox.has_fetched()))
      say(3, cell, "sleeps over its mail");
  }

  // 7: one suspension for the actor's own failure, and one for each of the parent's that the parent
  // has sent to it. Checked only where nothing is under way: all system messages obeyed, no restart
  // waiting, no actor stopping.
  void balance(const Cell& cell) {
    if (cell.life.suspensions() > 1'000'000) say(6, cell, "has fewer than no suspensions");
    if (cell.parent == Cell::none || !is_still(cell)) return;
    const Cell& parent = world_.system().cells.at(cell.parent);
    if (!is_still(parent) || cell.has(Cell::dying)) return;
    const std::uint32_t expected = parent.life.suspensions() + (cell.life.is_failed() ? 1 : 0);
    const actor::Ref self = world_.system().cells.ref_of(cell);
    // The perpetrator is not suspended by its parent's failure, which is its own. If that parent
    // failed once more when it was restarted, the perpetrator is no longer known. A restart for
    // another actor's failure may have healed its own; that suspension waits for the verdict.
    const bool was_perpetrator =
        parent.life.is_failed() &&
        (parent.extras->recovery.perpetrator() == self || parent.life.is_failed_fatally());
    if (cell.life.suspensions() == expected) return;
    if (was_perpetrator && cell.life.is_failed() && cell.life.suspensions() == expected - 1) return;
    say(7, cell,
        "has " + std::to_string(cell.life.suspensions()) + " suspensions, of " +
            std::to_string(expected));
  }

  void say(int invariant, const Cell& cell, const std::string& what) {
    findings_.add(invariant, world_.system().path(world_.system().cells.ref_of(cell)) + ' ' + what);
  }

 private:
  static bool is_still(const Cell& cell) {
    return cell.life.stage() == Stage::running && !cell.system.has_mail() && is_open(cell) &&
           (cell.extras == nullptr || cell.extras->deferred.is_empty());
  }

  SimWorld& world_;
  Findings& findings_;
  std::vector<const sched::Task*> queued_;
};

using Watches = actor::DeathWatch::Watches;

bool has_watcher(const Watches& watches, actor::Ref ref) {
  using Watcher = actor::DeathWatch::Watcher;
  return std::ranges::find(watches.watchers, ref, &Watcher::who) != watches.watchers.end();
}

// 24: watcher and watched actor agree on a watch.
void check_watches(SimWorld& world, const Cell& cell, Scan& scan) {
  if (cell.extras == nullptr) return;
  const actor::Ref self = world.system().cells.ref_of(cell);
  const Watches& watches = cell.extras->death_watch.watches();
  for (const auto& [who, replacement] : watches.watching) {
    const CellExtras* const other = world.is_alive(who) ? world.cell(who).extras : nullptr;
    if (other == nullptr || !has_watcher(other->death_watch.watches(), self))
      scan.say(24, cell, "watches an actor that has no such watcher");
  }
  for (const auto& [watcher, token] : watches.watchers) {
    if (token != 0) continue;  // it awaits the end, and does not watch
    const CellExtras* const other = world.is_alive(watcher) ? world.cell(watcher).extras : nullptr;
    if (other == nullptr || !other->death_watch.watches().watching.contains(self))
      scan.say(24, cell, "has a watcher that does not watch it");
  }
}

}  // namespace

void scan_running(SimWorld& world, Findings& findings) {
  if (world.has_stopped()) return;
  Scan(world, findings).all();
  const actor::MessageCounters counters = world.system().counters();
  if (counters.ended() > counters.sent)
    findings.add(20, std::to_string(counters.sent) + " messages were sent, and " +
                         std::to_string(counters.ended()) + " have ended");
}

void scan_settled(SimWorld& world, Findings& findings) {
  Scan scan(world, findings);
  scan.all();
  visit_tree(world, world.system().find("/"), [&](const Cell& cell) {
    if (!is_open(cell)) return scan.say(10, cell, "is dead, and its parent was not told");
    if (cell.life.stage() != Stage::running) scan.say(10, cell, "is not running");
    if (cell.life.is_failed()) scan.say(10, cell, "has failed, and nobody decides");
    if (cell.life.suspensions() != 0) scan.say(6, cell, "is suspended for ever");
    check_watches(world, cell, scan);
  });
}

void scan_stopped(SimWorld& world, Findings& findings) {
  const actor::MessageCounters counters = world.system().counters();
  if (counters.sent != counters.ended())
    findings.add(20, std::to_string(counters.sent) + " messages were sent, and " +
                         std::to_string(counters.ended()) + " have ended");
  if (const std::size_t lost = world.system().blocks_in_use(); lost != 0)
    findings.add(20, std::to_string(lost) + " envelopes leaked");
  if (world.simulator().timers().size() != 0) findings.add(36, "timers outlive the system");
}

}  // namespace actord::sim
