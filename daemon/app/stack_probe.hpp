// SPDX-License-Identifier: Apache-2.0
//
// Asks a thread of this process what it is doing: its calls and, if it is a worker, its actor and
// message. The thread is interrupted by a signal and answers in the handler. Not here: which thread
// is asked, and when (actor_watch.hpp, plugin_watch.hpp).
#pragma once

#include <cstdint>

#include "base/sync.hpp"
#include "os/call_stack.hpp"
#include "os/thread_interrupt.hpp"
#include "system/crash_site.hpp"

namespace actord::app {

/// One question at a time. One object in a process. The user asks, polls until there is an answer,
/// and reads it before the next question.
///
/// Threads: one at a time.
class StackProbe final : os::InterruptReceiver {
 public:
  /// With a worker, only that worker answers, and only while its progress is this one.
  struct Question {
    int thread_id = 0;
    std::uint64_t worker = 0;  // 0: any code may run on the thread
    std::uint64_t progress = 0;
  };
  enum class Answer : std::uint8_t {
    none,  // not yet
    over,  // the worker has made progress meanwhile
    given
  };

  StackProbe();
  ~StackProbe();
  StackProbe(const StackProbe&) = delete;
  StackProbe& operator=(const StackProbe&) = delete;

  /// False: the thread cannot be asked.
  bool ask(const Question& question);
  /// After ask(): an answer ends the question.
  Answer poll();
  /// Ends a question without an answer. False: the thread is answering just now; poll() again.
  bool give_up();

  /// The answer that was given last.
  const os::CallStack& stack() const noexcept { return stack_; }
  bool has_actor() const noexcept { return has_actor_; }
  const system::CrashSite& actor() const noexcept { return actor_; }

 private:
  enum class Stage : std::uint8_t { idle, asked, answering, over, given };
  static constexpr std::uint64_t word(int thread_id, Stage stage) noexcept {
    return static_cast<std::uint64_t>(thread_id) << 8 | static_cast<std::uint64_t>(stage);
  }
  static Stage stage_in(std::uint64_t word) noexcept { return static_cast<Stage>(word & 0xff); }

  /// Runs in the signal handler, so it uses neither locks nor the heap.
  void on_interrupt(const void* program_counter) noexcept override;

  // The thread that is asked, and the stage. All accesses are seq_cst. The store in ask() pairs
  // with the exchange in on_interrupt(): the thread sees the question. The store there pairs with
  // the load in poll(): the user sees the answer. A signal that comes after its question was given
  // up finds another thread's number or another stage, and is ignored.
  base::Atomic<std::uint64_t> state_{word(0, Stage::idle)};
  Question question_;
  os::CallStack stack_;
  system::CrashSite actor_;
  bool has_actor_ = false;
};

}  // namespace actord::app
