// SPDX-License-Identifier: Apache-2.0
//
// The writer's way into the ring or the spill list, and the drain's way out of both.
//
// How the two agree on time: the writer announces itself before it reads the clock, the drain reads
// the clock before it looks for announcements, both with full barriers. So the drain either sees
// that something is being written, and holds back what is younger, or whatever comes later is
// stamped later than the drain's cut.
#include "log/emitter.hpp"

#include <cstring>
#include <new>
#include <utility>

#include "log/hub.hpp"
#include "log/record_codec.hpp"

namespace actord::log {
namespace {

/// A counter with one writer at a time: no read-modify-write.
void count_one(base::Atomic<std::uint64_t>& counter) noexcept {
  counter.store(counter.load(base::relaxed) + 1, base::relaxed);
}

}  // namespace

Emitter::Emitter(Hub& hub, std::string name, std::uint32_t thread_id, bool is_shared)
    : hub_(hub),
      level_(hub.level_),
      name_(std::move(name)),
      thread_id_(thread_id),
      is_shared_(is_shared),
      ring_(hub.options_.ring_bytes) {}

Losses Emitter::losses() const noexcept {
  return {lost_lifecycle_.load(base::relaxed), dropped_chatter_.load(base::relaxed),
          spilled_.load(base::relaxed)};
}

// ---- the writer ---------------------------------------------------------------------------------

void Emitter::take(Level level, std::string_view event, std::string_view msg,
                   std::span<const Field> fields, Class kind) noexcept {
  if (is_shared_) [[unlikely]] {
    const std::lock_guard lock(shared_mutex_);
    write(level, event, msg, fields, kind);
  } else {
    write(level, event, msg, fields, kind);
  }
}

void Emitter::write(Level level, std::string_view event, std::string_view msg,
                    std::span<const Field> fields, Class kind) noexcept {
  // The one full barrier of an emission: it stands before the clock here, and before the look at
  // the sink's sleep below.
  writing_since_.exchange(unstamped, base::seq_cst);
  const Draft draft{hub_.now(), level, kind, event, msg, fields};
  writing_since_.store(draft.stamp_ns, base::relaxed);

  const Shape shape = fit(draft, hub_.block_max_);
  std::byte* block = nullptr;
  bool is_spilled = false;
  if (!is_spilling_.load(base::acquire)) [[likely]]
    block = ring_.reserve(shape.bytes);
  if (block != nullptr) [[likely]] {
    encode(draft, shape, block);
    ring_.commit();
  } else if (kind == Class::chatter) {
    count_one(dropped_chatter_);
  } else {
    is_spilled = spill(draft, shape);
    count_one(is_spilled ? spilled_ : lost_lifecycle_);
  }
  writing_since_.store(idle, base::release);
  if (!hub_.is_sink_awake()) [[unlikely]] {
    const bool is_urgent = block == nullptr || ring_.used() >= ring_.capacity() / 4;
    hub_.wake_for_record(is_urgent);
  }
}

bool Emitter::spill(const Draft& draft, const Shape& shape) noexcept {
  const std::lock_guard lock(spill_mutex_);
  const std::size_t start = spill_.bytes.size();
  if (spill_.count >= hub_.options_.spill_records) return false;
  if (start + shape.bytes > hub_.options_.spill_bytes) return false;
  try {
    spill_.bytes.resize(start + shape.bytes);
  } catch (const std::bad_alloc&) {
    return false;
  }
  encode(draft, shape, spill_.bytes.data() + start);
  if (spill_.count++ == 0) {
    spill_.after = ring_.head();
    is_spilling_.store(true, base::release);
  }
  return true;
}

// ---- the drain ----------------------------------------------------------------------------------

void Emitter::look() {
  head_ = ring_.head();
  if (!is_spilling_.load(base::acquire)) return;
  const std::lock_guard lock(spill_mutex_);
  taken_.push_back(std::exchange(spill_, Spill{}));
  is_spilling_.store(false, base::release);
}

bool Emitter::is_at_spill() const noexcept {
  return !taken_.empty() && ring_.read_position() == taken_.front().after;
}

const std::byte* Emitter::peek() noexcept {
  if (is_at_spill()) return taken_.front().bytes.data() + taken_read_;
  return ring_.peek(head_);
}

void Emitter::step() noexcept {
  if (is_at_spill()) {
    const std::vector<std::byte>& bytes = taken_.front().bytes;
    taken_read_ += block_size(bytes.data() + taken_read_);
    if (taken_read_ < bytes.size()) return;
    taken_.erase(taken_.begin());
    taken_read_ = 0;
    return;
  }
  constexpr std::size_t publish_every = 16 * 1024;
  ring_.release(ring_.unpublished() >= publish_every);
}

bool Emitter::is_filling() const noexcept {
  if (writing_since() != idle || is_spilling_.load(base::acquire)) return true;
  return ring_.head() - ring_.read_position() >= ring_.capacity() / 4;
}

bool Emitter::has_pending() const noexcept {
  if (writing_since() != idle) return true;
  if (ring_.head() != ring_.read_position() || !taken_.empty()) return true;
  if (is_spilling_.load(base::acquire)) return true;
  const Losses now = losses();
  return now.lost_lifecycle != reported_.lost_lifecycle ||
         now.dropped_chatter != reported_.dropped_chatter;
}

}  // namespace actord::log
