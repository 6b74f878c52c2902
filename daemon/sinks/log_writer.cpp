// SPDX-License-Identifier: Apache-2.0
//
// The loop of the sink thread.
#include "sinks/log_writer.hpp"

#include <pthread.h>
#include <spdlog/details/log_msg.h>
#include <spdlog/pattern_formatter.h>

#include <array>
#include <chrono>
#include <utility>

#include "base/assert.hpp"
#include "base/clock.hpp"
#include "sinks/json_lines.hpp"
#include "sinks/log_history.hpp"
#include "sinks/own_sink.hpp"
#include "sinks/signals_blocked.hpp"

namespace actord::sinks {
namespace {

using namespace std::chrono_literals;

// after more records than this, the next drain follows at once
constexpr std::size_t busy_records = 256;
constexpr auto doze_time = 1ms;
// the same while the format holds records back
constexpr auto hold_time = 10ms;

}  // namespace

LogWriter::LogWriter(log::Hub& hub, const LogWriterOptions& options)
    : hub_(hub),
      batch_bytes_(options.batch_bytes),
      output_(choose_output(options)),
      wall_([&hub] { return hub.now(); },
            options.wall_clock ? options.wall_clock : system_clock_ns),
      history_(options.history) {
  if (options.mask != nullptr) mask_.emplace(*options.mask);
  places_.reserve(options.sinks.size() + 1);
  if (output_.output != Output::none) add_output(options);
  for (const LogSink& each : options.sinks) {
    auto sink = make_sink(options, each);
    OwnSink* const own = sink.get();
    places_.push_back({each.level, make_format(options, each), std::move(sink), own,
                       LineBuffer(batch_bytes_ + JsonLines::line_max)});
  }
}

void LogWriter::add_output(const LogWriterOptions& options) {
  spdlog::sink_ptr sink = options.sink;
  OwnSink* own = nullptr;
  if (sink != nullptr) {
    sink->set_formatter(
        std::make_unique<spdlog::pattern_formatter>("%v", spdlog::pattern_time_type::utc, ""));
  } else {
    auto made = make_sink(options, output_.output);
    own = made.get();
    sink = std::move(made);
  }
  places_.push_back({options.level, make_format(options, output_.output), std::move(sink), own,
                     LineBuffer(batch_bytes_ + JsonLines::line_max)});
}

LogWriter::~LogWriter() { stop(); }

void LogWriter::start() {
  ACTORD_ASSERT(!thread_.joinable() && !is_stopped_);
  const SignalsBlocked inherited;
  thread_ = std::thread([this] { run(); });
  ::pthread_setname_np(thread_.native_handle(), "log-sink");
}

void LogWriter::begin_stop(std::function<void()> on_written) {
  if (std::exchange(is_stopped_, true)) return;
  on_written_ = std::move(on_written);
  const std::int64_t now = base::monotonic_ns();
  hurry_from(now + write_all_ns, now + write_failures_ns);
  set_timeout(stop_timeout_ns);
  if (!thread_.joinable()) return finish();
  is_stopping_.store(true, std::memory_order_release);
  hub_.interrupt();
}

void LogWriter::stop() {
  begin_stop();
  if (thread_.joinable()) thread_.join();
}

bool LogWriter::stop_within(std::int64_t ns) {
  const std::int64_t now = base::monotonic_ns();
  hurry_from(now + ns / 2, now + ns / 4 * 3);
  begin_stop();
  set_timeout(ns / 10);
  if (!thread_.joinable()) return true;
  if (finished_.get_future().wait_for(std::chrono::nanoseconds(ns)) != std::future_status::ready)
    return false;
  thread_.join();
  return true;
}

void LogWriter::set_timeout(std::int64_t ns) noexcept {
  for (const Place& each : places_)
    if (each.own != nullptr) each.own->set_timeout(ns);
}

/// Writes everything that is left, and reports the losses. Called on the writing thread.
void LogWriter::finish() {
  drain_batches(true);
  report_skipped();
  write_batches();
  const log::Losses losses = hub_.losses();
  for (const Place& each : places_) {
    each.sink->flush();
    if (each.own != nullptr)
      each.own->report_losses(losses.lost_lifecycle + losses.dropped_best_effort);
  }
  if (on_written_) on_written_();
  finished_.set_value();
}

std::size_t LogWriter::drain() {
  ACTORD_ASSERT(!thread_.joinable() && !is_stopped_);
  return drain_batches(false);
}

bool LogWriter::reopen_files() noexcept {
  bool has_files = false;
  for (const Place& each : places_)
    if (each.own != nullptr && each.own->reopen()) has_files = true;
  return has_files;
}

WriteFailures LogWriter::failures() const noexcept {
  WriteFailures sum{failed_batches_.load(std::memory_order_relaxed), 0};
  for (const Place& each : places_) {
    if (each.own == nullptr) continue;
    sum.failed_writes += each.own->failed_writes();
    sum.lost_lines += each.own->lost_lines();
  }
  return sum;
}

void LogWriter::run() {
  while (!is_stopping_.load(std::memory_order_acquire)) {
    const std::size_t n = drain_batches(false);
    if (n > busy_records) continue;
    if (is_holding_back_) {
      hub_.doze(hold_time);
    } else if (n > 0) {
      hub_.doze(doze_time);
    } else if (!hub_.wait_for_records()) {
      std::this_thread::yield();  // a thread is in the middle of an emit(): let it run
    }
  }
  finish();
}

std::size_t LogWriter::drain_batches(bool everything) {
  wall_.refresh();
  look_at_clock();
  const auto visit = [this](const log::Record& record) { take(record); };
  const std::size_t n = everything ? hub_.drain_all(visit) : hub_.drain(visit);
  is_holding_back_ = false;
  for (Place& each : places_)
    if (each.format->end_batch(each.batch, hub_.now(), everything)) is_holding_back_ = true;
  write_batches();
  return n;
}

void LogWriter::take(const log::Record& record) {
  if (written_ != Written::all) [[unlikely]] {
    if (is_left_out(record)) {
      const auto found = skipped_.try_emplace(std::string(record.event)).first;
      ++found->second;
      last_skipped_.stamp_ns = record.stamp_ns;
      last_skipped_.seq = record.seq;
      return;
    }
    report_skipped();
  }
  append(record);
}

void LogWriter::append(const log::Record& record) {
  const log::Record& named = stack_names_.named(record);
  const log::Record& shown = mask_ ? mask_->masked(named) : named;
  const std::int64_t wall_ns = wall_.at(record.stamp_ns);
  if (history_ != nullptr) history_->add(shown, wall_ns);
  for (Place& each : places_) {
    if (shown.level > each.level) continue;
    each.format->append(each.batch, shown, wall_ns);
    if (each.batch.size() >= batch_bytes_) write(each);
  }
}

void LogWriter::hurry_from(std::int64_t failures_ns, std::int64_t reserved_ns) noexcept {
  const auto lower = [](std::atomic<std::int64_t>& to, std::int64_t at_ns) {
    if (at_ns < to.load(std::memory_order_relaxed)) to.store(at_ns, std::memory_order_relaxed);
  };
  lower(only_failures_from_ns_, failures_ns);
  lower(only_reserved_from_ns_, reserved_ns);
}

void LogWriter::look_at_clock() noexcept {
  const std::int64_t now = base::monotonic_ns();
  const auto is_over = [&](const std::atomic<std::int64_t>& at_ns) {
    return now >= at_ns.load(std::memory_order_relaxed);
  };
  written_ = is_over(only_reserved_from_ns_)   ? Written::reserved
             : is_over(only_failures_from_ns_) ? Written::failures
                                               : Written::all;
}

bool LogWriter::is_left_out(const log::Record& record) const noexcept {
  using Part = log::Backlog::Part;
  const Part part =
      log::Backlog::part_of({record.level, record.kind, record.event, std::string_view{}});
  return part != Part::daemon && (part != Part::failures || written_ == Written::reserved);
}

/// Writes how many records were skipped since the last call. The lines take the last numbers of
/// these records.
void LogWriter::report_skipped() {
  std::uint64_t seq = last_skipped_.seq - skipped_.size();
  for (const auto& [event, count] : std::exchange(skipped_, {})) {
    const std::array<log::Field, 2> fields = {{{"of", event}, {"count", count}}};
    log::Record record = last_skipped_;
    record.seq = ++seq;
    record.level = log::Level::warning;
    record.event = "log.suppressed";
    record.msg = "log records were left out because actord stops and the sink is too slow";
    record.fields = fields;
    append(record);
  }
}

void LogWriter::write_batches() {
  for (Place& each : places_) write(each);
}

/// Writes the batch, if there is one, and empties it.
void LogWriter::write(Place& place) {
  if (place.batch.size() == 0) return;
  const std::string_view text = place.batch.view();
  const spdlog::details::log_msg message(spdlog::string_view_t(), spdlog::level::info,
                                         spdlog::string_view_t(text.data(), text.size()));
  try {
    place.sink->log(message);
  } catch (const std::exception&) {  // such a sink reports its write errors itself
    failed_batches_.fetch_add(1, std::memory_order_relaxed);
  }
  place.batch.clear();
  look_at_clock();
}

}  // namespace actord::sinks
