// SPDX-License-Identifier: Apache-2.0
#include "os/lane_ends.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/clock.hpp"
#include "os/process.hpp"
#include "sched/cpu_count.hpp"

namespace actord::os {

namespace {

// About what it costs to sleep and to be woken, so that a wait takes at most twice its best.
constexpr std::int64_t spin_ns = 12'000;
// So long a thread that sleeps may take until it runs, on a virtual CPU.
constexpr std::int64_t wake_ns = 60'000;
constexpr int spins_between_looks = 32;  // at the clock

// How long a parent sleeps before it looks whether another thread has given up the lane. What wakes
// it is the word; but a child that is being killed might write over that.
constexpr std::int64_t sleep_limit_ns = base::ns_per_s / 10;

constexpr std::size_t exchange_bytes_max = std::size_t{256} << 20;

// The parent finds out for both: to read the control group of the process takes 0.1 ms, and an
// actor may wait for the child.
bool has_several_cpus() {
  static const bool has = sched::available_cpus() > 1;
  return has;
}

std::uint32_t after(std::uint32_t turn) noexcept { return (turn + 1) & ~LaneWords::closed; }
std::uint32_t before(std::uint32_t turn) noexcept { return (turn - 1) & ~LaneWords::closed; }

}  // namespace

void SpinChoice::spin(const base::Atomic<std::uint32_t>& word, std::uint32_t value,
                      bool has_woken) noexcept {
  got_turn_ns_ = 0;
  if (waits_to_skip_ > 0) {
    --waits_to_skip_;
    return;
  }
  std::int64_t until_ns = 0;  // the clock is first read when the other side is not quick
  do {
    for (int i = 0; i < spins_between_looks; ++i) {
      if (word.load(base::relaxed) != value) {
        penalty_ = 0;
        return;
      }
      base::cpu_relax();
    }
    got_turn_ns_ = base::monotonic_ns();
    if (until_ns == 0) until_ns = got_turn_ns_ + spin_ns + (has_woken ? wake_ns : 0);
  } while (got_turn_ns_ < until_ns);
  penalty_ = std::min(2 * penalty_ + 1, waits_skipped_max);
  waits_to_skip_ = penalty_;
}

void SpinChoice::note_sleep(std::uint32_t other_took_ns) noexcept {
  got_turn_ns_ = base::monotonic_ns();
  if (other_took_ns == 0 || other_took_ns >= spin_ns) return;
  waits_to_skip_ = 0;
  penalty_ = 0;
}

std::uint32_t SpinChoice::took_ns() const noexcept {
  if (got_turn_ns_ == 0) return 0;
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(base::monotonic_ns() - got_turn_ns_, 1, UINT32_MAX));
}

// ---- the parent ---------------------------------------------------------------------------------

ParentLane::Exchanged ParentLane::exchange(std::string_view frame, std::string& requests,
                                           LongWait* watch) {
  const auto broken = [&](const char* fault) {
    give_up();
    return Exchanged{false, true, fault};
  };
  const auto reason = [this] {
    return static_cast<TurnReason>(lanes_->words(lane_).reason.load(base::relaxed));
  };
  constexpr const char* bad_turn = "it has taken a turn that was not its own";
  requests.clear();
  std::optional<Passed> begun = std::exchange(begun_, std::nullopt);
  if (!begun) lanes_->words(lane_).frame_number.store(++frame_number_, base::relaxed);
  taken_bytes_ = 0;
  watch_ = watch;
  part_.clear();
  for (bool is_first = true; is_first || !frame.empty(); is_first = false) {
    const std::string_view piece = frame.substr(0, SharedLanes::area_size);
    frame.remove_prefix(piece.size());
    if (!begun) write_piece(piece, !frame.empty());
    const Passed passed = begun == Passed::given ? wait() : begun ? *begun : pass();
    if (passed == Passed::broken) return broken(bad_turn);
    if (passed == Passed::closed) return closed(requests);
    if (!frame.empty() && reason() != TurnReason::next_piece)
      return broken("it has not taken the whole frame");
  }
  for (;;) {
    const TurnReason why = reason();
    if (why != TurnReason::done && why != TurnReason::full && why != TurnReason::part)
      return broken("it has given its turn back for no reason");
    if (why == TurnReason::part) {
      const std::uint32_t bytes = lanes_->words(lane_).part_bytes.load(base::relaxed);
      if (bytes > SharedLanes::area_size || bytes == 0)
        return broken("a piece of its request is larger than the area for it");
      taken_bytes_ += bytes;
      if (taken_bytes_ > exchange_bytes_max) return broken("it asks for more than 256 MiB at once");
      part_.append(lanes_->request_area(lane_), bytes);
    } else if (const char* const fault = take_requests(before(turn_), requests)) {
      return broken(fault);
    }
    if (why == TurnReason::done) {
      if (!part_.empty()) return broken("it has ended its turn within a request");
      return {true, true, nullptr};
    }
    write_piece({}, false);
    const Passed passed = pass();
    if (passed == Passed::broken) return broken(bad_turn);
    if (passed == Passed::closed) return closed(requests);
  }
}

void ParentLane::write_piece(std::string_view piece, bool has_more) noexcept {
  LaneWords& words = lanes_->words(lane_);
  piece.copy(lanes_->frame_area(lane_), piece.size());
  words.frame_bytes.store(static_cast<std::uint32_t>(piece.size()), base::relaxed);
  words.has_more.store(has_more ? 1 : 0, base::relaxed);
  words.child_spins.store(has_several_cpus() ? 1 : 0, base::relaxed);
}

void ParentLane::begin(std::string_view frame) noexcept {
  ACTORD_ASSERT(!begun_ && frame.size() <= SharedLanes::area_size);
  lanes_->words(lane_).frame_number.store(++frame_number_, base::relaxed);
  write_piece(frame, false);
  begun_ = give();
}

/// Takes what the child has put in that turn of its own. Also after its death: that is whole.
const char* ParentLane::take_requests(std::uint32_t turn, std::string& requests) {
  const std::uint64_t put = lanes_->words(lane_).put.load(base::acquire);
  if (put >> 32 != turn) return nullptr;
  const auto bytes = static_cast<std::uint32_t>(put);
  if (bytes > SharedLanes::area_size) return "its requests are larger than the area for them";
  taken_bytes_ += bytes;
  if (taken_bytes_ > exchange_bytes_max) return "it asks for more than 256 MiB at once";
  if (bytes == 0) return nullptr;
  requests.append(part_);
  part_.clear();
  requests.append(lanes_->request_area(lane_), bytes);
  return nullptr;
}

ParentLane::Exchanged ParentLane::closed(std::string& requests) {
  const std::uint32_t begun = lanes_->words(lane_).begun_frame.load(base::acquire);
  return {false, begun == frame_number_, take_requests(after(turn_), requests)};
}

ParentLane::Passed ParentLane::pass() noexcept {
  const Passed given = give();
  return given == Passed::given ? wait() : given;
}

ParentLane::Passed ParentLane::give() noexcept {
  LaneWords& words = lanes_->words(lane_);
  std::uint32_t expected = turn_;
  const std::uint32_t next = after(turn_);
  is_childs_turn_.store(true, base::relaxed);
  const bool is_passed =
      !is_given_up() && words.turn.compare_exchange_strong(expected, next, base::seq_cst);
  has_woken_ = is_passed && words.child_sleeps.load(base::seq_cst) != 0;
  if (has_woken_) {
    words.parent_took_ns.store(spin_.took_ns(), base::relaxed);
    wake_word(words.turn);
  }
  const bool is_closed = is_given_up() || expected == (turn_ | LaneWords::closed);
  return is_passed ? Passed::given : is_closed ? Passed::closed : Passed::broken;
}

ParentLane::Passed ParentLane::wait() noexcept {
  LaneWords& words = lanes_->words(lane_);
  const std::uint32_t value = after(turn_);
  if (has_several_cpus()) spin_.spin(words.turn, value, has_woken_);
  std::uint32_t turn = words.turn.load(base::seq_cst);
  const bool sleeps = turn == value;
  while (turn == value && !is_given_up()) {
    words.parent_sleeps.store(1, base::seq_cst);
    const bool is_late =
        words.turn.load(base::seq_cst) == value && !wait_on_word(words.turn, value, sleep_limit_ns);
    words.parent_sleeps.store(0, base::relaxed);
    if (is_late && watch_ != nullptr) std::exchange(watch_, nullptr)->on_long_wait();
    turn = words.turn.load(base::seq_cst);
  }
  if (sleeps) spin_.note_sleep(words.child_took_ns.load(base::relaxed));
  const std::uint32_t back = after(value);
  // The turn has come back, and after that the lane was closed: this exchange is complete.
  if ((turn & ~LaneWords::closed) == back) {
    turn_ = back;
    is_childs_turn_.store(false, base::relaxed);
    return Passed::came_back;
  }
  if (turn == (value | LaneWords::closed) || is_given_up()) return Passed::closed;
  return Passed::broken;
}

void ParentLane::give_up() noexcept {
  is_given_up_.store(true, base::seq_cst);
  lanes_->close(lane_);
}

bool ParentLane::is_busy() const noexcept {
  const LaneWords& words = lanes_->words(lane_);
  return is_childs_turn() &&
         words.begun_frame.load(base::relaxed) == words.frame_number.load(base::relaxed);
}

// ---- the child ----------------------------------------------------------------------------------

void ChildLane::put(std::string_view request) {
  if (request.size() > SharedLanes::area_size - put_bytes_) {
    if (put_bytes_ > 0) pass_or_stop(TurnReason::full);
    char* const area = lanes_->request_area(lane_);
    while (request.size() > SharedLanes::area_size) {
      std::memcpy(area, request.data(), SharedLanes::area_size);
      lanes_->words(lane_).part_bytes.store(SharedLanes::area_size, base::relaxed);
      request.remove_prefix(SharedLanes::area_size);
      pass_or_stop(TurnReason::part);
    }
  }
  std::memcpy(lanes_->request_area(lane_) + put_bytes_, request.data(), request.size());
  put_bytes_ += request.size();
  lanes_->words(lane_).put.store(
      LaneWords::put_in(after(turn_), static_cast<std::uint32_t>(put_bytes_)), base::release);
}

bool ChildLane::turn(std::string_view& frame) {
  LaneWords& words = lanes_->words(lane_);
  if (!(is_ours_ ? pass(TurnReason::done) : wait())) return false;
  const auto piece = [&] {
    return std::string_view{lanes_->frame_area(lane_), words.frame_bytes.load(base::relaxed)};
  };
  frame = piece();
  if (words.has_more.load(base::relaxed) != 0) {
    whole_.assign(frame);
    while (words.has_more.load(base::relaxed) != 0) {
      if (!pass(TurnReason::next_piece)) return false;
      whole_.append(piece());
    }
    frame = whole_;
  }
  const std::uint32_t number = words.frame_number.load(base::relaxed);
  words.begun_frame.store(number, base::release);
  return true;
}

bool ChildLane::pass(TurnReason reason) noexcept {
  LaneWords& words = lanes_->words(lane_);
  words.reason.store(static_cast<std::uint32_t>(reason), base::relaxed);
  std::uint32_t expected = after(turn_);
  turn_ = after(expected);
  is_ours_ = false;
  put_bytes_ = 0;
  if (!words.turn.compare_exchange_strong(expected, turn_, base::seq_cst)) return false;
  has_woken_ = words.parent_sleeps.load(base::seq_cst) != 0;
  if (has_woken_) {
    words.child_took_ns.store(spin_.took_ns(), base::relaxed);
    wake_word(words.turn);
  }
  return wait();
}

bool ChildLane::wait() noexcept {
  LaneWords& words = lanes_->words(lane_);
  if (words.child_spins.load(base::relaxed) != 0) spin_.spin(words.turn, turn_, has_woken_);
  const bool sleeps = words.turn.load(base::seq_cst) == turn_;
  while (words.turn.load(base::seq_cst) == turn_) {
    words.child_sleeps.store(1, base::seq_cst);
    if (words.turn.load(base::seq_cst) == turn_) wait_on_word(words.turn, turn_, 0);
    words.child_sleeps.store(0, base::relaxed);
  }
  if (sleeps) spin_.note_sleep(words.parent_took_ns.load(base::relaxed));
  is_ours_ = words.turn.load(base::seq_cst) == after(turn_);
  return is_ours_;
}

void ChildLane::pass_or_stop(TurnReason reason) noexcept {
  if (pass(reason)) return;
  for (;;) ::pause();
}

void ChildLane::note_work(std::string_view what) noexcept {
  LaneWords& words = lanes_->words(lane_);
  const std::size_t bytes = std::min(what.size(), words.work.size());
  what.copy(words.work.data(), bytes);
  words.work_bytes.store(static_cast<std::uint32_t>(bytes), base::release);
}

void ChildLane::note_thread() noexcept {
  lanes_->words(lane_).thread_id.store(thread_id(), base::relaxed);
}

}  // namespace actord::os
