// SPDX-License-Identifier: Apache-2.0
//
// The merge of all rings by stamp, and the sleep of the sink.
#include "log/hub.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/assert.hpp"

namespace actord::log {
namespace {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t report_every_ns = 1'000'000'000;  // between two reports, if losses go on

}  // namespace

Hub::Hub(Clock clock, HubOptions options)
    : clock_(std::move(clock)),
      options_(options),
      level_(options.level),
      own_level_(options.level),
      backlog_(options.backlog_bytes) {
  ACTORD_ASSERT(clock_ != nullptr);
  emitters_.emplace_back(new Emitter(*this, "shared", 0, true));
  shared_ = emitters_.front().get();
  block_max_ = std::min(shared_->ring_.block_max(), record_bytes_max);
  version_.store(1, base::seq_cst);
}

// ---- levels -------------------------------------------------------------------------------------

void Hub::set_level(Level level) {
  const std::lock_guard lock(levels_mutex_);
  own_level_.store(level, base::relaxed);
  take_levels();
}

void Hub::set_actor_level(std::string_view path, Level level) {
  const std::lock_guard lock(levels_mutex_);
  actor_levels_.set(path, level);
  take_levels();
}

bool Hub::reset_actor_level(std::string_view path) {
  const std::lock_guard lock(levels_mutex_);
  const bool had_one = actor_levels_.remove(path);
  take_levels();
  return had_one;
}

void Hub::take_levels() {
  has_actor_levels_.store(!actor_levels_.is_empty(), base::relaxed);
  level_.store(actor_levels_.widest(level()), base::relaxed);
}

bool Hub::admits(Level level, std::string_view path) const {
  return level <= (path.empty() ? this->level() : actor_levels_.level_at(path, this->level()));
}

// ---- emitters -----------------------------------------------------------------------------------

Emitter& Hub::attach(std::string name) {
  const auto thread_id = static_cast<std::uint32_t>(::gettid());
  std::unique_ptr<Emitter> emitter(new Emitter(*this, std::move(name), thread_id, false));
  const std::lock_guard lock(mutex_);
  emitters_.push_back(std::move(emitter));
  // seq_cst: pairs with the load in refresh_sources(). A drain that does not see the new emitter
  // has read its clock before, so all records of this emitter are younger than its time limit.
  version_.fetch_add(1, base::seq_cst);
  return *emitters_.back();
}

void Hub::detach(Emitter& emitter) noexcept {
  ACTORD_ASSERT(&emitter != shared_);
  // release: pairs with the acquire in free_detached(), which then also sees the emitter's last
  // record.
  emitter.is_detached_.store(true, base::release);
  interrupt();  // so that a sleeping sink frees it
}

const Form& Hub::make_form(std::string_view event, std::string_view msg,
                           std::vector<Form::Slot> slots) {
  auto form = std::make_unique<const Form>(event, msg, std::move(slots));
  const std::lock_guard lock(mutex_);
  return *forms_.emplace_back(std::move(form));
}

Losses Hub::losses() const noexcept {
  return {backlog_.lost(), backlog_.dropped_chatter(), backlog_.spilled()};
}

// ---- the merge ----------------------------------------------------------------------------------

std::size_t Hub::drain_to(bool everything, Visitor visit, void* context) {
  const std::int64_t limit = fetch_all(everything);
  const std::size_t n = merge(limit, visit, context);
  const std::size_t reports = report_losses(visit, context);
  free_detached();
  return n + reports;
}

std::int64_t Hub::fetch_all(bool everything) {
  std::int64_t limit = everything ? no_limit : now();
  barrier_.exchange(0, base::seq_cst);  // pairs with the exchange in Emitter::write()
  refresh_sources();
  for (Source& source : sources_) {
    if (!everything) limit = std::min(limit, source.emitter->writing_since());
    source.emitter->fetch();
    source.next = source.emitter->peek();
    source.stamp = source.next != nullptr ? block_stamp(source.next) : no_limit;
  }
  return limit;
}

/// Delivers in runs: a run has the records of the emitter with the oldest record, up to the oldest
/// record of the other emitters.
std::size_t Hub::merge(std::int64_t limit, Visitor visit, void* context) {
  std::size_t n = 0;
  for (;;) {
    Source* first = nullptr;
    std::int64_t others = no_limit;
    for (Source& source : sources_) {
      if (source.next == nullptr) continue;
      if (first == nullptr) {
        first = &source;
      } else if (source.stamp < first->stamp) {
        others = first->stamp;
        first = &source;
      } else {
        others = std::min(others, source.stamp);
      }
    }
    if (first == nullptr || first->stamp > limit) return n;
    n += deliver_run(*first, std::min(limit, others), visit, context);
  }
}

std::size_t Hub::deliver_run(Source& source, std::int64_t limit, Visitor visit, void* context) {
  Emitter& emitter = *source.emitter;
  Record& record = decoder_.record();
  record.thread = emitter.name();
  record.thread_id = emitter.thread_id();
  std::size_t n = 0;
  do {
    decoder_.decode(source.next);
    record.seq = seq_ + 1;
    visit(context, record);  // may throw: the record has not been taken out yet
    ++seq_;
    ++n;
    emitter.pop();
    source.next = emitter.peek();
    source.stamp = source.next != nullptr ? block_stamp(source.next) : no_limit;
  } while (source.next != nullptr && source.stamp <= limit);
  emitter.publish_tail();
  return n;
}

// ---- losses, attached and detached emitters -----------------------------------------------------

/// Reports losses once the rings are empty, or every second while they never are.
std::size_t Hub::report_losses(Visitor visit, void* context) {
  if (!backlog_.has_losses()) return 0;
  const bool is_caught_up =
      std::ranges::all_of(sources_, [](const Source& source) { return source.next == nullptr; });
  const std::int64_t at = now();
  if (!is_caught_up && reported_at_ + report_every_ns > at) return 0;
  reported_at_ = at;
  const std::vector<Backlog::Loss> losses = backlog_.take_losses();
  for (const Backlog::Loss& loss : losses) report_loss(loss, visit, context);
  return losses.size();
}

void Hub::report_loss(const Backlog::Loss& loss, Visitor visit, void* context) {
  const std::array<Field, 3> fields = {
      {{"of", loss.of}, {"count", loss.count}, {"actor.path", loss.actor}}};
  seq_ += loss.count;  // the gap in seq is as wide as the loss
  Record record;
  record.stamp_ns = reported_at_;
  record.seq = ++seq_;
  record.level = Level::warning;
  record.event = "log.suppressed";
  record.msg = "log records were lost because the sink could not keep up";
  record.fields = std::span(fields).first(loss.actor.empty() ? 2 : 3);
  visit(context, record);
}

void Hub::refresh_sources() {
  const std::uint64_t version = version_.load(base::seq_cst);
  if (version == seen_version_) return;
  const std::lock_guard lock(mutex_);
  seen_version_ = version_.load(base::seq_cst);
  sources_.clear();
  for (const auto& emitter : emitters_) sources_.push_back({emitter.get(), nullptr, no_limit});
}

void Hub::free_detached() {
  const auto is_done = [](const Emitter& emitter) {
    // acquire: pairs with the release in detach(); the emitter's last record is visible, too.
    return emitter.is_detached_.load(base::acquire) && !emitter.has_pending();
  };
  if (std::ranges::none_of(sources_,
                           [&](const Source& source) { return is_done(*source.emitter); }))
    return;
  const std::lock_guard lock(mutex_);
  std::erase_if(emitters_,
                [&](const std::unique_ptr<Emitter>& emitter) { return is_done(*emitter); });
  version_.fetch_add(1, base::seq_cst);
  sources_.clear();  // rebuilt before the next use
}

// ---- the sleep of the sink ----------------------------------------------------------------------

bool Hub::has_pending() noexcept {
  if (is_interrupted_.load(base::seq_cst) || backlog_.has_losses()) return true;
  return std::ranges::any_of(sources_,
                             [](const Source& source) { return source.emitter->has_pending(); });
}

bool Hub::wait_for_records() {
  // The sink stores `sink_` before it looks for records: an emitter whose record it does not see
  // then sees that the sink is asleep, and wakes it.
  sink_.store(Sink::asleep, base::seq_cst);
  refresh_sources();
  const bool sleeps = !has_pending();
  if (sleeps) parker_.park(0);
  sink_.store(Sink::awake, base::seq_cst);
  // An exchange and not a store: the acquire makes visible what the caller of interrupt() did
  // before.
  is_interrupted_.exchange(false, base::seq_cst);
  return sleeps;
}

void Hub::doze(std::chrono::nanoseconds at_most) {
  sink_.store(Sink::dozing, base::seq_cst);
  refresh_sources();
  const auto is_filling = [](const Source& source) { return source.emitter->is_filling(); };
  if (!is_interrupted_.load(base::seq_cst) && std::ranges::none_of(sources_, is_filling)) {
    parker_.park(at_most.count());
  }
  sink_.store(Sink::awake, base::seq_cst);
}

void Hub::wake() noexcept {
  if (sink_.exchange(Sink::awake, base::seq_cst) != Sink::awake) parker_.unpark();
}

void Hub::wake_for_record(bool is_urgent) noexcept {
  if (!is_urgent && sink_.load(base::relaxed) == Sink::dozing) return;
  wake();
}

void Hub::interrupt() noexcept {
  is_interrupted_.store(true, base::seq_cst);
  wake();
}

}  // namespace actord::log
