// SPDX-License-Identifier: Apache-2.0
#include "sim/step_fibers.hpp"

#include <cxxabi.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <boost/context/stack_context.hpp>
#include <csignal>
#include <cstring>

#include "base/assert.hpp"
#include "base/sync.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace actord::sim {

namespace {

namespace step = base::step;
namespace context = boost::context;

constexpr std::int64_t time_of_a_look_ns = 4'000;
constexpr const char* endless = "livelock: no end of steps";
constexpr std::uint64_t patience = 50'000;  // steps of one fiber while others could go on

// The instance that serves base::step. There is one at a time, because there is one real thread.
Fibers* fibers_now = nullptr;

/// Stacks with a guard page below, kept for the next run.
class Stacks {
 public:
  static constexpr std::size_t size = 256 * 1024;

  context::stack_context allocate() {
    context::stack_context stack;
    stack.size = size;
    if (!free().empty()) {
      stack.sp = free().back();
      free().pop_back();
      return stack;
    }
    void* const at = mmap(nullptr, size + guard, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ACTORD_ASSERT(at != MAP_FAILED && mprotect(at, guard, PROT_NONE) == 0);
    stack.sp = static_cast<std::byte*>(at) + guard + size;
    return stack;
  }
  void deallocate(context::stack_context& stack) noexcept { free().push_back(stack.sp); }

 private:
  static constexpr std::size_t guard = 4096;
  static std::vector<void*>& free() {
    static std::vector<void*> stacks;
    return stacks;
  }
};

}  // namespace

struct Fibers::Fiber {
  std::uint64_t id = 0;
  std::function<void()> body;
  context::fiber context;
  const void* waits_for = nullptr;
  std::int64_t until_ns = 0;
  bool was_notified = false;
  bool is_done = false;
  bool is_waiting_for_quiet = false;
  std::uint64_t priority = 0;
  std::array<std::byte, 16> exceptions{};  // what the C++ runtime keeps per thread
#ifdef __SANITIZE_ADDRESS__
  const void* stack_bottom = nullptr;
  std::size_t stack_size = 0;
  void* fake_stack = nullptr;
#endif
#ifdef __SANITIZE_THREAD__
  void* thread = nullptr;
#endif

  bool can_run() const { return waits_for == nullptr && !is_done && !is_waiting_for_quiet; }
};

Fibers::Fibers(const Options& options)
    : options_(options), random_(options.seed), by_priority_((options.seed & 1) == 0) {
  fibers_.push_back(std::make_unique<Fiber>());
  home_ = current_ = fibers_.front().get();
  home_->is_waiting_for_quiet = true;  // never chosen
#ifdef __SANITIZE_THREAD__
  home_->thread = __tsan_get_current_fiber();
#endif
  fibers_now = this;
  step::countdown = granted_ = INT64_MAX;
}

Fibers::~Fibers() {
  fibers_now = nullptr;
#ifdef __SANITIZE_THREAD__
  for (auto& fiber : fibers_) {
    if (fiber.get() != home_) __tsan_destroy_fiber(fiber->thread);
  }
#endif
}

bool Fibers::run(std::function<void()> driver) {
  spawn(std::move(driver));
  switch_to(*fibers_.back());
  settle();
  step::countdown = granted_ = INT64_MAX;
  return violation_.empty();
}

void Fibers::abandon(std::unique_ptr<Fibers> broken) {
  static auto& kept = *new std::vector<std::unique_ptr<Fibers>>;  // never destroyed itself
#ifdef __SANITIZE_ADDRESS__
  for (const auto& fiber : broken->fibers_) {
    if (!fiber->is_done && fiber.get() != broken->home_)
      __lsan_register_root_region(fiber->stack_bottom, fiber->stack_size);
  }
#endif
  fibers_now = nullptr;
  kept.push_back(std::move(broken));
}

void Fibers::fail(std::string what) {
  violation_ = std::move(what);
  if (current_ == home_) {
    std::fprintf(stderr, "actord-sim: outside of fibers: %s\n", violation_.c_str());
    std::abort();
  }
  switch_to(*home_);
  std::abort();  // a run that was broken off is never resumed
}

void Fibers::wait_for_quiet() {
  current_->is_waiting_for_quiet = true;
  switch_to(*choose_or_end());
}

void Fibers::begin_phase() {
  settle();
  is_calm_ = false;
  napper_ = tired_ = nullptr;
  if (by_priority_) {
    const std::uint64_t reach = std::uint64_t{32} << random_.below(8);
    change_points_.clear();
    for (std::uint64_t i = 1 + random_.below(3); i > 0; --i)
      change_points_.push_back(steps_ + 1 + random_.below(reach));
    std::ranges::sort(change_points_, std::greater{});
    for (auto& fiber : fibers_) fiber->priority = any_priority();
  } else {
    constexpr std::array<std::uint64_t, 6> rates{1, 2, 4, 8, 24, 96};
    rate_ = rates[random_.below(rates.size())];
    has_naps_ = random_.below(4) == 0;
  }
  grant();
}

std::size_t Fibers::current_id() const { return static_cast<std::size_t>(current_->id); }

std::uint64_t Fibers::steps() const {
  return steps_ + static_cast<std::uint64_t>(granted_ - step::countdown);
}

// ---- which fiber goes on ------------------------------------------------------------------------

void Fibers::settle() {
  const auto done = static_cast<std::uint64_t>(granted_ - step::countdown);
  steps_ += done;
  since_switch_ += done;
  step::countdown = granted_ = 1;
}

// Grants the steps until the next decision.
void Fibers::grant() {
  std::uint64_t steps = patience;
  if (!is_calm_ && !by_priority_) steps = 1 + random_.below(2 * rate_);
  if (!is_calm_ && by_priority_ && !change_points_.empty())
    steps = std::min(steps, std::max<std::uint64_t>(change_points_.back(), steps_ + 1) - steps_);
  if (tired_ != nullptr && nap_begins_ > steps_) steps = std::min(steps, nap_begins_ - steps_);
  step::countdown = granted_ = static_cast<std::int64_t>(steps);
}

void Fibers::demote(Fiber& fiber) { fiber.priority = --lowest_; }

void Fibers::make_runnable(Fiber& fiber, bool is_notified) {
  fiber.waits_for = nullptr;
  fiber.until_ns = 0;
  fiber.was_notified = is_notified;
  if (by_priority_ && !is_calm_ && fiber.priority > current_->priority) settle();
}

void Fibers::expire() {
  for (auto& fiber : fibers_) {
    if (fiber->until_ns != 0 && fiber->until_ns <= now_ns_) make_runnable(*fiber, false);
  }
}

// Moves the time to the next deadline of a waiting fiber; false if no fiber has a deadline.
bool Fibers::leap() {
  std::int64_t next = 0;
  for (auto& fiber : fibers_) {
    if (fiber->until_ns != 0 && (next == 0 || fiber->until_ns < next)) next = fiber->until_ns;
  }
  if (next == 0) return false;
  now_ns_ = std::max(now_ns_, next);
  expire();
  return true;
}

void Fibers::nap_after(std::uint64_t steps) {
  if (is_calm_) return;
  settle();
  tired_ = current_;
  nap_begins_ = steps_ + steps;
  grant();
}

void Fibers::nap() {
  if (napper_ != nullptr && steps_ < nap_ends_) return;
  napper_ = current_;
  nap_ends_ = steps_ + (std::uint64_t{256} << random_.below(6));
}

Fibers::Fiber* Fibers::choose() {
  Fiber* const resting = napper_ != nullptr && steps_ < nap_ends_ ? napper_ : nullptr;
  Fiber* best = nullptr;
  std::uint64_t n = 0;
  for (auto& fiber : fibers_) {
    if (!fiber->can_run() || fiber.get() == resting) continue;
    ++n;
    if (best == nullptr) best = fiber.get();
    else if (!by_priority_ ? random_.below(n) == 0 : fiber->priority > best->priority)
      best = fiber.get();
  }
  if (best == nullptr && resting != nullptr && resting->can_run()) return resting;
  return best;
}

Fibers::Fiber* Fibers::choose_or_end() {
  settle();
  if (steps_ > options_.steps_max) {
    violation_ = endless;
    return home_;
  }
  Fiber* next = choose();
  while (next == nullptr && leap()) next = choose();
  if (next == nullptr) {
    const auto quiet = std::ranges::find_if(
        fibers_, [&](const auto& f) { return f->is_waiting_for_quiet && f.get() != home_; });
    if (quiet == fibers_.end()) {
      violation_ = "deadlock: every fiber waits, and none can go on";
      next = home_;
    } else {
      (*quiet)->is_waiting_for_quiet = false;
      next = quiet->get();
    }
  }
  settle();
  grant();
  return next;
}

void Fibers::decide() {
  settle();
  if (!is_on_fiber()) {
    step::countdown = granted_ = INT64_MAX;
    return;
  }
  if (steps_ > options_.steps_max) fail(endless);
  if (steps_ >= options_.until) std::raise(SIGTRAP);
  if (by_priority_) {
    bool is_due = since_switch_ >= patience;
    while (!is_calm_ && !change_points_.empty() && change_points_.back() <= steps_) {
      change_points_.pop_back();
      is_due = true;
    }
    if (is_due) demote(*current_);
  }
  if (!is_calm_) {
    const std::uint64_t chance = random_.below(1024);
    if (chance < 4) leap();
    if (chance == 4) {  // a spurious wake-up
      Fiber& fiber = *fibers_[random_.below(fibers_.size())];
      if (fiber.waits_for != nullptr) make_runnable(fiber, true);
    }
    expire();
    if (tired_ == current_ && nap_begins_ <= steps_) {
      tired_ = nullptr;
      nap();
    }
    if (has_naps_ && random_.below(64) == 0) nap();
  }
  Fiber* const next = choose();
  settle();
  grant();
  if (next != current_) switch_to(*next);
}

bool Fibers::fails_spuriously() { return !is_calm_ && random_.below(32) == 0; }

void Fibers::relax() {
  if (++relaxed_ % 16 != 0 || !is_on_fiber()) return;
  if (by_priority_) demote(*current_);
  settle();
  Fiber* const next = choose();
  settle();
  grant();
  if (next != current_) switch_to(*next);
}

// ---- switching ----------------------------------------------------------------------------------

void Fibers::switch_to(Fiber& next) {
  Fiber& me = *current_;
  if (&next == &me) return;
  note(steps_ * 64 + next.id);
  since_switch_ = 0;
  std::memcpy(me.exceptions.data(), abi::__cxa_get_globals(), me.exceptions.size());
  previous_ = &me;
  current_ = &next;
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(&me.fake_stack, next.stack_bottom, next.stack_size);
#endif
#ifdef __SANITIZE_THREAD__
  __tsan_switch_to_fiber(next.thread, 0);
#endif
  context::fiber from = std::move(next.context).resume();
  previous_->context = std::move(from);
  arrive();
}

// Runs on the fiber that goes on.
void Fibers::arrive() {
  Fiber& me = *current_;
#ifdef __SANITIZE_ADDRESS__
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(me.fake_stack, &bottom, &size);
  if (previous_->stack_bottom == nullptr) {
    previous_->stack_bottom = bottom;
    previous_->stack_size = size;
  }
#endif
  std::memcpy(abi::__cxa_get_globals(), me.exceptions.data(), me.exceptions.size());
}

void Fibers::enter(Fiber& fiber) {
  Stacks stacks;
  const context::stack_context stack = stacks.allocate();
#ifdef __SANITIZE_ADDRESS__
  fiber.stack_bottom = static_cast<std::byte*>(stack.sp) - stack.size;
  fiber.stack_size = stack.size;
#endif
  fiber.context = context::fiber(
      std::allocator_arg, context::preallocated(stack.sp, stack.size, stack), stacks,
      [this, &fiber](context::fiber&& from) {
        previous_->context = std::move(from);
        arrive();
        fiber.body();
        fiber.body = nullptr;
        fiber.is_done = true;
        wake(&fiber, true);
        Fiber* const next = fiber.id == 1 ? home_ : choose_or_end();
        note(steps_ * 64 + next->id);
        previous_ = &fiber;
        current_ = next;
#ifdef __SANITIZE_ADDRESS__
        __sanitizer_start_switch_fiber(nullptr, next->stack_bottom, next->stack_size);
#endif
#ifdef __SANITIZE_THREAD__
        __tsan_switch_to_fiber(next->thread, 0);
#endif
        return std::move(next->context);
      });
}

// ---- the functions behind base::step ------------------------------------------------------------

bool Fibers::wait(const void* what, std::int64_t until_ns) {
  if (!is_on_fiber()) fail("waits for what nobody will do");
  Fiber& me = *current_;
  me.waits_for = what;
  me.until_ns = until_ns;
  me.was_notified = false;
  switch_to(*choose_or_end());
  return me.was_notified;
}

void Fibers::wake(const void* what, bool all) {
  std::uint64_t n = 0;
  Fiber* one = nullptr;
  for (auto& fiber : fibers_) {
    if (fiber->waits_for != what || fiber->is_done) continue;
    if (all) make_runnable(*fiber, true);
    else if (random_.below(++n) == 0) one = fiber.get();
  }
  if (one != nullptr) make_runnable(*one, true);
}

std::int64_t Fibers::now_ns() {
  now_ns_ += static_cast<std::int64_t>(random_.below(time_of_a_look_ns));
  return now_ns_;
}

std::uint64_t Fibers::spawn(std::function<void()> body) {
  Fiber& fiber = *fibers_.emplace_back(std::make_unique<Fiber>());
  fiber.id = fibers_.size() - 1;
  fiber.body = std::move(body);
  fiber.priority = any_priority();
  enter(fiber);
#ifdef __SANITIZE_THREAD__
  fiber.thread = __tsan_create_fiber(0);
#endif
  if (by_priority_ && !is_calm_ && is_on_fiber()) settle();
  return fiber.id;
}

void Fibers::join(std::uint64_t id) {
  Fiber& fiber = *fibers_[id];
  while (!fiber.is_done) wait(&fiber, 0);
}

}  // namespace actord::sim

namespace actord::base::step {

using sim::fibers_now;

void decide() noexcept {
  if (fibers_now != nullptr) fibers_now->decide();
  else countdown = INT64_MAX;
}
bool fails_spuriously() noexcept { return fibers_now != nullptr && fibers_now->fails_spuriously(); }
void relax() noexcept {
  if (fibers_now != nullptr) fibers_now->relax();
}
bool wait(const void* what, std::int64_t until_ns) noexcept {
  return fibers_now->wait(what, until_ns);
}
void wake_one(const void* what) noexcept {
  if (fibers_now != nullptr) fibers_now->wake(what, false);
}
void wake_all(const void* what) noexcept {
  if (fibers_now != nullptr) fibers_now->wake(what, true);
}
std::int64_t now_ns() noexcept { return fibers_now->now_ns(); }
std::uint64_t spawn(std::function<void()> body) { return fibers_now->spawn(std::move(body)); }
void join(std::uint64_t fiber) noexcept { fibers_now->join(fiber); }

}  // namespace actord::base::step

// Replaces core/base/assert.cpp: a failed assertion is a violation like any other.
void actord::base::assertion_failed(const char* file, int line, const char* text) noexcept {
  const std::string what = std::string{file} + ':' + std::to_string(line) + ": " + text;
  if (sim::fibers_now != nullptr) sim::fibers_now->fail(what);
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}
