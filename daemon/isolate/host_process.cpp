// SPDX-License-Identifier: Apache-2.0
#include "isolate/host_process.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/clock.hpp"

namespace actord::isolate {

namespace {

using Kind = link::HostEnd::Kind;

constexpr std::int64_t never = INT64_MAX;
// An end is known from the host, or at the latest when the kernel has ended it.
constexpr std::int64_t end_wait_ns = 2 * base::ns_per_s;
// A host that was told to say where it hangs, or that is saying how it ends.
constexpr std::int64_t note_limit_ns = 2 * base::ns_per_s;
// After what a host has said of its end, for its core dump.
constexpr std::int64_t exit_limit_ns = 10 * base::ns_per_s, dump_limit_ns = 120 * base::ns_per_s;
// Between the end of the connection and that of the process, which the kernel does in this order.
constexpr std::int64_t lost_limit_ns = base::ns_per_s / 2;
constexpr std::int64_t look_min_ns = 20 * base::ns_per_ms, look_max_ns = base::ns_per_s;
// Until the thread in a call has seen that the process has ended.
constexpr std::int64_t site_limit_ns = base::ns_per_s;
// So that a host that sends without end leaves time for the others.
constexpr int packets_at_once = 64;

/// For threads that want a lane when the process has ended.
class DeadChannel final : public link::Channel {
 public:
  Turned exchange(std::string_view, std::string& requests) override {
    requests.clear();
    return {};
  }
  Turned run(std::string_view, Server& server) override {
    static_cast<void>(server.serve({}, false));
    return {};
  }
};
DeadChannel dead_channel;

std::string seconds(std::int64_t ns) {
  const std::int64_t ms = ns / base::ns_per_ms;
  return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
}

}  // namespace

HostProcess::HostProcess(system::ActorSystem& actors, HostedPluginPtr plugin,
                         const IsolationOptions& options, const IsolationEvents& events,
                         os::ReadyWait& wait)
    : Host(actors),
      plugin_(std::move(plugin)),
      options_(options),
      events_(events),
      wait_(wait),
      made_ns_(base::monotonic_ns()) {}

HostProcess::~HostProcess() = default;

// ---- the lanes ----------------------------------------------------------------------------------

link::Channel& HostProcess::acquire() {
  std::unique_lock lock(lanes_mutex_);
  for (;;) {
    if (!is_alive()) return dead_channel;
    LaneChannel* channel = nullptr;
    if (!free_.empty()) {
      channel = free_.back();
      free_.pop_back();
    } else if (with_thread_ < channels_.size()) {
      channel = channels_[with_thread_].get();
      if (with_thread_++ > 0) send(StepKind::lane, std::to_string(channel->lane.number()));
    }
    if (channel != nullptr) {
      channel->count_use();
      return *channel;
    }
    ++waiting_for_lane_;
    lane_is_free_.wait(lock);
    --waiting_for_lane_;
  }
}

void HostProcess::release(link::Channel& channel) {
  if (&channel == &dead_channel) return;
  auto& own = static_cast<LaneChannel&>(channel);
  own.count_use();
  if (is_alive()) own.forget_site();
  bool is_wanted = false;
  {
    const std::lock_guard lock(lanes_mutex_);
    free_.push_back(&own);
    is_wanted = waiting_for_lane_ > 0;
  }
  if (is_wanted) lane_is_free_.notify_one();
}

void HostProcess::close_lanes() noexcept {
  mark_dead();
  {
    const std::lock_guard lock(lanes_mutex_);
    for (std::size_t i = 0; i < with_thread_; ++i) channels_[i]->lane.give_up();
    // The thread of the first one waits although no actor has used it.
    if (with_thread_ == 0 && lanes_) lanes_->close(0);
  }
  lane_is_free_.notify_all();
}

void HostProcess::note_death() noexcept {
  mark_dead();
  wait_.wake();
}

bool HostProcess::is_bystander(const os::ParentLane& lane) const {
  const int other = lanes_->end_facts().lane;
  return other >= 0 && other != static_cast<int>(lane.number()) &&
         channels_[static_cast<std::size_t>(other)]->lane.is_busy();
}

// ---- the end ------------------------------------------------------------------------------------

void HostProcess::kill(Kind why, std::string detail) {
  {
    const std::lock_guard lock(mutex_);
    if (!killed_ && !is_sufficient(evidence())) killed_ = KillReason{why, std::move(detail)};
    if (process_) process_->kill();
  }
  close_lanes();
  changed_.notify_all();
  wait_.wake();
}

link::HostEnd HostProcess::end() {
  std::unique_lock lock(mutex_);
  const auto is_known = [this] { return end_ || is_sufficient(evidence()); };
  changed_.wait_for(lock, std::chrono::nanoseconds(end_wait_ns), is_known);
  return known_end();
}

EndEvidence HostProcess::evidence() const {
  return {killed_, lanes_ ? lanes_->end_facts() : os::EndFacts{}, status_};
}

/// What was said once stays so, whatever is learnt later.
link::HostEnd HostProcess::known_end() {
  if (end_) return *end_;
  const EndEvidence known = evidence();
  link::HostEnd end = end_of(known, files(), process_ ? process_->id() : 0);
  if (is_sufficient(known)) end_ = end;
  return end;
}

const LaneChannel* HostProcess::culprit() const {
  const os::EndFacts said = lanes_->end_facts();
  const bool is_elsewhere = said.kind != os::EndNote::Kind::none && said.lane < 0;
  for (const auto& channel : channels_) {
    const bool may_be = said.kind == os::EndNote::Kind::none ||
                        said.lane == static_cast<int>(channel->lane.number());
    if (!is_elsewhere && may_be && channel->lane.is_busy()) return channel.get();
  }
  return nullptr;
}

void HostProcess::end_in_order() {
  {
    const std::lock_guard lock(mutex_);
    if (killed_ || is_sufficient(evidence())) return;
    killed_ = KillReason{Kind::closed, {}};
    is_ending_ = true;
    kill_at_ns_ = base::monotonic_ns() + options_.end_grace_ns;
    if (is_started_) send(StepKind::end, {});
  }
  close_lanes();
  wait_.wake();
}

void HostProcess::note_status() {
  if (status_is_known_ || !process_) return;
  const auto status = process_->end();
  if (!status) return;
  {
    const std::lock_guard lock(mutex_);
    status_ = status;
    kill_at_ns_ = never;
  }
  status_is_known_ = true;
  changed_.notify_all();
}

/// Says once how the process has ended, as soon as that is known.
void HostProcess::settle(std::int64_t now_ns) {
  if (is_settled_ || (is_alive() && !status_is_known_)) return;
  const LaneChannel* guilty = nullptr;
  HostDeath death;
  {
    const std::lock_guard lock(mutex_);
    const EndEvidence known = evidence();
    if (killed_ && killed_->waits_for_note && !is_sufficient(known)) return;
    if (!is_sufficient(known)) {
      killed_ = KillReason{Kind::protocol, "it has closed a lane"};
      process_->kill();
    } else if (killed_ && killed_->kind == Kind::closed && process_ && !status_) {
      return;  // it is still ending
    }
    death.end = known_end();
    if (process_) guilty = culprit();
    if (!status_) kill_at_ns_ = now_ns + (options_.may_dump_core ? dump_limit_ns : exit_limit_ns);
    death.was_late = killed_ && killed_->was_late;
    if (is_ending_) death.phase = HostDeath::Phase::ending;
    else if (state_ != State::ready) death.phase = HostDeath::Phase::starting;
    if (known.said.kind == os::EndNote::Kind::signal && known.said.has_address)
      death.address = known.said.address;
    if (state_ != State::ready && why_not_ready_.empty()) why_not_ready_ = text_of(death.end);
    state_ = State::ended;
  }
  is_settled_ = true;
  close_lanes();
  changed_.notify_all();
  facts_at_end_ = facts();
  tell_end(death.end, guilty != nullptr);
  if (!events_.ended || !process_) return;
  if (guilty != nullptr) death.work = lanes_->work_of(guilty->lane.number());
  culprit_ = guilty;
  settled_ns_ = now_ns;
  death_ = std::move(death);
}

/// The process may still be writing down its stack, and the thread in the call may not have seen
/// yet that the process has ended.
std::int64_t HostProcess::report_death(std::int64_t now_ns) {
  if (!death_ || (!status_is_known_ && !lanes_->is_note_finished())) return never;
  if (culprit_ != nullptr) death_->site = culprit_->site();
  const bool is_in_call = culprit_ != nullptr && culprit_->is_in_use();
  if (!death_->site && is_in_call && now_ns - settled_ns_ < site_limit_ns)
    return now_ns + look_min_ns;
  death_->stack = stack_of(lanes_->end_facts(), files());
  events_.ended(facts_at_end_, *death_);
  death_.reset();
  return never;
}

void HostProcess::report_ready() {
  if (is_ready_reported_ || !is_ready()) return;
  is_ready_reported_ = true;
  if (events_.ready) events_.ready(facts());
}

// ---- the start ----------------------------------------------------------------------------------

void HostProcess::adopt(std::string group) {
  const std::lock_guard lock(mutex_);
  is_adopted_ = true;
  adopted_ns_ = base::monotonic_ns();
  group_ = std::move(group);
  start_limit_ns_ = base::monotonic_ns() + options_.start_timeout_ns;
}

/// The welcome goes over the first lane, because that is the fastest way to its thread. It is there
/// before the plugin is loaded, so that the host need not be woken for it. Where attaching has no
/// effect that one may see, start() has sent it.
void HostProcess::attach() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_started_ || state_ == State::ended; });
    if (state_ == State::ended) return;
  }
  LaneChannel* first = nullptr;
  {
    const std::lock_guard lock(lanes_mutex_);
    first = channels_.front().get();
    with_thread_ = 1;
  }
  std::string said;
  const link::Channel::Turned turned = first->exchange(plugin_->welcome(), said);
  {
    const std::lock_guard lock(mutex_);
    was_attach_begun_ = turned.was_started && plugin_->has_attach;
    if (turned.is_alive && said == attached && state_ != State::ended) {
      state_ = State::ready;
      ready_ns_ = base::monotonic_ns();
      start_limit_ns_ = never;
    }
  }
  changed_.notify_all();
  wait_.wake();
  if (turned.is_alive && said != attached) return fail_to_start(Kind::closed, std::move(said));
  const std::lock_guard lock(lanes_mutex_);
  free_.push_back(first);
}

bool HostProcess::was_lost_as_spare() const {
  const std::lock_guard lock(mutex_);
  return state_ == State::ended && was_spare_ && !was_attach_begun_;
}

base::Result<void> HostProcess::wait_until_ready() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return state_ == State::ready || state_ == State::ended; });
  if (state_ == State::ready) return {};
  return base::Error{why_not_ready_};
}

bool HostProcess::is_spare() const {
  const std::lock_guard lock(mutex_);
  return state_ == State::loaded && !is_adopted_ && is_alive();
}

bool HostProcess::was_spare() const {
  const std::lock_guard lock(mutex_);
  return was_spare_;
}

bool HostProcess::is_ready() const {
  const std::lock_guard lock(mutex_);
  return state_ == State::ready;
}

int HostProcess::process_id() const {
  const std::lock_guard lock(mutex_);
  return is_started_ ? process_->id() : 0;
}

HostFacts HostProcess::facts() const {
  const std::lock_guard lock(mutex_);
  const std::int64_t now_ns = base::monotonic_ns();
  HostFacts facts;
  facts.plugin = plugin_->name;
  facts.group = group_;
  facts.is_adopted = is_adopted_;
  facts.was_spare = was_spare_;
  facts.is_ready = state_ == State::ready;
  facts.process_id = is_started_ ? process_->id() : 0;
  facts.actors = residents();
  facts.age_ns = now_ns - made_ns_;
  if (is_adopted_) facts.starting_ns = (ready_ns_ != 0 ? ready_ns_ : now_ns) - adopted_ns_;
  return facts;
}

void HostProcess::fail_to_start(Kind kind, std::string why) {
  {
    const std::lock_guard lock(mutex_);
    if (why_not_ready_.empty()) why_not_ready_ = why;
    if (!process_) {
      killed_ = KillReason{kind, std::move(why)};
      state_ = State::ended;
    }
  }
  if (process_) return kill(kind, std::move(why));
  mark_dead();
  is_settled_ = true;
  changed_.notify_all();
}

base::Result<void, os::SystemError> HostProcess::make_lanes() {
  auto lanes = os::SharedLanes::make(options_.lanes);
  if (!lanes) return lanes.error();
  const std::string welcome = plugin_->has_attach ? std::string{} : plugin_->welcome();
  const std::scoped_lock lock(mutex_, lanes_mutex_);
  for (unsigned i = 0; i < options_.lanes; ++i)
    channels_.push_back(std::make_unique<LaneChannel>(*this, **lanes, i));
  lanes_ = std::move(*lanes);
  if (!plugin_->has_attach && welcome.size() <= os::SharedLanes::area_size)
    channels_.front()->lane.begin(welcome);
  return {};
}

void HostProcess::send_load(os::Descriptor socket) {
  {
    const std::lock_guard sending(send_mutex_);
    control_ = std::move(socket);
    outgoing_.clear();
  }
  const HostLoad load{library_build(), plugin_->file, options_.memory_max, options_.nofile,
                      options_.may_dump_core};
  send(StepKind::load, load.text(), {plugin_->copy->descriptor(), lanes_->descriptor()});
}

void HostProcess::start(Zygote& zygote) {
  if (!is_alive()) return fail_to_start(Kind::closed, "it is not wanted any more");
  auto sockets = os::packet_sockets();
  if (!sockets) return fail_to_start(Kind::closed, sockets.error().what);
  const bool is_asked = zygote.ask(options_.executable, plugin_->name, sockets->far_end.get());
  // What the process needs is made while it begins.
  const auto made = make_lanes();
  if (made) send_load(std::move(sockets->near_end));
  auto process = is_asked ? zygote.answer() : std::nullopt;
  if (!made) return fail_to_start(Kind::closed, made.error().what);
  if (!process) {
    if (is_asked) {  // a host of a zygote that has just died ends with the first connection
      sockets = os::packet_sockets();
      if (!sockets) return fail_to_start(Kind::closed, sockets.error().what);
      send_load(std::move(sockets->near_end));
    }
    auto alone = os::WatchedProcess::start({.executable = options_.executable,
                                            .arguments = {plugin_->name},
                                            .inherited = sockets->far_end.get()});
    if (!alone) return fail_to_start(Kind::closed, alone.error().what);
    process.emplace(std::move(*alone));
  }
  bool is_unwanted = false;
  {
    const std::lock_guard lock(mutex_);
    process_.emplace(std::move(*process));
    is_started_ = true;
    start_limit_ns_ = base::monotonic_ns() + options_.start_timeout_ns;
    // Its end may have been wanted while there was neither a process nor a lane to tell.
    is_unwanted = killed_.has_value();
    if (is_ending_) send(StepKind::end, {});
    else if (is_unwanted) process_->kill();
  }
  if (is_unwanted) close_lanes();
  changed_.notify_all();
  lanes_->close_descriptor();
  if (events_.started) events_.started(facts());
}

bool HostProcess::is_loaded() const {
  const std::lock_guard lock(mutex_);
  return state_ == State::loaded || state_ == State::ready;
}

/// False: it was loaded before.
bool HostProcess::note_loaded() {
  {
    const std::lock_guard lock(mutex_);
    if (is_loaded_) return false;
    is_loaded_ = true;
    // The thread that attaches the plugin may have been quicker.
    if (state_ != State::starting) return true;
    state_ = State::loaded;
    was_spare_ = !is_adopted_;
    if (was_spare_) start_limit_ns_ = never;
  }
  changed_.notify_all();
  return true;
}

void HostProcess::take(Step step) {
  std::string answer;
  switch (step.kind) {
    case StepKind::loaded:
      if (!note_loaded()) break;
      return;
    case StepKind::refused:
      if (is_loaded()) break;
      return fail_to_start(Kind::closed, std::move(step.text));
    case StepKind::ask:
    case StepKind::tell:
      if (!plugin_->serve_outside(step.text, answer)) break;
      if (step.kind == StepKind::ask) send(StepKind::answer, answer);
      return;
    default: break;
  }
  kill(Kind::protocol, "it has asked for what it must not ask for");
}

// ---- the socket ---------------------------------------------------------------------------------

void HostProcess::send(StepKind kind, std::string_view text, std::vector<int> descriptors) {
  const std::lock_guard lock(send_mutex_);
  for (std::string& packet : packets_of(kind, text))
    outgoing_.push_back({std::move(packet), std::exchange(descriptors, {})});
  flush();
}

void HostProcess::flush() {
  while (!outgoing_.empty()) {
    const Outgoing& next = outgoing_.front();
    const int error = os::send_packet(control_.get(), next.packet, next.descriptors);
    if (error == EAGAIN) return wait_.wake();
    if (error != 0) return outgoing_.clear();  // the end of the connection is seen by its reader
    outgoing_.pop_front();
  }
}

bool HostProcess::wants_to_send() const {
  const std::lock_guard lock(send_mutex_);
  return control_.get() >= 0 && !outgoing_.empty();
}

void HostProcess::read_and_send() {
  {
    const std::lock_guard lock(send_mutex_);
    if (control_.get() < 0) return;
    flush();
  }
  for (int i = 0; i < packets_at_once; ++i) {
    auto packet = os::receive_packet(control_.get(), 0);
    if (!packet && packet.error().number == EAGAIN) return;
    if (!packet && packet.error().number == EMSGSIZE) {
      kill(Kind::protocol, "it has sent a packet that is too long");
      return lose_connection();
    }
    if (!packet || packet->bytes.empty()) return lose_connection();
    if (!is_alive()) continue;
    auto step = steps_.take(std::move(*packet));
    if (!step) kill(Kind::protocol, step.error().what);
    else if (*step) take(std::move(**step));
  }
}

void HostProcess::lose_connection() {
  const std::lock_guard lock(send_mutex_);
  control_ = os::Descriptor{};
  outgoing_.clear();
  lost_ns_ = base::monotonic_ns();
}

// ---- what is due --------------------------------------------------------------------------------

std::int64_t HostProcess::look(std::int64_t now_ns) {
  note_status();
  report_ready();
  settle(now_ns);
  const std::int64_t report_ns = report_death(now_ns);
  if (!process_ || status_is_known_) return report_ns;
  std::int64_t next_ns = never;
  {
    const std::lock_guard lock(mutex_);
    if (now_ns >= kill_at_ns_) {
      if (killed_) killed_->was_late = killed_->kind == Kind::closed;
      process_->kill();
      kill_at_ns_ = never;
    }
    next_ns = std::min(kill_at_ns_, report_ns);
  }
  if (!is_alive()) return next_ns;
  if (lost_ns_ != 0) {
    if (now_ns - lost_ns_ >= lost_limit_ns)
      kill(Kind::protocol, "it has closed its connection to actord");
    return std::min(next_ns, lost_ns_ + lost_limit_ns);
  }
  return std::min({next_ns, look_at_start(now_ns), look_at_calls(now_ns)});
}

std::int64_t HostProcess::look_at_start(std::int64_t now_ns) {
  bool is_loaded = false;
  {
    const std::lock_guard lock(mutex_);
    if (now_ns < start_limit_ns_) return start_limit_ns_;
    start_limit_ns_ = never;
    is_loaded = state_ == State::loaded;
  }
  fail_to_start(Kind::hang, std::string(is_loaded ? "the plugin's attach() has not returned after "
                                                  : "the plugin was not loaded after ") +
                                seconds(options_.start_timeout_ns));
  return never;
}

std::int64_t HostProcess::look_at_calls(std::int64_t now_ns) {
  if (!is_ready()) return never;
  const std::int64_t limit_ns = options_.stuck_timeout_ns == 0 ? never : options_.stuck_timeout_ns;
  if (lanes_->has_note_begun()) {
    if (note_seen_ns_ == 0) note_seen_ns_ = now_ns;
    if (now_ns - note_seen_ns_ >= note_limit_ns) kill(Kind::hang, "it could not say how it ends");
  }
  for (const auto& channel : channels_) {
    const std::uint64_t use = channel->uses.load(base::relaxed);
    LaneChannel::Seen& seen = channel->seen;
    if (use != seen.use) seen = {use, now_ns};
    const std::int64_t lasts_ns = now_ns - seen.since_ns;
    if (!channel->is_in_use() || !channel->lane.is_childs_turn()) continue;
    if (lasts_ns >= limit_ns) {
      if (!std::exchange(seen.is_aborted, true)) abort_call(*channel, now_ns);
    } else if (lasts_ns >= limit_ns / 3 && !std::exchange(seen.is_warned_of, true)) {
      if (events_.stuck)
        events_.stuck(facts(), {channel->site(), lanes_->work_of(channel->lane.number()), lasts_ns,
                                limit_ns});
    }
  }
  return now_ns + std::clamp(limit_ns / 10, look_min_ns, look_max_ns);
}

/// The thread that serves the lane takes SIGABRT, so that it says where it is. The rest is as after
/// a crash.
void HostProcess::abort_call(LaneChannel& channel, std::int64_t now_ns) {
  std::string what = "a call has not returned after " + seconds(options_.stuck_timeout_ns);
  if (process_->is_stopped())
    return kill(Kind::hang, what + ", because a signal has stopped the process");
  const int thread = lanes_->words(channel.lane.number()).thread_id.load(base::relaxed);
  {
    const std::lock_guard lock(mutex_);
    if (killed_ || is_sufficient(evidence())) return;
    killed_ = KillReason{Kind::hang, what, true};
    kill_at_ns_ = now_ns + note_limit_ns;
  }
  mark_dead();
  if (!process_->abort_thread(thread)) process_->kill();
}

}  // namespace actord::isolate
