// SPDX-License-Identifier: Apache-2.0
#include "loader/plugin_code.hpp"

#include "base/assert.hpp"
#include "base/clock.hpp"
#include "base/sync.hpp"
#include "os/process.hpp"

namespace actord::loader {

namespace {

/// Handlers of signals and exits look at it: it cannot be anybody's member.
struct Note {
  base::Mutex lock;  // of what follows, for all threads but the noted one
  std::optional<PluginCode::Running> running;

  // 0: nothing is noted; set after all else, and cleared before. The stores to `thread` (seq_cst)
  // pair with the load in file_run_by() in a signal handler of the same thread: there is a name
  // whenever the number is that thread's. To any other thread the number is never its own.
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
