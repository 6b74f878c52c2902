// SPDX-License-Identifier: Apache-2.0
//
// The center of the log path. Every thread emits into a ring of its own; one sink thread drains all
// rings in the order of time.
//
// The hub works before the first actor and after the last, with or without a sink. No emitting
// thread waits for the sink, and the sink waits for no emitting thread.
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
#include "log/actor_levels.hpp"
#include "log/backlog.hpp"
#include "log/emitter.hpp"
#include "log/log_record.hpp"
#include "log/record_codec.hpp"

namespace actord::log {

struct HubOptions {
  std::size_t ring_bytes = 1 << 20;  // per emitter, rounded up to a power of two, at least 1 KiB
  // The limit for records that find a ring full, of all emitters together (backlog.hpp). Memory is
  // taken when records come and given back when they are read.
  std::size_t backlog_bytes = 128 << 20;
  Level level = Level::info;
};

/// Owns the emitters and merges their records.
///
/// Threads: drain(), wait_for_records() and doze() on one thread at a time, "the sink"; all other
///          functions on any. In a simulated system a test is the sink and may drain at any time.
/// Order:   records come out ordered by stamp over all emitters; the records of one emitter keep
///          their own order. If one thread's action happens before another's, its time must not be
///          the later one. Equal stamps of different emitters, as under simulated time, come in the
///          order of attachment. A simulator that needs the order of emission lets all its workers
///          share one emitter.
class Hub {
 public:
  using Clock = std::function<std::int64_t()>;  // ns, monotonic; called on every emitting thread

  explicit Hub(Clock clock, HubOptions options = {});
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  /// Creates an emitter for the calling thread, valid until detach(). `name` is for readers of the
  /// log ("worker-1").
  Emitter& attach(std::string name);
  /// Gives the emitter back; its records are still drained. Call it on the emitter's thread, or
  /// after that thread has ended.
  void detach(Emitter& emitter) noexcept;
  /// The emitter for threads without one of their own. Its emit() holds a mutex while it writes the
  /// record.
  Emitter& shared() noexcept { return *shared_; }

  /// Makes a form, which lives as long as the hub. For a few subjects only, such as the kinds of
  /// actors.
  const Form& make_form(std::string_view event, std::string_view msg,
                        std::vector<Form::Slot> slots);

  /// The level of the log: of all lines but those of actors that have a level of their own.
  Level level() const noexcept { return own_level_.load(base::relaxed); }
  void set_level(Level level);
  /// From now on the actor at `path` and all below it have that level, whatever the log has.
  void set_actor_level(std::string_view path, Level level);
  /// Takes that back. False: the path had no level of its own.
  bool reset_actor_level(std::string_view path);
  std::vector<ActorLevels::Rule> actor_levels() const { return actor_levels_.all(); }
  std::int64_t now() const { return clock_(); }
  /// The sums over all emitters, including detached ones.
  Losses losses() const noexcept;

  /// Calls visit(const Record&) for the emitted records in order, and returns their number. While a
  /// record is being written, younger records are held back until the next call, so that it still
  /// comes in its place. If `visit` throws, the call ends, and the same record
  /// comes again with the next call. Losses are reported by a record `log.suppressed`. The sink.
  template <class Visit>
  std::size_t drain(Visit&& visit) {
    return drain_to(false, &call<std::remove_reference_t<Visit>>, erase(visit));
  }
  /// Like drain(), but holds nothing back: for the end, when no thread emits any more. The sink.
  template <class Visit>
  std::size_t drain_all(Visit&& visit) {
    return drain_to(true, &call<std::remove_reference_t<Visit>>, erase(visit));
  }

  /// Sleeps, without a time limit, until there is a record to drain or interrupt() is called.
  /// Returns false, without a sleep, if one of these is the case already. It may also return early.
  /// The sink.
  bool wait_for_records();
  /// Sleeps for `at_most`, unless a ring fills to a quarter or 64 KiB, or interrupt() is called. It
  /// saves a thread that logs steadily a system call per record. The sink.
  void doze(std::chrono::nanoseconds at_most);
  /// Ends the sink's current sleep, or else its next one. Any thread.
  void interrupt() noexcept;

 private:
  friend class Emitter;
  using Visitor = void (*)(void* context, const Record& record);
  enum class Sink : std::uint32_t { awake, dozing, asleep };

  struct Source {
    Emitter* emitter;
    const std::byte* next;  // the next block, or nullptr if it has none
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

  // Delivers the records up to the time limit of this drain; all records if `everything`.
  std::size_t drain_to(bool everything, Visitor visit, void* context);
  // Fetches the records of every emitter. Returns the time limit: no record with an earlier stamp
  // can come any more.
  std::int64_t fetch_all(bool everything);
  std::size_t merge(std::int64_t limit, Visitor visit, void* context);
  // Delivers the source's records up to the stamp `limit`.
  std::size_t deliver_run(Source& source, std::int64_t limit, Visitor visit, void* context);
  bool has_pending() noexcept;
  // Rebuilds `sources_` if emitters came or went.
  void refresh_sources();
  std::size_t report_losses(Visitor visit, void* context);
  void report_loss(const Backlog::Loss& loss, Visitor visit, void* context);
  // Frees the detached emitters that have nothing left to drain.
  void free_detached();

  const Clock clock_;
  const HubOptions options_;
  // Sets `level_` and `has_actor_levels_` to what the two below come to.
  void take_levels();
  // Whether the line of an actor is taken; an empty path: of no actor.
  bool admits(Level level, std::string_view path) const;

  base::Atomic<Level> level_;  // the most verbose one: at this level lines may be taken
  base::Atomic<Level> own_level_;
  base::Atomic<bool> has_actor_levels_{false};
  ActorLevels actor_levels_;
  base::Mutex levels_mutex_;  // held by take_levels() and by those that call it
  std::size_t block_max_ = 0;
  Backlog backlog_;

  base::Mutex mutex_;  // guards emitters_ and forms_
  std::vector<std::unique_ptr<Emitter>> emitters_;
  std::vector<std::unique_ptr<const Form>> forms_;
  // The version of `emitters_`. The fetch_add of `version_` in attach() pairs with the first load
  // in refresh_sources() (both seq_cst): a drain that does not see the new emitter has read its
  // clock before, so all records of the emitter are younger than the drain's time limit; and a sink
  // that does not see it has stored `sink_` before, so the new emitter sees that, and wakes it. All
  // other accesses are under the mutex or made by the sink only.
  base::Atomic<std::uint64_t> version_{0};
  Emitter* shared_ = nullptr;

  // The sleep of the sink; every operation is seq_cst. The sink stores `sink_` and then looks for
  // work. It pairs with the threads that bring work and then read `sink_`: Emitter::write()
  // announces a record (writing_since_), attach() changes `version_`, interrupt() stores
  // `is_interrupted_`. Either the sink sees the work, or the thread sees that the sink is not
  // awake, and unparks it.
  alignas(64) base::Atomic<Sink> sink_{Sink::awake};
  // In addition, the exchange in wait_for_records() makes visible what the caller of interrupt()
  // wrote before the call.
  base::Atomic<bool> is_interrupted_{false};
  base::Parker parker_;

  // Used by the sink only.
  alignas(64) std::vector<Source> sources_;
  base::Atomic<std::uint32_t> barrier_{
      0};  // a full barrier that, unlike a fence, ThreadSanitizer understands
  std::uint64_t seen_version_ = 0;
  std::uint64_t seq_ = 0;
  std::int64_t reported_at_ = std::numeric_limits<std::int64_t>::min();
  Decoder decoder_;
};

}  // namespace actord::log
