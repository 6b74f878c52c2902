// SPDX-License-Identifier: Apache-2.0
//
// The part of the log that belongs to one thread. emit() writes an event into the thread's ring.
//
// emit() does not format and does not wait. It allocates only for a record that finds the ring
// full.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/sync.hpp"
#include "log/backlog.hpp"
#include "log/byte_ring.hpp"
#include "log/log_record.hpp"
#include "log/record_codec.hpp"

namespace actord::log {

class Hub;

/// Records that did not go through a ring, since the start.
struct Losses {
  std::uint64_t lost_lifecycle = 0;       // neither a ring nor the backlog had room
  std::uint64_t dropped_best_effort = 0;  // the same for records of Class::best_effort
  std::uint64_t spilled = 0;              // waited or wait behind a full ring; not lost
};

/// Created and owned by a Hub.
///
/// Threads: emit() by the one thread it was attached for; the hub's shared emitter by any thread.
/// Order:   records of one emitter are drained in the order in which they were emitted.
/// Limits:  record_bytes_max and the other constants beside it (log_record.hpp). A record beyond
///          them is cut, never refused.
class Emitter {
 public:
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  /// Whether an event of this level may be taken, for callers with fields that are costly to
  /// compute. Any thread.
  bool is_enabled(Level level) const noexcept { return level <= level_.load(base::relaxed); }

  /// Emits an event: `event` is a constant name, `msg` one sentence, `fields` the data that varies.
  /// Everything is copied. Cost: about 100 ns, plus a system call if the sink sleeps; none if the
  /// level is off.
  void emit(Level level, std::string_view event, std::string_view msg,
            std::span<const Field> fields, Class kind = Class::lifecycle) noexcept {
    if (is_enabled(level)) [[likely]]
      emit_enabled(EventData{0, level, kind, event, msg, fields});
  }
  void emit(Level level, std::string_view event, std::string_view msg,
            std::initializer_list<Field> fields = {}, Class kind = Class::lifecycle) noexcept {
    emit(level, event, msg, std::span<const Field>(fields.begin(), fields.size()), kind);
  }

  /// The same for an event with a form of this hub, in less than half the time: `values` are those
  /// of its slots that are not constant.
  void emit(Level level, const Form& form, std::initializer_list<Value> values,
            Class kind = Class::lifecycle) noexcept {
    if (is_enabled(level)) [[likely]]
      emit_enabled(FormData{0, level, kind, form, {values.begin(), values.size()}, 0});
  }
  /// Emits an event of the audit (EventSchema::is_audit), also if its level is off.
  void audit(Level level, std::string_view event, std::string_view msg,
             std::span<const Field> fields, Class kind = Class::lifecycle) noexcept {
    emit_always(EventData{0, level, kind, event, msg, fields});
  }
  void audit(Level level, std::string_view event, std::string_view msg,
             std::initializer_list<Field> fields, Class kind = Class::lifecycle) noexcept {
    audit(level, event, msg, std::span<const Field>(fields.begin(), fields.size()), kind);
  }
  /// From now on each record has these fields, too, whose memory the caller keeps. Not for the
  /// shared emitter.
  void add_to_each(std::span<const Field> fields) noexcept { added_ = fields; }
  Hub& hub() const noexcept { return hub_; }
  /// Whether lines of failures wait, so that not every failure should be logged. Any thread.
  Congestion congestion() const noexcept { return backlog_.congestion(); }

  const std::string& name() const noexcept { return name_; }
  std::uint32_t thread_id() const noexcept { return thread_id_; }

 private:
  friend class Hub;

  // Values of `writing_since_` that are no stamps.
  // No record is being written.
  static constexpr std::int64_t idle = std::numeric_limits<std::int64_t>::max();
  // A record is being written, but its stamp is not known yet.
  static constexpr std::int64_t unstamped = std::numeric_limits<std::int64_t>::min();

  Emitter(Hub& hub, std::string name, std::uint32_t thread_id, bool is_shared);

  // Writes a record, unless a level of its actor forbids that. By reference: a copy of the data
  // would wait for its stores.
  void emit_enabled(EventData&& data) noexcept;
  void emit_enabled(FormData&& data) noexcept;
  // Writes a record, under shared_mutex_ if this is the shared emitter.
  void emit_always(EventData&& data) noexcept;
  void emit_with_added(EventData&& data) noexcept;
  void emit_without_form(const FormData& data) noexcept;
  template <class Data>
  bool is_admitted(const Data& data) const noexcept;
  template <class Data>
  void write_in_turn(Data& data) noexcept;
  // Writes a record into the ring or the spill list, or counts its loss.
  template <class Data>
  void write(Data& data) noexcept;
  // Appends a record to the spill list, or counts its loss.
  template <class Data, class Layout>
  void spill(const Data& data, const Layout& layout) noexcept;
  // Room in the spill list, or nullptr if memory is short.
  std::byte* spill_room(std::size_t bytes, Backlog::Part part) noexcept;

  // ---- the drain's side ----
  /// The stamp of the record being written, or `idle`. A drain reads it before fetch(): then
  /// fetch() sees every record emitted before, except those with this stamp or a later one.
  std::int64_t writing_since() const noexcept { return writing_since_.load(base::seq_cst); }
  // Fetches the ring's head and the spill list. peek() and pop() go through the records up to that
  // head and in that list.
  void fetch();
  // The oldest fetched record, or nullptr.
  const std::byte* peek() noexcept {
    if (!fetched_.empty() && is_at_spill()) [[unlikely]]
      return fetched_.front().pages[fetched_page_].bytes.data() + fetched_read_;
    return ring_.peek(head_);
  }
  bool is_at_spill() const noexcept {
    return !fetched_.empty() && ring_.read_position() == fetched_.front().after;
  }
  /// Removes the record that peek() returned.
  void pop() noexcept {
    if (is_at_spill()) [[unlikely]]
      return pop_from_spill();
    ring_.release(ring_.unpublished() >= publish_every);
  }
  void pop_from_spill() noexcept;
  // Lets the writer reuse the room of all removed records.
  void publish_tail() noexcept { ring_.publish_tail(); }
  // Whether a record is still to be delivered.
  bool has_pending() const noexcept;
  /// A dozing sink is woken when the ring holds at least this many bytes.
  std::size_t wake_threshold() const noexcept {
    return std::min<std::size_t>(ring_.capacity() / 4, 1 << 16);
  }
  /// Whether a dozing sink should drain now; true also while a record is being written.
  bool is_filling() const noexcept;

  Hub& hub_;
  Backlog& backlog_;
  const base::Atomic<Level>& level_;
  const std::string name_;
  const std::uint32_t thread_id_;
  const bool is_shared_;
  base::Mutex shared_mutex_;  // taken by emit() of the shared emitter only
  std::span<const Field> added_;

  ByteRing ring_;
  // The exchange of `writing_since_` in write() (seq_cst) pairs with two operations of the sink.
  // With the exchange of Hub::barrier_ before writing_since() (seq_cst): a drain that does not see
  // the announcement has read its clock before the writer reads it, so the record is younger than
  // the time limit of the drain. And with the stores of Hub::sink_ (seq_cst): either the sink sees
  // the announcement before it sleeps, or write() sees that the sink is about to sleep, and wakes
  // it. The store of `idle` (release) pairs with writing_since(): a reader that sees `idle` also
  // sees the record, or its loss.
  alignas(64) base::Atomic<std::int64_t> writing_since_{idle};

  static constexpr std::size_t publish_every = 16 * 1024;  // bytes popped before they are published

  // Records that found the ring full. While the list holds any, the writer does not use the ring,
  // so that position gives the order: the ring up to `after`, the list, the ring again. Each page
  // is reserved at once, so that its records never move. When it has been read, its room in the
  // backlog is given back.
  struct Page {
    std::vector<std::byte> bytes;
    Backlog::Sizes sizes{};
  };
  struct Spill {
    std::uint64_t after = 0;
    std::vector<Page> pages;
  };
  // The release of `is_spilling_` in spill() pairs with the acquire in fetch(), is_filling() and
  // has_pending(); the release in fetch() pairs with the acquire in write(). They make only the
  // flag visible: the list itself is read and written under `spill_mutex_`.
  base::Atomic<bool> is_spilling_{false};
  base::Mutex spill_mutex_;
  Spill spill_;

  // Used by the sink only.
  alignas(64) std::uint64_t head_ = 0;  // of the ring, at the last fetch()
  std::vector<Spill> fetched_;          // lists taken over by fetch(), oldest first
  std::size_t fetched_page_ = 0;        // the page of the first list that is being read
  std::size_t fetched_read_ = 0;        // bytes of that page already read
  base::Atomic<bool> is_detached_{false};
};

}  // namespace actord::log
