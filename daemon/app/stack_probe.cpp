// SPDX-License-Identifier: Apache-2.0
#include "app/stack_probe.hpp"

#include "base/assert.hpp"
#include "os/process.hpp"

namespace actord::app {

StackProbe::StackProbe() {
  os::CallStack::prepare();
  os::receive_interrupts(this);
}

StackProbe::~StackProbe() { os::receive_interrupts(nullptr); }

bool StackProbe::ask(const Question& question) {
  ACTORD_ASSERT(stage_in(state_) == Stage::idle);
  question_ = question;
  state_.store(word(question.thread_id, Stage::asked));
  if (os::interrupt_thread(question.thread_id)) return true;
  state_.store(word(0, Stage::idle));
  return false;
}

StackProbe::Answer StackProbe::poll() {
  const Stage stage = stage_in(state_);
  ACTORD_ASSERT(stage != Stage::idle);
  if (stage != Stage::over && stage != Stage::given) return Answer::none;
  state_.store(word(0, Stage::idle));
  return stage == Stage::given ? Answer::given : Answer::over;
}

bool StackProbe::give_up() {
  std::uint64_t asked = word(question_.thread_id, Stage::asked);
  return state_.compare_exchange_strong(asked, word(0, Stage::idle));
}

void StackProbe::on_interrupt(const void* program_counter) noexcept {
  const int thread_id = os::thread_id();
  std::uint64_t asked = word(thread_id, Stage::asked);
  if (!state_.compare_exchange_strong(asked, word(thread_id, Stage::answering))) return;
  const bool is_over = question_.worker != 0 &&
                       !system::CrashSite::is_still_at(question_.worker, question_.progress);
  if (!is_over) {
    actor_.clear();
    has_actor_ = actor_.fill();
    stack_.capture(program_counter);
  }
  state_.store(word(thread_id, is_over ? Stage::over : Stage::given));
}

}  // namespace actord::app
