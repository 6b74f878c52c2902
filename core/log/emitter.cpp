// SPDX-License-Identifier: Apache-2.0
//
// The writer's path into the ring or the spill list, and the drain's path out of both.
//
// How the two agree on time: the writer announces itself before it reads the clock, the drain reads
// the clock before it looks for announcements, both with full barriers. So there are two cases.
// Either the drain sees that a record is being written, and holds back younger records. Or the
// record's stamp is later than the time limit of the drain.
#include "log/emitter.hpp"

#include <array>
#include <new>
#include <utility>

#include "base/base32.hpp"
#include "log/hub.hpp"

namespace actord::log {
namespace {

/// Stands for the RecordLayout of a record with a form, of which nothing is cut.
struct WholeRecord {
  std::size_t bytes;
};

RecordLayout layout_of(const EventData& data, std::size_t bytes_max) noexcept {
  return fit(data, bytes_max);
}
WholeRecord layout_of(const FormData& data, std::size_t /*bytes_max*/) noexcept {
  return {data.bytes};
}
void encode(const FormData& data, const WholeRecord& /*layout*/, std::byte* to) noexcept {
  log::encode(data, to);
}

Backlog::Claim claim_of(const EventData& data) noexcept {
  const bool has_actor = !data.fields.empty() && data.fields.front().key == "actor.path" &&
                         data.fields.front().value.kind() == Value::Kind::text;
  return {data.level, data.kind, data.event,
          has_actor ? data.fields.front().value.text() : std::string_view{}};
}
Backlog::Claim claim_of(const FormData& data) noexcept {
  return {data.level, data.kind, data.form.event(), data.values.front().text()};
}

}  // namespace

Emitter::Emitter(Hub& hub, std::string name, std::uint32_t thread_id, bool is_shared)
    : hub_(hub),
      backlog_(hub.backlog_),
      level_(hub.level_),
      name_(std::move(name)),
      thread_id_(thread_id),
      is_shared_(is_shared),
      ring_(hub.options_.ring_bytes) {}

// ---- the writer ---------------------------------------------------------------------------------

template <class Data>
[[gnu::always_inline]] inline bool Emitter::is_admitted(const Data& data) const noexcept {
  if (!hub_.has_actor_levels_.load(base::relaxed)) [[likely]]
    return true;
  return hub_.admits(data.level, claim_of(data).actor);
}

void Emitter::emit_enabled(EventData&& data) noexcept {
  if (is_admitted(data)) emit_always(std::move(data));
}

void Emitter::emit_always(EventData&& data) noexcept {
  if (!added_.empty()) [[unlikely]]
    return emit_with_added(std::move(data));
  write_in_turn(data);
}

[[gnu::noinline]] void Emitter::emit_with_added(EventData&& data) noexcept {
  std::array<Field, record_fields_max> fields;
  const std::size_t own = std::min(data.fields.size(), fields.size() - added_.size());
  std::ranges::copy(added_, std::ranges::copy(data.fields.first(own), fields.begin()).out);
  data.fields = {fields.data(), own + added_.size()};
  write_in_turn(data);
}

void Emitter::emit_enabled(FormData&& data) noexcept {
  if (!is_admitted(data)) return;
  data.bytes = size_of(data.values);
  if (data.bytes <= hub_.block_max_ && added_.empty()) [[likely]]
    return write_in_turn(data);
  emit_without_form(data);
}

/// For a record that is too long for a block, which is cut as any other, and for one with added
/// fields.
void Emitter::emit_without_form(const FormData& data) noexcept {
  std::array<Field, record_fields_max> fields;
  char numbers[Form::base32_max][13];
  std::size_t n_numbers = 0;
  Field* to = fields.data();
  const Value* value = data.values.data();
  for (const Form::Slot& slot : data.form.slots()) {
    to->key = slot.key;
    to->value = slot.kind == Form::Kind::constant ? Value(slot.text) : *value++;
    if (slot.kind == Form::Kind::base32) {
      auto& text = numbers[n_numbers++];
      to->value = std::string_view(text, base::write_base32(to->value.natural(), text));
    }
    ++to;
  }
  emit_always(
      EventData{0, data.level, data.kind, data.form.event(), data.form.msg(), {fields.data(), to}});
}

template <class Data>
[[gnu::always_inline]] inline void Emitter::write_in_turn(Data& data) noexcept {
  if (is_shared_) [[unlikely]] {
    const std::lock_guard lock(shared_mutex_);
    write(data);
  } else {
    write(data);
  }
}

template <class Data>
void Emitter::write(Data& data) noexcept {
  // The only full barrier of an emission. It stands before the reading of the clock, and before the
  // reading of Hub::sink_ below.
  writing_since_.exchange(unstamped, base::seq_cst);
  data.stamp_ns = hub_.now();
  writing_since_.store(data.stamp_ns, base::relaxed);

  const auto layout = layout_of(data, hub_.block_max_);
  std::byte* block = nullptr;
  if (!is_spilling_.load(base::acquire)) [[likely]]
    block = ring_.reserve(layout.bytes);
  if (block != nullptr) [[likely]] {
    encode(data, layout, block);
    ring_.commit();
  } else {
    spill(data, layout);
  }
  writing_since_.store(idle, base::release);
  if (!hub_.is_sink_awake()) [[unlikely]] {
    const bool is_urgent = block == nullptr || ring_.used() >= wake_threshold();
    hub_.wake_for_record(is_urgent);
  }
}

template <class Data, class Layout>
[[gnu::noinline]] void Emitter::spill(const Data& data, const Layout& layout) noexcept {
  const Backlog::Claim claim = claim_of(data);
  if (!backlog_.admit(claim, layout.bytes)) return;
  const std::lock_guard lock(spill_mutex_);
  std::byte* const room = spill_room(layout.bytes, Backlog::part_of(claim));
  if (room == nullptr) return backlog_.drop(claim, layout.bytes);
  encode(data, layout, room);
  if (!is_spilling_.load(base::relaxed)) {
    spill_.after = ring_.head();
    is_spilling_.store(true, base::release);
  }
}

std::byte* Emitter::spill_room(std::size_t bytes, Backlog::Part part) noexcept {
  constexpr std::size_t page_bytes = 64 * 1024;
  static_assert(page_bytes >= record_bytes_max);
  try {
    if (spill_.pages.empty() ||
        spill_.pages.back().bytes.capacity() - spill_.pages.back().bytes.size() < bytes) {
      Page page;
      page.bytes.reserve(page_bytes);
      spill_.pages.push_back(std::move(page));
    }
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  Page& page = spill_.pages.back();
  const std::size_t start = page.bytes.size();
  page.bytes.resize(start + bytes);
  page.sizes[static_cast<std::size_t>(part)] += static_cast<std::uint32_t>(bytes);
  return page.bytes.data() + start;
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
  Page& page = spill.pages[fetched_page_];
  fetched_read_ += block_size(page.bytes.data() + fetched_read_);
  if (fetched_read_ < page.bytes.size()) return;
  fetched_read_ = 0;
  std::vector<std::byte>().swap(page.bytes);  // a long list gives its memory back as it is read
  backlog_.release(page.sizes);
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
  return is_spilling_.load(base::acquire);
}

}  // namespace actord::log
