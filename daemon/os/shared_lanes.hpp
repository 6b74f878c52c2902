// SPDX-License-Identifier: Apache-2.0
//
// Memory that this process shares with one of its child processes: lanes, on each of which the two
// take turns (lane_ends.hpp), and a note in which the child says how it ends.
//
// The child may write whatever it likes into that memory, at any time. So the parent keeps what it
// must rely on elsewhere, reads each number once, checks it, and copies before it looks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/sync.hpp"
#include "os/descriptor.hpp"
#include "os/system_error.hpp"

namespace actord::os {

/// The numbers of a lane that both processes read. `turn` counts the turns: if it is even, it is
/// the parent's turn, and if it is odd, the child's. Its highest bit says that the lane is closed.
struct LaneWords {
  static constexpr std::uint32_t closed = 0x8000'0000;

  /// So many bytes, in this turn of the child. What `put` says of another turn is over, so that the
  /// parent need not reset it, and the word stays in the child's cache.
  static constexpr std::uint64_t put_in(std::uint32_t turn, std::uint32_t bytes) noexcept {
    return std::uint64_t{turn} << 32 | bytes;
  }

  // A store to `turn` (seq_cst) pairs with the load of the side that waits for it: that side sees
  // what was written before, in the areas, too. The same store, and the load of `parent_sleeps` or
  // `child_sleeps` that follows, pair with the store to that word and the load of `turn` that
  // follows there: either the side that sleeps sees the turn, or the other one sees that it must
  // wake it.
  alignas(64) base::Atomic<std::uint32_t> turn;
  base::Atomic<std::uint32_t> parent_sleeps;
  base::Atomic<std::uint32_t> child_sleeps;

  // Written by the parent in its turn. What is not about the order above is relaxed.
  alignas(64) base::Atomic<std::uint32_t> frame_number;
  base::Atomic<std::uint32_t> frame_bytes;  // in the area
  base::Atomic<std::uint32_t> has_more;     // 1: another piece of the frame follows
  base::Atomic<std::uint32_t> child_spins;  // 1: there are several CPUs
  // Advice for a child that was woken; the same below for a parent. Relaxed: an old value does no
  // harm.
  base::Atomic<std::uint32_t> parent_took_ns;

  // Written by the child in its turn. The stores to `put`, `begun_frame` and `work_bytes` (release)
  // pair with the loads of the parent (acquire), which may take place after the child's death: it
  // sees whole requests, and the text.
  alignas(64) base::Atomic<std::uint64_t> put;  // put_in(): whole requests in the area
  base::Atomic<std::uint32_t> begun_frame;
  base::Atomic<std::uint32_t> part_bytes;  // instead: a piece of one request
  base::Atomic<std::uint32_t> reason;      // why the child gives the turn back: TurnReason
  base::Atomic<std::int32_t> thread_id;    // that serves the lane; 0: none yet
  base::Atomic<std::uint32_t> work_bytes;  // of `work`
  base::Atomic<std::uint32_t> child_took_ns;
  std::array<char, 256> work;  // what the thread is doing: a text for people
};
static_assert(base::Atomic<std::uint64_t>::is_always_lock_free);

enum class TurnReason : std::uint32_t {
  done,        // the child waits for the next frame
  next_piece,  // it waits for the rest of the frame
  full,        // it goes on when the area is free again
  part         // the same; in the area there is a piece of one request
};

/// How a process that ends itself says why.
struct EndNote {
  static constexpr std::size_t frames_max = 32;
  enum class Kind : std::uint32_t { none, signal, exit, lost };

  struct Frame {
    std::array<char, 216> file;  // NUL-terminated; empty: the executable
    std::array<unsigned char, 20> build_id;
    std::uint32_t build_id_bytes;
    std::uint64_t offset;
  };

  struct Facts {
    Kind kind;
    std::int32_t number;  // the signal
    std::int32_t lane;    // of the thread; -1: it serves none
    std::uint32_t has_address, is_own;
    std::uint64_t address;
    std::array<char, 128> call;  // "exit(3)", NUL-terminated
    std::array<Frame, frames_max> frames;
  };

  // The first thread that ends the process takes the note, by setting `writer` to its number. The
  // stores to `is_written`, `frame_count` and `is_finished` (release) pair with the loads of the
  // parent (acquire): it sees what was written before.
  base::Atomic<std::int32_t> writer;
  base::Atomic<std::uint32_t> is_written;   // 1: all but the frames
  base::Atomic<std::uint32_t> frame_count;  // frames that are written
  base::Atomic<std::uint32_t> is_finished;  // 1: no more frames come
  Facts facts;
};

/// The same, copied out of shared memory and checked.
struct EndFacts {
  struct Frame {
    std::string file;
    std::uint64_t offset = 0;
    std::string build_id;  // in hexadecimal
  };
  EndNote::Kind kind = EndNote::Kind::none;
  int number = 0;
  int lane = -1;
  int thread_id = 0;
  bool has_address = false;
  bool is_own = true;  // false: another process has sent the signal
  std::uint64_t address = 0;
  std::string call;
  std::vector<Frame> frames;
};

class SharedLanes {
 public:
  static constexpr std::size_t area_size = std::size_t{64} << 10;

  /// New memory, with all lanes at the parent's turn. Pages that are not used cost nothing.
  static base::Result<std::unique_ptr<SharedLanes>, SystemError> make(unsigned lanes);
  /// Maps what the parent has made. A process that the child forks does not get it.
  static base::Result<std::unique_ptr<SharedLanes>, SystemError> of(Descriptor memory);
  ~SharedLanes();
  SharedLanes(const SharedLanes&) = delete;
  SharedLanes& operator=(const SharedLanes&) = delete;

  /// For the child; -1: it is not open any more.
  int descriptor() const noexcept { return memory_.get(); }
  /// The memory stays mapped.
  void close_descriptor() noexcept { memory_ = Descriptor{}; }
  unsigned count() const noexcept { return count_; }

  LaneWords& words(unsigned lane) const noexcept;
  /// Where frames lie, and where requests lie.
  char* frame_area(unsigned lane) const noexcept;
  char* request_area(unsigned lane) const noexcept;
  EndNote& note() const noexcept;

  /// Closes a lane, and wakes both sides. Async-signal-safe. Any thread.
  void close(unsigned lane) noexcept;
  /// Child: the lane has a thread, or is about to get one. Any thread.
  void note_served(unsigned lane) noexcept;
  /// Child: closes the lanes that were noted. Async-signal-safe. Any thread.
  void close_served() noexcept;

  /// Parent: whether the child has begun to end itself.
  bool has_note_begun() const noexcept { return note().writer.load(base::relaxed) != 0; }
  /// Parent: what the note says; Kind::none: nothing that is complete.
  EndFacts end_facts() const;
  /// Parent: whether all is written that the note will ever say.
  bool is_note_finished() const noexcept { return note().is_finished.load(base::acquire) == 1; }
  /// Parent: the text of LaneWords::work, without characters that a terminal would obey.
  std::string work_of(unsigned lane) const;

 private:
  SharedLanes(Descriptor memory, char* begin, std::size_t size, unsigned lanes) noexcept
      : memory_(std::move(memory)), begin_(begin), size_(size), count_(lanes) {}

  Descriptor memory_;
  char* const begin_;
  const std::size_t size_;
  const unsigned count_;
  // The child counts the lanes that may have a thread. Relaxed: nothing else depends on it. The
  // parent closes a lane that is missed, when it sees the end.
  base::Atomic<unsigned> served_{0};
};

/// Waits until a word of shared memory is not `value` any more, or for `limit_ns`; it may return
/// earlier. 0: no limit. False: the time is over.
bool wait_on_word(base::Atomic<std::uint32_t>& word, std::uint32_t value,
                  std::int64_t limit_ns) noexcept;
/// Wakes all threads, of all processes, that wait on the word. Async-signal-safe.
void wake_word(base::Atomic<std::uint32_t>& word) noexcept;

}  // namespace actord::os
