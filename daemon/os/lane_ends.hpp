// SPDX-License-Identifier: Apache-2.0
//
// The two ends of a lane of shared memory, on which a process and its child take turns, as a caller
// and a function do. The one whose turn it is writes, the other one waits: at first it spins, if
// that has paid lately and there are several CPUs, and then it sleeps.
//
// A frame or a request that is larger than its area crosses in pieces, with a turn for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/sync.hpp"
#include "os/shared_lanes.hpp"

namespace actord::os {

/// Decides how long a thread that waits for the other side spins.
///
/// A wait in which it spins in vain lets it skip the next ones, ever more of them. But two sides
/// that sleep have a reason to go on sleeping, since each takes long until it is woken, although
/// both are quick. So a side that has to wake the other one says how long it had the turn without
/// that; and a side that has woken the other one spins for long enough to see it begin.
class SpinChoice {
 public:
  /// Spins until the word is not `value` any more, or for too long. `has_woken`: the other side was
  /// asleep when it got the turn.
  void spin(const base::Atomic<std::uint32_t>& word, std::uint32_t value, bool has_woken) noexcept;
  /// This side has slept; for so long the other one had the turn while it was awake. 0: unknown.
  void note_sleep(std::uint32_t other_took_ns) noexcept;
  /// For how long this side has had the turn; 0: it does not know.
  std::uint32_t took_ns() const noexcept;

 private:
  static constexpr unsigned waits_skipped_max = 63;

  unsigned waits_to_skip_ = 0;
  unsigned penalty_ = 0;
  std::int64_t got_turn_ns_ = 0;  // 0: it came at once, and no clock was read
};

/// Told of exchanges that take long.
class LongWait {
 public:
  /// Called at most once in an exchange, on its thread, when it has waited for a tenth of a second.
  virtual void on_long_wait() noexcept = 0;

 protected:
  ~LongWait() = default;
};

/// The parent's end of a lane. One thread at a time, apart from give_up().
class ParentLane {
 public:
  ParentLane(SharedLanes& lanes, unsigned lane) noexcept : lanes_(&lanes), lane_(lane) {}

  struct Exchanged {
    bool is_alive = false;        // the turn has come back; false: the lane is closed
    bool was_started = false;     // the child has begun with the frame
    const char* fault = nullptr;  // what the child must not do: it is to be killed
  };
  /// Gives the turn to the child with a frame, and waits until it comes back. `requests` is what
  /// the child has put meanwhile: whole requests, also if the lane is closed before.
  Exchanged exchange(std::string_view frame, std::string& requests, LongWait* watch = nullptr);
  /// Gives the turn to the child with a frame that fits into its area, and does not wait. The next
  /// exchange(), with the same frame, is what follows.
  void begin(std::string_view frame) noexcept;

  /// From now on the lane is closed, whatever the child writes; exchange() returns. Any thread.
  void give_up() noexcept;
  bool is_given_up() const noexcept { return is_given_up_.load(base::acquire); }
  /// Whether the child has the turn, or had it at its end. Any thread.
  bool is_childs_turn() const noexcept { return is_childs_turn_.load(base::relaxed); }
  /// The same, with a frame that it has begun.
  bool is_busy() const noexcept;
  unsigned number() const noexcept { return lane_; }

 private:
  /// given: the child has the turn.
  enum class Passed : std::uint8_t { given, came_back, closed, broken };

  Passed give() noexcept;
  Passed wait() noexcept;
  Passed pass() noexcept;
  void write_piece(std::string_view piece, bool has_more) noexcept;
  const char* take_requests(std::uint32_t turn, std::string& requests);
  Exchanged closed(std::string& requests);

  SharedLanes* const lanes_;
  const unsigned lane_;
  std::uint32_t turn_ = 0;  // the parent's own count
  std::uint32_t frame_number_ = 0;
  std::size_t taken_bytes_ = 0;  // of the requests of this exchange
  std::string part_;             // the beginning of a request that is not whole yet
  LongWait* watch_ = nullptr;    // of this exchange, until it was told
  std::optional<Passed> begun_;  // of a frame that exchange() has not waited for yet
  SpinChoice spin_;
  bool has_woken_ = false;  // the child, by the last turn that it got
  // The store to `is_given_up_` (seq_cst) precedes the one that closes the lane. It pairs with the
  // loads (acquire) of the thread in exchange(), which looks at least every tenth of a second.
  // `is_childs_turn_` is what other threads see; relaxed.
  base::Atomic<bool> is_given_up_{false};
  base::Atomic<bool> is_childs_turn_{false};
};

/// The child's end of a lane. One thread at a time.
class ChildLane {
 public:
  ChildLane(SharedLanes& lanes, unsigned lane) noexcept : lanes_(&lanes), lane_(lane) {}

  /// Adds a whole request to what the parent gets. It gets it even if this process dies. Does not
  /// return if the lane is closed: then this process is about to end.
  void put(std::string_view request);
  /// Gives the turn to the parent, and waits until it comes back with a frame, which is valid until
  /// the next call. The first call waits only. False: the lane is closed.
  bool turn(std::string_view& frame);
  /// What the thread is doing, for the parent. Async-signal-safe.
  void note_work(std::string_view what) noexcept;
  /// The calling thread is the one that serves the lane.
  void note_thread() noexcept;

 private:
  /// Gives the turn away and waits for it. False: the lane is closed.
  bool pass(TurnReason reason) noexcept;
  bool wait() noexcept;
  void pass_or_stop(TurnReason reason) noexcept;

  SharedLanes* const lanes_;
  const unsigned lane_;
  std::uint32_t turn_ = 0;     // the last turn that was the parent's
  bool is_ours_ = false;       // it is this side's turn
  std::size_t put_bytes_ = 0;  // in the area
  std::string whole_;          // a frame that came in pieces
  SpinChoice spin_;
  bool has_woken_ = false;  // the parent, by the last turn that it got
};

}  // namespace actord::os
