// SPDX-License-Identifier: Apache-2.0
#include "system/event_journal.hpp"

#include <algorithm>

#include "message/message_pack.hpp"
#include "message/pack_check.hpp"
#include "message/stored_members.hpp"
#include "system/actor_system.hpp"
#include "system/journal_actor.hpp"

namespace actord::system {

using actor::JournalRequest;
using actor::JournalRequestPtr;
using actor::Ref;
using actor::SystemMessage;
using actor::ThreadState;

namespace {

using Kind = JournalRequest::Kind;

// Requests that do not write are carried out, before what has been persisted meanwhile is written:
// so many take about as long as a group.
constexpr std::size_t others_per_round = 128;

// Events and snapshots of which the types are tried on one of each: a hundredth of a second.
constexpr std::size_t samples_max = 10'000;

// The caller that gives its reference away leaves the freeing of the request to the actor's worker,
// which has allocated it.
void answer(ThreadState& thread, JournalRequestPtr request) {
  const Ref to = request->from;
  thread.send_system(to, SystemMessage::journal(std::move(request)));
}

void fail(ThreadState& thread, const JournalRequestPtr& request, persist::StoreError error) {
  if (request->kind == Kind::release) return;
  request->error = std::move(error);
  answer(thread, request);
}

persist::StoreError ending() { return {persist::Fault::io, "the system is shutting down"}; }

}  // namespace

// ---- any thread ---------------------------------------------------------------------------------

Journal::Journal(ActorSystem& system, JournalSettings wanted)
    : system_(system),
      settings_(std::move(wanted)),
      work_type_(system.types.find("actord.JournalWork/1")) {}

void Journal::set_live(const LiveJournalSettings& live) {
  settings.recovery_timeout_ns.store(live.recovery_timeout_ns, base::relaxed);
  settings.snapshot_every.store(live.snapshot_every, base::relaxed);
  settings.deletes_events.store(live.deletes_events, base::relaxed);
  recovering_max_.store(live.recovering_max, base::relaxed);
  small_recovery_bytes_.store(live.small_recovery_bytes, base::relaxed);
  group_events_max_.store(live.group_events_max, base::relaxed);
  group_bytes_max_.store(live.group_bytes_max, base::relaxed);
  std::lock_guard lock(mutex_);
  wanted_ = live.store;
}

JournalReport Journal::report() const {
  std::lock_guard lock(mutex_);
  return report_;
}

Journal::Wake Journal::wake() {
  if (ref_ == actor::nobody) return {actor::nobody, !std::exchange(is_spawned_, true)};
  return {std::exchange(is_told_, true) ? actor::nobody : ref_, false};
}

void Journal::submit(ThreadState& thread, JournalRequestPtr request) {
  Wake noticed;
  {
    std::unique_lock lock(mutex_);
    if (is_over_) {
      lock.unlock();
      return fail(thread, request, ending());
    }
    queue_.push_back(std::move(request));
    noticed = wake();
  }
  if (noticed.must_spawn) return spawn();
  if (noticed.to_tell == actor::nobody) return;
  detail::JournalWork notice;
  thread.tell(noticed.to_tell, work_type_, &notice, actor::nobody);
}

void Journal::perform(std::shared_ptr<JournalTask> task) {
  Wake noticed;
  {
    std::unique_lock lock(mutex_);
    if (is_over_) {
      lock.unlock();
      return task->fail(ending());
    }
    new_tasks_.push_back(std::move(task));
    noticed = wake();
  }
  if (noticed.must_spawn) return spawn();
  if (noticed.to_tell == actor::nobody) return;
  detail::JournalWork notice;
  system_.tell(noticed.to_tell, work_type_, &notice);
}

void Journal::spawn() {
  auto props = system_.props_of(detail::props_of<JournalActor>(), "actord/SystemGuardian");
  const auto spawned = system_.system_actors().spawn("journal", "pinned", std::move(props).value());
  if (spawned) return;
  Requests lost;
  Tasks undone;
  {
    std::lock_guard lock(mutex_);
    lost = std::exchange(queue_, {});
    undone = std::exchange(new_tasks_, {});
    is_spawned_ = false;
  }
  const persist::StoreError error{persist::Fault::io, spawned.error().what};
  for (const JournalRequestPtr& each : lost) {
    if (each->kind == Kind::release) continue;
    each->error = error;
    system_.send_system(each->from, SystemMessage::journal(each));
  }
  for (const auto& each : undone) each->fail(error);
}

// ---- /system/journal ----------------------------------------------------------------------------

void Journal::attach(Ref ref) {
  std::lock_guard lock(mutex_);
  ref_ = ref;
  is_told_ = true;
}

bool Journal::work(ThreadState& thread) {
  Requests requests;
  {
    std::lock_guard lock(mutex_);
    requests.swap(queue_);
    for (; !new_tasks_.empty(); new_tasks_.pop_front())
      tasks_.push_back(std::move(new_tasks_.front()));
    if (requests.empty() && tasks_.empty() && others_.empty()) {
      is_told_ = false;
      if (store_ != nullptr) report_.store = store_->status();
      return false;
    }
  }
  write_all(thread, requests);
  go_on(thread, others_per_round);
  if (!tasks_.empty()) perform_step(thread);
  std::lock_guard lock(mutex_);
  report_.writers = writers_.size();
  report_.recovering = recovering_.size();
  report_.to_recover = to_recover_.size();
  return true;
}

void Journal::perform_step(ThreadState& thread) {
  const std::shared_ptr<JournalTask> task = std::move(tasks_.front());
  tasks_.pop_front();
  const auto opened = store();
  if (!opened) {
    note(opened.error());
    return task->fail(opened.error());
  }
  is_untidy_ = true;
  const auto writer_of = [&](std::string_view id) {
    const auto found = writers_.find(std::string{id});
    const bool is_held = found != writers_.end() && thread.is_mailbox_open(found->second);
    return is_held ? found->second : actor::nobody;
  };
  const auto id_of = [&](Ref writer) {
    const auto found =
        std::ranges::find(writers_, writer, [](const auto& each) { return each.second; });
    return found == writers_.end() ? std::string{} : found->first;
  };
  if (task->step({**opened, writer_of, id_of})) tasks_.push_back(task);
}

bool Journal::tidy_up() {
  if (store_ == nullptr || !is_untidy_) return false;
  const auto done = store_->tidy_up();
  note(done ? std::nullopt : std::optional{done.error()});
  is_untidy_ = done ? *done : done.error().fault != persist::Fault::damaged;
  std::lock_guard lock(mutex_);
  report_.store = store_->status();
  return is_untidy_;
}

void Journal::detach(ThreadState& thread) {
  Requests left;
  {
    std::lock_guard lock(mutex_);
    ref_ = actor::nobody;
    is_over_ = system_.is_terminating();
    left.swap(queue_);
    for (; !new_tasks_.empty(); new_tasks_.pop_front())
      tasks_.push_back(std::move(new_tasks_.front()));
  }
  // What was asked for before is still carried out.
  write_all(thread, left);
  go_on(thread, SIZE_MAX);
  for (const auto& each : std::exchange(tasks_, {})) each->fail(ending());
  if (is_over_) store_.reset();
  else is_spawned_ = false;
}

// ---- requests -----------------------------------------------------------------------------------

std::int64_t Journal::now_ns() const {
  return settings_.now_ns ? settings_.now_ns() : system_.now_ns();
}

persist::StoreResult<persist::Store*> Journal::store() {
  if (store_ == nullptr) {
    auto opened = settings_.open_store();
    if (!opened) return opened.error();
    store_ = std::move(opened).value();
    tuned_.reset();
    {
      std::lock_guard lock(mutex_);
      report_.is_open = true;
    }
    try_types();
  }
  return store_.get();
}

// The actors that have stored such entries fail one after the other, when they recover. This is
// said at once, and once for each type.
void Journal::try_types() {
  const auto samples = store_->samples(samples_max);
  if (!samples) return;  // what the store is asked next says why
  for (const persist::StoredEntry& each : *samples) {
    const message::TypeId type = system_.types.find(each.type);
    if (type == 0 || !message::is_whole_pack(each.content)) continue;
    const message::PackReader reader(each.content);
    const std::string member =
        message::unknown_member(*system_.types.at(type).table, reader.root());
    if (member.empty()) continue;
    system_.log.shared().emit(
        log::Level::error, "journal.member-unknown",
        "what was stored has a member that its type has no longer: actors cannot recover from it",
        {{"message.type", each.type},
         {"message.member", member},
         {"reason", message::why_not_read(member)}});
  }
}

void Journal::write_all(ThreadState& thread, Requests& requests) {
  const std::size_t events_max = group_events_max_.load(base::relaxed);
  const std::size_t bytes_max = group_bytes_max_.load(base::relaxed);
  Requests group;
  std::size_t events = 0, bytes = 0;
  for (JournalRequestPtr& request : requests) {
    if (request->kind != Kind::write) {
      others_.push_back(std::move(request));
      continue;
    }
    const bool is_full =
        events + request->events.size() > events_max || bytes + request->bytes.size() > bytes_max;
    if (!group.empty() && is_full) {
      commit(thread, group);
      events = bytes = 0;
    }
    events += request->events.size();
    bytes += request->bytes.size();
    group.push_back(std::move(request));
  }
  if (!group.empty()) commit(thread, group);
}

void Journal::go_on(ThreadState& thread, std::size_t count) {
  for (; count != 0 && !others_.empty(); --count) {
    const JournalRequestPtr request = std::move(others_.front());
    others_.pop_front();
    if (request->kind == Kind::recover) {
      recover(thread, *request);
    } else if (request->kind == Kind::read) {
      read(*request);
      const bool is_last = request->error || request->entries.empty() ||
                           request->entries.back().sequence >= recovering_[request->from];
      answer(thread, request);
      if (is_last) end_recovery(thread, request->from);
    } else {
      release(thread, *request);
    }
  }
}

void Journal::recover(ThreadState& thread, JournalRequest& request) {
  const JournalRequestPtr answered(&request);
  const auto [writer, is_new] = writers_.try_emplace(*request.id, request.from);
  if (!is_new && writer->second != request.from) {
    if (thread.is_mailbox_open(writer->second))
      return fail(
          thread, answered,
          {persist::Fault::gap, "the persistence id \"" + *request.id + "\" is that of the actor " +
                                    system_.path(writer->second) + ", too"});
    writer->second = request.from;
  }
  refused_.erase(request.from);
  const bool has_turn = recovering_.contains(request.from);
  if (!begin(request, has_turn || has_free_turn())) return wait_for_turn(answered);
  note(request.error);
  answer(thread, answered);
  const persist::Beginning& found = request.beginning;
  const std::uint64_t given =
      request.entries.empty() ? found.begins_behind() : request.entries.back().sequence;
  if (!request.error && found.last_sequence > given) {
    recovering_[request.from] = found.last_sequence;
    std::lock_guard lock(mutex_);
    report_.recovering_most = std::max(report_.recovering_most, recovering_.size());
  } else if (has_turn) {
    end_recovery(thread, request.from);
  }
}

bool Journal::begin(JournalRequest& request, bool has_turn) {
  request.error.reset();
  request.beginning = {};
  request.entries.clear();
  const std::size_t small = small_recovery_bytes_.load(base::relaxed);
  if (!has_turn && small == 0) return false;
  auto opened = store();
  if (!opened) {
    request.error = opened.error();
    return true;
  }
  auto beginning = (*opened)->look(*request.id);
  if (!beginning) {
    request.error = beginning.error();
    return true;
  }
  request.beginning = std::move(beginning).value();
  const persist::Beginning& found = request.beginning;
  std::size_t bytes = found.snapshot ? found.snapshot->content.size() : 0;
  std::uint64_t given = found.begins_behind();
  if (given < found.last_sequence && bytes < small) {
    auto entries = (*opened)->read(*request.id, given + 1, {.bytes = small - bytes});
    if (!entries) {
      request.error = entries.error();
      return true;
    }
    request.entries = std::move(entries).value();
    for (const persist::StoredEntry& each : request.entries) bytes += each.content.size();
    if (!request.entries.empty()) given = request.entries.back().sequence;
  }
  if (!has_turn && (bytes > small || given < found.last_sequence)) return false;
  std::lock_guard lock(mutex_);
  report_.replayed += request.entries.size();
  return true;
}

void Journal::read(JournalRequest& request) {
  const auto opened = store();
  if (!opened) {
    request.error = opened.error();
    return;
  }
  auto entries = (*opened)->read(*request.id, request.next, {});
  if (!entries) {
    request.error = entries.error();
    return note(request.error);
  }
  request.entries = std::move(entries).value();
  std::lock_guard lock(mutex_);
  report_.replayed += request.entries.size();
}

void Journal::end_recovery(ThreadState& thread, Ref who) {
  recovering_.erase(who);
  // One that has nothing to read leaves its turn to the next.
  while (!to_recover_.empty() && has_free_turn()) {
    const JournalRequestPtr next = std::move(to_recover_.front());
    to_recover_.pop_front();
    recover(thread, *next);
  }
}

bool Journal::has_free_turn() const {
  return recovering_.size() < recovering_max_.load(base::relaxed);
}

// An actor that is restarted while it waits does not read what it asked for before.
void Journal::wait_for_turn(const JournalRequestPtr& request) {
  const auto former =
      std::ranges::find(to_recover_, request->from, [](const auto& each) { return each->from; });
  if (former != to_recover_.end()) *former = request;
  else to_recover_.push_back(request);
}

void Journal::release(ThreadState& thread, const JournalRequest& request) {
  const auto found = writers_.find(*request.id);
  if (found != writers_.end() && found->second == request.from) writers_.erase(found);
  refused_.erase(request.from);
  std::erase_if(to_recover_, [&](const auto& each) { return each->from == request.from; });
  if (recovering_.contains(request.from)) end_recovery(thread, request.from);
}

// ---- groups -------------------------------------------------------------------------------------

persist::StoreResult<void> Journal::write(const Requests& group) {
  std::size_t n = 0;
  for (const JournalRequestPtr& each : group) n += each->events.size();
  std::vector<persist::Entry> entries;
  entries.reserve(n);
  std::vector<persist::Write> writes;
  writes.reserve(group.size());
  for (const JournalRequestPtr& each : group) {
    const std::size_t first = entries.size();
    for (const JournalRequest::Piece& event : each->events) entries.push_back(each->entry(event));
    persist::Write& write = writes.emplace_back();
    write.id = *each->id;
    write.events = std::span{entries}.subspan(first);
    if (each->snapshot) write.snapshot = each->entry(*each->snapshot);
    write.is_newest_only = each->is_newest_only;
    write.delete_to = each->delete_to;
  }
  const auto opened = store();
  if (!opened) return opened.error();
  if (auto tuned = tune(**opened); !tuned) return tuned;
  return (*opened)->write(writes, now_ns());
}

persist::StoreResult<void> Journal::tune(persist::Store& store) {
  persist::StoreTuning wanted;
  {
    std::lock_guard lock(mutex_);
    wanted = wanted_;
  }
  if (tuned_ == wanted) return {};
  auto tuned = store.tune(wanted);
  if (tuned) tuned_ = wanted;
  return tuned;
}

void Journal::refuse_followers(ThreadState& thread, Requests& group) {
  if (refused_.empty()) return;
  std::erase_if(group, [&](const JournalRequestPtr& each) {
    const auto found = refused_.find(each->from);
    if (found == refused_.end() || each->events.empty()) return false;
    fail(thread, each, found->second);
    return true;
  });
}

void Journal::commit(ThreadState& thread, Requests& group) {
  refuse_followers(thread, group);
  if (group.empty()) return;
  const std::int64_t began_ns = system_.now_ns();
  auto written = write(group);
  is_untidy_ = true;
  // One that does not follow its predecessor must not cost the others their events.
  if (!written && written.error().fault == persist::Fault::gap && group.size() > 1) {
    for (JournalRequestPtr& each : group) {
      Requests alone;
      alone.push_back(std::move(each));
      commit(thread, alone);
    }
    return group.clear();
  }
  {
    std::lock_guard lock(mutex_);
    if (!written) ++report_.failed_groups;
    else ++report_.groups;
    if (written) report_.writing_ns += system_.now_ns() - began_ns;
    std::size_t events = 0;
    for (const JournalRequestPtr& each : group) {
      if (!written) break;
      events += each->events.size();
      report_.bytes += each->bytes.size();
      report_.snapshots += each->snapshot ? 1 : 0;
    }
    report_.events += events;
    // It may never be idle.
    if (written && report_.groups % 64 == 1) report_.store = store_->status();
    report_.largest_group = std::max(report_.largest_group, events);
  }
  note(written ? std::nullopt : std::optional{written.error()});
  for (JournalRequestPtr& each : group) {
    if (written) {
      answer(thread, std::move(each));
      continue;
    }
    if (!each->events.empty()) refused_.insert_or_assign(each->from, written.error());
    fail(thread, each, written.error());
  }
  group.clear();
}

void Journal::note(const std::optional<persist::StoreError>& fault) {
  if (fault && fault->concerns_id) return;  // the actor of that id says so
  bool was_faulty;
  {
    std::lock_guard lock(mutex_);
    was_faulty = report_.fault.has_value();
    // While the disk is full, what is read, and snapshots, succeed all the same.
    if (was_faulty && !fault && store_ != nullptr && store_->status().is_full) return;
    report_.fault = fault;
    if (fault.has_value() != was_faulty && store_ != nullptr) report_.store = store_->status();
  }
  if (fault.has_value() != was_faulty) system_.tell_journal_changed();
  if (fault && !was_faulty)
    system_.log.shared().emit(
        log::Level::error, "journal.failed",
        "the journal cannot be used: what is persisted meanwhile stops its actor",
        {{"journal.fault", persist::name_of(fault->fault)}, {"reason", fault->what}});
  else if (!fault && was_faulty)
    system_.log.shared().emit(log::Level::info, "journal.recovered", "the journal works again", {});
}

}  // namespace actord::system
