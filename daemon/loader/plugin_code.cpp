// SPDX-License-Identifier: Apache-2.0
#include "loader/plugin_code.hpp"

#include "base/assert.hpp"
#include "base/clock.hpp"
#include "base/sync.hpp"
#include "os/process.hpp"

namespace actord::loader {

namespace {

/// A global, because handlers of signals and exits read it.
struct State {
  base::Mutex lock;  // guards `running`, which the thread numbered `thread` reads without it
  std::optional<PluginCode::Running> running;

  // The thread that runs the code; 0: none. It is set after `running` and cleared before it. The
  // stores to `thread` (seq_cst) pair with the load in run_by(), which may run in a signal
  // handler of the same thread: whenever the number is that thread's, `running` is set. Other
  // threads never find their own number here.
  base::Atomic<int> thread{0};
};
constinit State state;

}  // namespace

PluginCode::PluginCode(const std::string& file, Phase phase) {
  const int thread_id = os::thread_id();
  {
    const std::lock_guard locked(state.lock);
    ACTORD_ASSERT(!state.running);
    state.running = Running{file, phase, thread_id, base::monotonic_ns()};
  }
  state.thread = thread_id;
}

PluginCode::~PluginCode() {
  state.thread = 0;
  const std::lock_guard locked(state.lock);
  state.running.reset();
}

std::optional<PluginCode::Running> PluginCode::running() {
  const std::lock_guard locked(state.lock);
  return state.running;
}

const PluginCode::Running* PluginCode::run_by(int thread_id) noexcept {
  return state.thread == thread_id && thread_id != 0 ? &*state.running : nullptr;
}

}  // namespace actord::loader
