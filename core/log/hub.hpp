// SPDX-License-Identifier: Apache-2.0
//
// The meeting point of the log path: every thread emits into its own ring, one sink thread drains
// them all in the order of time.
//
// It works before the first actor and after the last, with or without a sink, and nobody waits for
// anybody.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "base/sync.hpp"
#include "log/emitter.hpp"
#include "log/log_record.hpp"
#include "log/record_codec.hpp"

namespace actord::log {

struct HubOptions {
  std::size_t ring_bytes = 1 << 20;    // per emitter, rounded up to a power of two, at least 1 KiB
  std::size_t spill_bytes = 64 << 20;  // per emitter, of life-cycle records beyond the ring
  std::size_t reserve_bytes = 16 << 20;  // per emitter, beyond that: of warnings and errors
  Level level = Level::info;
};

/// Owns the emitters and merges what they emit.
///
/// Threads: attach(), detach(), shared(), level and counters on any thread; drain(), wait and doze
///          on one thread at a time, "the sink". In a simulated system a test is the sink and
///          drains when it likes.
/// Order:   records come out ordered by stamp over all emitters, each emitter's own in its order.
///          The clock must not run backwards between threads that follow one another. Equal stamps
///          of different emitters (a clock of simulated time) come in the order of attachment: a
///          simulator that wants the order of emission lets all its workers use one emitter.
class Hub {
 public:
  using Clock = std::function<std::int64_t()>;  // ns, monotonic; called on every emitting thread

  explicit Hub(Clock clock, HubOptions options = {});
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  /// An emitter for the calling thread, good until detach(). `name` is for people ("worker-1").
  Emitter& attach(std::string name);
  /// Gives the emitter back; what it emitted is still drained. By its thread, or after that has
  /// ended.
  void detach(Emitter& emitter) noexcept;
  /// The emitter for threads that have none; it takes a mutex for the length of a copy.
  Emitter& shared() noexcept { return *shared_; }

  Level level() const noexcept { return level_.load(base::relaxed); }
  void set_level(Level level) noexcept { level_.store(level, base::relaxed); }
  std::int64_t now() const { return clock_(); }
  /// The sum over all emitters, past ones too.
  Losses losses() const;

  /// Visits, in order, every record that no emission still under way can precede, and returns how
  /// many. What it holds back comes with the next call. What `visit(const Record&)` throws ends the
  /// call, and the record comes again with the next one. Losses are told by a record of its own,
  /// event `log.suppressed`. The sink.
  template <class Visit>
  std::size_t drain(Visit&& visit) {
    return drain_to(false, &call<std::remove_reference_t<Visit>>, erase(visit));
  }
  /// The same without holding back: for the end, when nobody emits any more. The sink.
  template <class Visit>
  std::size_t drain_all(Visit&& visit) {
    return drain_to(true, &call<std::remove_reference_t<Visit>>, erase(visit));
  }

  /// Sleeps, without a time limit, until there is something to drain or interrupt() was called;
  /// returns at once, and false, if that is so already. It may return early, too. The sink.
  bool wait_for_records();
  /// Sleeps for `at_most` unless a ring fills to a quarter or 64 KiB or interrupt() is called, so
  /// that a thread that logs steadily does not pay a system call for each record. The sink.
  void doze(std::chrono::nanoseconds at_most);
  /// Ends the sleep of the sink, or the next one. Any thread.
  void interrupt() noexcept;

 private:
  friend class Emitter;
  using Visitor = void (*)(void* context, const Record& record);
  enum class Sink : std::uint32_t { awake, dozing, asleep };

  struct Source {
    Emitter* emitter;
    const std::byte* next;  // block, or nullptr when it has none
    std::int64_t stamp;     // of that block
  };

  static void* erase(const auto& visit) noexcept {
    return const_cast<void*>(static_cast<const void*>(std::addressof(visit)));
  }
  template <class Visit>
  static void call(void* context, const Record& record) {
    (*static_cast<Visit*>(context))(record);
  }

  bool is_sink_awake() const noexcept { return sink_.load(base::seq_cst) == Sink::awake; }
  void wake_for_record(bool is_urgent) noexcept;
  void wake() noexcept;

  std::size_t drain_to(bool everything, Visitor visit, void* context);
  std::int64_t look_at_all(bool everything);
  std::size_t merge(std::int64_t limit, Visitor visit, void* context);
  std::size_t deliver_run(Source& source, std::int64_t limit, Visitor visit, void* context);
  bool has_pending() noexcept;
  void refresh_sources();
  std::size_t report_losses(Visitor visit, void* context);
  std::size_t report_loss(const Emitter& emitter, std::string_view what, std::uint64_t count,
                          Visitor visit, void* context);
  void forget_detached();

  const Clock clock_;
  const HubOptions options_;
  base::Atomic<Level> level_;
  std::size_t block_max_ = 0;

  mutable base::Mutex mutex_;  // guards the two below
  std::vector<std::unique_ptr<Emitter>> emitters_;
  Losses past_losses_;  // of emitters that are gone
  // Of emitters_. The fetch_add of `version_` in attach() pairs with the first load in
  // refresh_sources() (both seq_cst): a drain that does not see the new emitter has read its clock
  // before, so all records of the emitter are younger than the drain's cut; and a sink that does
  // not see it has stored `sink_` before, so the new emitter sees that, and wakes it. The other
  // operations are under the mutex, or the sink's own.
  base::Atomic<std::uint64_t> version_{0};
  Emitter* shared_ = nullptr;

  // The sleep of the sink; everything is seq_cst. The sink stores `sink_` and then looks for work;
  // that pairs with those who bring work and then look at `sink_`: Emitter::write() announces a
  // record (writing_since_), attach() changes `version_`, interrupt() stores `is_interrupted_`.
  // Either the sink sees the work, or they see that it is not awake, and unpark it.
  alignas(64) base::Atomic<Sink> sink_{Sink::awake};
  // Besides: the exchange in wait_for_records() acquires what the store in interrupt() released.
  base::Atomic<bool> is_interrupted_{false};
  base::Parker parker_;

  // The sink's own.
  alignas(64) std::vector<Source> sources_;
  base::Atomic<std::uint32_t> barrier_{
      0};  // a full barrier that ThreadSanitizer understands, unlike a fence
  std::uint64_t seen_version_ = 0;
  std::uint64_t seq_ = 0;
  std::int64_t reported_at_ = std::numeric_limits<std::int64_t>::min();
  Decoder decoder_;
};

}  // namespace actord::log
