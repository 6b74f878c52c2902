// SPDX-License-Identifier: Apache-2.0
//
// A host process: its start, its lanes, what its other threads ask for, and its end.
//
// The thread that watches all hosts (isolation_thread.hpp) starts it, reads what it sends, and says
// how it has ended. Threads of actors use its lanes, and are the first to see a crash.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sync.hpp"
#include "isolate/host_end.hpp"
#include "isolate/host_steps.hpp"
#include "isolate/lane_channel.hpp"
#include "isolate/options.hpp"
#include "isolate/zygote.hpp"
#include "link/host.hpp"
#include "os/ready_wait.hpp"
#include "os/shared_lanes.hpp"
#include "os/watched_process.hpp"

namespace actord::isolate {

class HostProcess final : public link::Host {
 public:
  /// `wait` belongs to the watching thread, and outlives the object.
  HostProcess(system::ActorSystem& actors, HostedPluginPtr plugin, const IsolationOptions& options,
              const IsolationEvents& events, os::ReadyWait& wait);
  ~HostProcess() override;

  // ---- link::Host; any thread ----
  link::Channel& acquire() override;
  void release(link::Channel& channel) override;
  void kill(link::HostEnd::Kind why, std::string detail) override;
  int process_id() const override;
  link::HostEnd end() override;

  // ---- any thread ----
  const HostedPlugin& plugin() const noexcept { return *plugin_; }
  /// From now on it is the process of that group. Once.
  void adopt(std::string group);
  /// Attaches the plugin as soon as it is loaded, and waits for that. Called after adopt(), by one
  /// thread.
  void attach();
  /// Waits until another thread has attached the plugin. The error says why that has failed.
  base::Result<void> wait_until_ready();
  /// Whether the process ended as a spare, so that another one may do better.
  bool was_lost_as_spare() const;
  /// Whether the plugin is loaded, and the process waits for adopt().
  bool is_spare() const;
  /// Whether it was one at any time.
  bool was_spare() const;
  bool is_ready() const;
  HostFacts facts() const;
  /// The plugin detaches, and the process ends; after a while it is killed. No call may be in it.
  void end_in_order();
  /// A lane has been closed, and not by this process.
  void note_death() noexcept;
  /// Whether the crash was that of a thread of another lane, whose actor is the one to blame.
  bool is_bystander(const os::ParentLane& lane) const;

  // ---- the watching thread ----
  void start(Zygote& zygote);
  /// -1: there is none, or none any more.
  int control_fd() const noexcept { return control_.get(); }
  int process_fd() const noexcept { return process_ ? process_->fd() : -1; }
  bool wants_to_send() const;
  void read_and_send();
  /// Does what is due: says that the process has ended, warns, and kills. Returns when it is to be
  /// called again at the latest.
  std::int64_t look(std::int64_t now_ns);
  /// The process has ended, and everything about that was said.
  bool is_over() const noexcept {
    return is_settled_ && (!process_ || (status_is_known_ && !death_));
  }

 private:
  enum class State : std::uint8_t { starting, loaded, ready, ended };

  base::Result<void, os::SystemError> make_lanes();
  void send_load(os::Descriptor socket);
  void fail_to_start(link::HostEnd::Kind kind, std::string why);
  void send(StepKind kind, std::string_view text, std::vector<int> descriptors = {});
  void flush();
  void take(Step step);
  bool is_loaded() const;
  bool note_loaded();
  void lose_connection();
  void note_status();
  void settle(std::int64_t now_ns);
  void report_ready();
  std::int64_t report_death(std::int64_t now_ns);
  std::int64_t look_at_start(std::int64_t now_ns);
  std::int64_t look_at_calls(std::int64_t now_ns);
  void abort_call(LaneChannel& channel, std::int64_t now_ns);
  void close_lanes() noexcept;
  HostFiles files() const { return {*plugin_, options_.executable}; }
  EndEvidence evidence() const;
  const LaneChannel* culprit() const;
  link::HostEnd known_end();

  const HostedPluginPtr plugin_;
  const IsolationOptions options_;
  const IsolationEvents& events_;
  os::ReadyWait& wait_;
  const std::int64_t made_ns_;
  std::unique_ptr<os::SharedLanes> lanes_;

  // ---- the lanes ----
  base::Mutex lanes_mutex_;
  base::Condition lane_is_free_;
  std::vector<std::unique_ptr<LaneChannel>> channels_;  // constant from start() on
  std::vector<LaneChannel*> free_;                      // the one used last is at the end
  std::size_t with_thread_ = 0;                         // channels that the process serves
  std::size_t waiting_for_lane_ = 0;                    // threads

  // ---- what is sent ----
  struct Outgoing {
    std::string packet;
    std::vector<int> descriptors;
  };
  mutable base::Mutex send_mutex_;
  std::deque<Outgoing> outgoing_;

  // ---- what is known ----
  mutable base::Mutex mutex_;
  base::Condition changed_;
  State state_ = State::starting;
  bool is_started_ = false, is_loaded_ = false;
  std::int64_t adopted_ns_ = 0, ready_ns_ = 0;
  bool is_adopted_ = false;
  bool was_spare_ = false;  // it was loaded before it was adopted
  bool was_attach_begun_ = false;
  bool is_ending_ = false;  // in order
  std::string group_;
  std::string why_not_ready_;
  std::optional<KillReason> killed_;
  std::optional<os::WatchedProcess::End> status_;
  std::optional<link::HostEnd> end_;
  std::int64_t start_limit_ns_ = INT64_MAX;  // until the next step of the start is done
  std::int64_t kill_at_ns_ = INT64_MAX;      // if it still runs then

  // ---- of the watching thread ----
  std::optional<os::WatchedProcess> process_;  // set once, before state_ leaves `starting`
  os::Descriptor control_;
  StepReader steps_;
  std::int64_t lost_ns_ = 0;
  std::int64_t note_seen_ns_ = 0;
  bool is_settled_ = false;
  bool is_ready_reported_ = false;
  HostFacts facts_at_end_;
  std::optional<HostDeath> death_;  // that is to be reported when its stack is complete
  const LaneChannel* culprit_ = nullptr;
  std::int64_t settled_ns_ = 0;
  bool status_is_known_ = false;
};
using HostProcessPtr = std::shared_ptr<HostProcess>;

}  // namespace actord::isolate
