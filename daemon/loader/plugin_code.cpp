// SPDX-License-Identifier: Apache-2.0
#include "loader/plugin_code.hpp"

#include "base/assert.hpp"
#include "base/clock.hpp"
#include "base/sync.hpp"
#include "os/process.hpp"

namespace actord::loader {

namespace {

/// A global, because handlers of signals and exits read it.
struct Note {
  base::Mutex lock;  // guards `running`; the noted thread reads it without the lock
  std::optional<PluginCode::Running> running;

  // The thread that runs the code; 0: none. It is set after `running` and cleared before it. The
  // stores to `thread` (seq_cst) pair with the load in file_run_by(), which may run in a signal
  // handler of the same thread: whenever the number is that thread's, `running` is set. Other
  // threads never find their own number here.
  base::Atomic<int> thread{0};
};
constinit Note note;

}  // namespace

PluginCode::PluginCode(const std::string& file) {
  {
    const std::lock_guard locked(note.lock);
    ACTORD_ASSERT(!note.running);
    note.running = Running{file, base::monotonic_ns()};
  }
  note.thread = os::thread_id();
}

PluginCode::~PluginCode() {
  note.thread = 0;
  const std::lock_guard locked(note.lock);
  note.running.reset();
}

std::optional<PluginCode::Running> PluginCode::running() {
  const std::lock_guard locked(note.lock);
  return note.running;
}

std::string_view PluginCode::file_run_by(int thread_id) noexcept {
  return note.thread == thread_id && thread_id != 0 ? std::string_view{note.running->file}
                                                    : std::string_view{};
}

}  // namespace actord::loader
