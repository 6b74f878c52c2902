// SPDX-License-Identifier: Apache-2.0
//
// The writer's path into the ring or the spill list, and the drain's path out of both.
//
// How the two agree on time: the writer announces itself before it reads the clock, the drain reads
// the clock before it looks for announcements, both with full barriers. So there are two cases.
// Either the drain sees that a record is being written, and holds back younger records. Or the
// record's stamp is later than the time limit of the drain.
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
  return {lost_lifecycle_.load(base::relaxed), dropped_best_effort_.load(base::relaxed),
          spilled_.load(base::relaxed)};
}

// ---- the writer ---------------------------------------------------------------------------------

void Emitter::emit_enabled(Level level, std::string_view event, std::string_view msg,
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
  // The only full barrier of an emission. It stands before the reading of the clock, and before the
  // reading of Hub::sink_ below.
  writing_since_.exchange(unstamped, base::seq_cst);
  const EventData data{hub_.now(), level, kind, event, msg, fields};
  writing_since_.store(data.stamp_ns, base::relaxed);

  const RecordLayout layout = fit(data, hub_.block_max_);
  std::byte* block = nullptr;
  bool is_spilled = false;
  if (!is_spilling_.load(base::acquire)) [[likely]]
    block = ring_.reserve(layout.bytes);
  if (block != nullptr) [[likely]] {
    encode(data, layout, block);
    ring_.commit();
  } else if (kind == Class::best_effort) {
    count_one(dropped_best_effort_);
  } else {
    is_spilled = spill(data, layout);
    count_one(is_spilled ? spilled_ : lost_lifecycle_);
  }
  writing_since_.store(idle, base::release);
  if (!hub_.is_sink_awake()) [[unlikely]] {
    const bool is_urgent = block == nullptr || ring_.used() >= wake_threshold();
    hub_.wake_for_record(is_urgent);
  }
}

bool Emitter::spill(const EventData& data, const RecordLayout& layout) noexcept {
  const HubOptions& options = hub_.options_;
  const std::size_t reserve = data.level <= Level::warning ? options.reserve_bytes : 0;
  const std::lock_guard lock(spill_mutex_);
  std::byte* const room = spill_room(layout.bytes, options.spill_bytes + reserve);
  if (room == nullptr) return false;
  encode(data, layout, room);
  if (!is_spilling_.load(base::relaxed)) {
    spill_.after = ring_.head();
    is_spilling_.store(true, base::release);
  }
  return true;
}

std::byte* Emitter::spill_room(std::size_t bytes, std::size_t limit) {
  constexpr std::size_t page_bytes = 64 * 1024;
  static_assert(page_bytes >= record_bytes_max);
  if (spill_.bytes + bytes > limit) return nullptr;
  try {
    if (spill_.pages.empty() ||
        spill_.pages.back().capacity() - spill_.pages.back().size() < bytes) {
      std::vector<std::byte> page;
      page.reserve(page_bytes);
      spill_.pages.push_back(std::move(page));
    }
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  std::vector<std::byte>& page = spill_.pages.back();
  const std::size_t start = page.size();
  page.resize(start + bytes);
  spill_.bytes += bytes;
  return page.data() + start;
}

// ---- the drain ----------------------------------------------------------------------------------

void Emitter::fetch() {
  head_ = ring_.head();
  if (!is_spilling_.load(base::acquire)) return;
  const std::lock_guard lock(spill_mutex_);
  fetched_.push_back(std::exchange(spill_, Spill{}));
  is_spilling_.store(false, base::release);
}

void Emitter::pop_from_spill() noexcept {
  Spill& spill = fetched_.front();
  std::vector<std::byte>& page = spill.pages[fetched_page_];
  fetched_read_ += block_size(page.data() + fetched_read_);
  if (fetched_read_ < page.size()) return;
  fetched_read_ = 0;
  std::vector<std::byte>().swap(page);  // a long list gives its memory back as it is read
  if (++fetched_page_ < spill.pages.size()) return;
  fetched_page_ = 0;
  fetched_.erase(fetched_.begin());
}

bool Emitter::is_filling() const noexcept {
  if (writing_since() != idle || is_spilling_.load(base::acquire)) return true;
  return ring_.head() - ring_.read_position() >= wake_threshold();
}

bool Emitter::has_pending() const noexcept {
  if (writing_since() != idle) return true;
  if (ring_.head() != ring_.read_position() || !fetched_.empty()) return true;
  if (is_spilling_.load(base::acquire)) return true;
  const Losses now = losses();
  return now.lost_lifecycle != reported_.lost_lifecycle ||
         now.dropped_best_effort != reported_.dropped_best_effort;
}

}  // namespace actord::log
