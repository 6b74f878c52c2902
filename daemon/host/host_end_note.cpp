// SPDX-License-Identifier: Apache-2.0
#include "host/host_end_note.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include "base/sync.hpp"
#include "os/call_stack.hpp"
#include "os/crash_handler.hpp"
#include "os/exit_watch.hpp"
#include "os/process.hpp"

namespace actord::host {

namespace {

thread_local int served_lane = -1;

template <std::size_t size>
void copy_text(std::array<char, size>& to, std::string_view text) noexcept {
  const std::size_t n = std::min(text.size(), size - 1);
  std::copy_n(text.data(), n, to.data());
  to[n] = '\0';
}

/// The end of a long path says more than its beginning.
std::string_view end_of_path(std::string_view path, std::size_t size_max) noexcept {
  return path.size() > size_max ? path.substr(path.size() - size_max) : path;
}

constexpr std::pair<std::string_view, int> crash_signals[] = {{"SIGSEGV", SIGSEGV},
                                                              {"SIGBUS", SIGBUS},
                                                              {"SIGFPE", SIGFPE},
                                                              {"SIGILL", SIGILL},
                                                              {"SIGABRT", SIGABRT}};

int number_of(std::string_view signal) noexcept {
  for (const auto& [name, number] : crash_signals) {
    if (name == signal) return number;
  }
  return 0;
}

/// Runs in signal handlers and on exiting threads, so it uses neither locks nor the heap. The
/// stores to `is_written`, `frame_count` and `is_finished` (release) pair with the loads of actord,
/// which then sees what was written before. `writer` (acq_rel) pairs with itself: one thread
/// writes.
class EndTeller final : public os::CrashReporter, public os::ExitReporter {
 public:
  explicit EndTeller(os::SharedLanes& lanes) noexcept : lanes_(lanes) {}

  // To take the stack may crash itself, if the thread's stack is damaged. Then what was written
  // before has to do.
  void report(const os::Crash& crash) noexcept override {
    if (!crash.is_second) {
      take_note();
      os::EndNote::Facts& facts = lanes_.note().facts;
      facts.kind = os::EndNote::Kind::signal;
      facts.number = number_of(crash.signal);
      facts.has_address = crash.has_address ? 1 : 0;
      facts.address = crash.address;
      facts.is_own = crash.is_own ? 1 : 0;
      write_frames(os::CallStack::at(crash.program_counter));
      lanes_.note().is_written.store(1, base::release);
      // actord goes on at once, and shows the rest when it is there. After abort() only the rest
      // says more than that it was called, and after a hang there is time.
      if (facts.number != SIGABRT) lanes_.close_served();
      stack_.capture(crash.program_counter);
      write_frames(stack_);
    }
    finish();
  }

  void on_exit(std::string_view call) noexcept override {
    take_note();
    os::EndNote::Facts& facts = lanes_.note().facts;
    facts.kind = os::EndNote::Kind::exit;
    copy_text(facts.call, call);
    const std::size_t open = call.find('(');
    int status = 0;
    if (open != call.npos)
      std::from_chars(call.data() + open + 1, call.data() + call.size(), status);
    facts.number = status & 0xff;
    stack_.capture(nullptr);
    write_frames(stack_);
    lanes_.note().is_written.store(1, base::release);
    finish();
    os::exit_at_once(status);
  }

  bool needs_this_thread() noexcept override { return served_lane >= 0; }

  void lose() noexcept {
    take_note();
    lanes_.note().facts.kind = os::EndNote::Kind::lost;
    lanes_.note().is_written.store(1, base::release);
    finish();
  }

 private:
  /// The first thread that ends the process goes on. The others end with it.
  void take_note() noexcept {
    std::int32_t nobody = 0;
    if (!lanes_.note().writer.compare_exchange_strong(nobody, os::thread_id(), base::acq_rel))
      for (;;) ::pause();
    lanes_.note().facts.lane = served_lane;
  }

  void write_frames(const os::CallStack& stack) noexcept {
    for (std::size_t i = 0; i < stack.size() && i < os::EndNote::frames_max; ++i) {
      os::EndNote::Frame& frame = lanes_.note().facts.frames[i];
      if (const auto place = stack.place(i)) {
        copy_text(frame.file, end_of_path(place->file, frame.file.size() - 1));
        frame.offset = place->offset;
        const std::size_t bytes = std::min(place->build_id.size(), frame.build_id.size());
        std::copy_n(place->build_id.data(), bytes, frame.build_id.data());
        frame.build_id_bytes = static_cast<std::uint32_t>(bytes);
      } else {
        copy_text(frame.file, "?");
      }
      lanes_.note().frame_count.store(static_cast<std::uint32_t>(i + 1), base::release);
    }
  }

  void finish() noexcept {
    lanes_.note().is_finished.store(1, base::release);
    lanes_.close_served();
  }

  os::SharedLanes& lanes_;
  os::CallStack stack_;
};

EndTeller* teller = nullptr;

}  // namespace

void tell_end_in(os::SharedLanes& lanes) {
  teller = new EndTeller(lanes);  // signal handlers use it until the very end
  os::CallStack::prepare();
  os::report_crashes(teller);
  os::report_exits(teller);
  os::use_crash_stack();
}

void serve_lane_here(int lane) noexcept {
  served_lane = lane;
  os::use_crash_stack();
}

void note_lost_connection() noexcept {
  if (teller != nullptr) teller->lose();
}

}  // namespace actord::host
