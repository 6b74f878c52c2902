// SPDX-License-Identifier: Apache-2.0
//
// The main thread reads the steps of actord. The thread of the first lane loads the plugin and
// attaches it, so that the main thread can receive what attach() asks for.
#include "host/host_program.hpp"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/sync.hpp"
#include "host/control_channel.hpp"
#include "host/core_build.hpp"
#include "host/host_end_note.hpp"
#include "host/zygote_service.hpp"
#include "isolate/host_steps.hpp"
#include "link/guest.hpp"
#include "loader/plugin_opening.hpp"
#include "os/child_process.hpp"
#include "os/exit_watch.hpp"
#include "os/host_setup.hpp"
#include "os/lane_ends.hpp"
#include "os/process.hpp"
#include "os/shared_lanes.hpp"

namespace actord::host {

namespace {

using isolate::StepKind;

constexpr int usage_error = 64;  // as actord's
constexpr const char* other_build =
    "actord-host is of another build than the actord that runs: restart actord";

thread_local os::ChildLane* this_lane = nullptr;

void note_work(std::string_view what) {
  if (this_lane != nullptr) this_lane->note_work(what);
}

/// A lane, as link/ sees it.
class LaneChannel final : public link::HostChannel {
 public:
  explicit LaneChannel(os::ChildLane& lane) noexcept : lane_(lane) {}

  void put(std::string_view request) override { lane_.put(request); }
  bool turn(std::string_view& frame) override { return lane_.turn(frame); }

 private:
  os::ChildLane& lane_;
};

class HostProgram {
 public:
  int run();

 private:
  std::string prepare(isolate::Step step);
  bool begin(os::ChildLane& lane);
  void serve(unsigned lane);
  void start_lane(unsigned lane);
  [[noreturn]] void end();

  ControlChannel control_{os::inherited_descriptor};
  isolate::HostLoad load_;
  os::Descriptor copy_;  // stays open: the plugin's code is known by its path
  std::unique_ptr<os::SharedLanes> lanes_;
  std::unique_ptr<link::Guest> guest_;
  // The store to `is_attached_` (release) pairs with the loads (acquire) of the threads of the
  // other lanes, which actord wants only after that: they see the guest.
  base::Atomic<bool> is_attached_{false};
  std::vector<base::Thread> threads_;
};

/// Empty: it has worked.
std::string HostProgram::prepare(isolate::Step step) {
  auto load = isolate::HostLoad::of(step.text);
  if (step.kind != StepKind::load || !load || step.descriptors.size() != 2) return other_build;
  if (load->build != core_build) return other_build;
  load_ = std::move(*load);
  copy_ = std::move(step.descriptors[0]);
  auto lanes = os::SharedLanes::of(std::move(step.descriptors[1]));
  if (!lanes) return lanes.error().what;
  lanes_ = std::move(*lanes);
  lanes_->close_descriptor();
  const auto limited = os::limit_host({load_.memory_max, load_.nofile, load_.may_dump_core});
  if (!limited) return limited.error().what;
  tell_end_in(*lanes_);
  return {};
}

int HostProgram::run() {
  if (const std::string fault = prepare(control_.next()); !fault.empty()) {
    control_.send(StepKind::refused, fault);
  } else {
    start_lane(0);
  }
  for (;;) {
    isolate::Step step = control_.next();
    if (step.kind == StepKind::lane) {
      unsigned lane = 0;
      std::from_chars(step.text.data(), step.text.data() + step.text.size(), lane);
      if (lane < lanes_->count()) start_lane(lane);
    } else if (step.kind == StepKind::end) {
      end();
    }
  }
}

/// Loads the plugin, and attaches it when the welcome comes, since an actor needs it. False: there
/// is nothing to serve.
bool HostProgram::begin(os::ChildLane& lane) {
  const std::string copy = "/proc/self/fd/" + std::to_string(copy_.get());
  const auto table = loader::open_plugin_copy(copy, load_.file);
  if (!table) return control_.send(StepKind::refused, table.error().what), false;
  control_.send(StepKind::loaded, {});
  std::string_view welcome;
  if (!lane.turn(welcome)) return false;
  guest_ = std::make_unique<link::Guest>(**table,
                                         link::Guest::Surroundings{.outside = &control_,
                                                                   .now_ns = &base::monotonic_ns,
                                                                   .leave = &os::wait_for_end,
                                                                   .note_work = &note_work});
  const auto attached = guest_->attach(welcome);
  lane.put(attached ? isolate::attached : std::string_view{attached.error().what});
  is_attached_.store(attached.ok(), base::release);
  return true;
}

void HostProgram::serve(unsigned number) {
  os::name_this_thread(("lane-" + std::to_string(number)).c_str());
  serve_lane_here(static_cast<int>(number));
  os::ChildLane lane(*lanes_, number);
  this_lane = &lane;
  lane.note_thread();
  LaneChannel channel(lane);
  if (number > 0 ? is_attached_.load(base::acquire) : begin(lane)) guest_->serve(channel);
  this_lane = nullptr;
}

void HostProgram::start_lane(unsigned lane) {
  lanes_->note_served(lane);
  threads_.emplace_back([this, lane] { serve(lane); });
}

/// actord has closed the lanes.
void HostProgram::end() {
  for (base::Thread& thread : threads_) thread.join();
  if (is_attached_.load(base::acquire)) guest_->detach();
  os::exit_normally(0);
}

}  // namespace

std::string begin(int argc, char** argv) {
  if (argc != 2 || !os::is_socket(os::inherited_descriptor)) {
    std::fputs(
        "actord-host: error: actord starts this program, for plugins in processes of their own\n",
        stderr);
    os::exit_normally(usage_error);
  }
  os::begin_as_host();
  if (argv[1] != isolate::zygote_argument) return argv[1];
  std::string plugin = serve_as_zygote();
  // The place of the arguments is what `ps` shows.
  std::strncpy(argv[1], plugin.c_str(), isolate::zygote_argument.size());
  return plugin;
}

int run() {
  auto& program = *new HostProgram;  // the process ends without its end
  return program.run();
}

}  // namespace actord::host
