// SPDX-License-Identifier: Apache-2.0
#include "app/busiest_actors.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/health.hpp"
#include "base/clock.hpp"
#include "os/process.hpp"
#include "schema/known_words.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

using actor::ActorCounts;
using actor::Census;
using actor::Ref;
using wire::Json;

namespace {

// A sample costs the main thread some 300 ns for each worker, and the workers nothing.
constexpr std::chrono::milliseconds sample_interval{5};
// Each actor that is asked counts its messages in a turn of its own.
constexpr std::size_t asked_max = 1000;

struct Row {
  Ref actor = actor::nobody;
  std::uint64_t messages = 0;  // since the beginning of the look
  std::uint64_t received = 0;  // since the actor was created
  std::uint64_t failures = 0, restarts = 0;
  std::uint64_t samples = 0;  // in which a worker ran the actor
  std::uint64_t waiting = 0;
  bool is_counted = false, has_more = false;
  bool is_silent = false;  // it was asked how many messages wait, and has not answered
};

std::string_view word_for(ActorCounts::Which which) noexcept {
  return std::ranges::find(schema::counted_actors_words, which,
                           &schema::Word<ActorCounts::Which>::value)
      ->word;
}

std::uint64_t figure(const Row& row, BusiestActors::By by) noexcept {
  switch (by) {
    case BusiestActors::By::busy: return row.samples;
    case BusiestActors::By::rate: return row.messages;
    case BusiestActors::By::mailbox: return row.waiting;
    case BusiestActors::By::failures: return row.failures;
    case BusiestActors::By::restarts: break;
  }
  return row.restarts;
}

}  // namespace

std::optional<BusiestActors::By> BusiestActors::by_named(std::string_view word) noexcept {
  constexpr std::pair<std::string_view, By> words[] = {{"busy", By::busy},
                                                       {"rate", By::rate},
                                                       {"mailbox", By::mailbox},
                                                       {"failures", By::failures},
                                                       {"restarts", By::restarts}};
  const auto found = std::ranges::find(words, word, &std::pair<std::string_view, By>::first);
  return found == std::end(words) ? std::nullopt : std::optional(found->second);
}

/// One answer in the making.
struct BusiestActors::Look {
  Look(os::EventLoop& loop, const Question& question_, Done done_)
      : timer(loop), question(question_), done(std::move(done_)) {}

  os::Timer timer;
  const Question question;
  const Done done;
  std::int64_t began_ns = 0;
  std::uint64_t handled_before = 0;
  std::vector<ActorCounts::Count> before;
  base::IntrusivePtr<Census> census;
  std::unordered_map<Ref, std::uint64_t> samples;  // in which the actor ran
  std::uint64_t looks = 0;
};

void BusiestActors::look(const Question& question, Done done) {
  const auto look = std::make_shared<Look>(loop_, question, std::move(done));
  look->before = actors_.counts.read();
  look->handled_before = actors_.totals().handled;
  look->began_ns = base::monotonic_ns();
  look->census = actors_.take_census(asked_max);
  sample(look);
}

void BusiestActors::sample(const std::shared_ptr<Look>& look) {
  ++look->looks;
  for (const Ref each : actors_.running_actors()) ++look->samples[each];
  look->timer.start(sample_interval, [this, look] {
    if (is_stopped_) return;
    const std::chrono::nanoseconds passed{base::monotonic_ns() - look->began_ns};
    if (passed < look->question.time) return sample(look);
    look->done(json_of(*look));
  });
}

Json BusiestActors::json_of(Look& look) const {
  std::unordered_map<Ref, Row> rows;
  const auto row_of = [&](Ref actor) -> Row& {
    Row& row = rows[actor];
    row.actor = actor;
    return row;
  };
  std::unordered_map<Ref, std::uint64_t> messages_before;
  for (const ActorCounts::Count& each : look.before)
    messages_before.emplace(each.actor, each.messages);
  for (const ActorCounts::Count& each : actors_.counts.read()) {
    Row& row = row_of(each.actor);
    const auto before = messages_before.find(each.actor);
    row.messages = each.messages - (before == messages_before.end() ? 0 : before->second);
    row.received = each.messages;
    row.failures = each.failures;
    row.restarts = each.restarts;
    row.is_counted = true;
  }
  for (const auto& [actor, samples] : look.samples) row_of(actor).samples = samples;
  for (const Ref each : look.census->asked) row_of(each).is_silent = true;
  for (const Census::Count& each : look.census->counts()) {
    Row& row = row_of(each.actor);
    row.is_silent = false;
    row.waiting = each.messages;
    row.has_more = each.has_more;
  }
  std::vector<Row> sorted;
  sorted.reserve(rows.size());
  for (const auto& [actor, row] : rows) sorted.push_back(row);
  const std::size_t n = std::min(sorted.size(), look.question.most);
  const auto comes_first = [by = look.question.by](const Row& a, const Row& b) {
    const std::uint64_t of_a = figure(a, by), of_b = figure(b, by);
    return of_a != of_b               ? of_a > of_b
           : a.messages != b.messages ? a.messages > b.messages
                                      : a.actor < b.actor;
  };
  std::ranges::partial_sort(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(n), comes_first);
  sorted.resize(n);

  const std::int64_t passed_ns = std::max<std::int64_t>(base::monotonic_ns() - look.began_ns, 1);
  const auto per_second = [&](std::uint64_t count) {
    return static_cast<double>(count) * static_cast<double>(base::ns_per_s) /
           static_cast<double>(passed_ns);
  };
  Json actors = Json::array();
  for (const Row& row : sorted) {
    Json json = {{"path", actors_.path(row.actor)},
                 {"busy", static_cast<double>(row.samples) / static_cast<double>(look.looks)},
                 {"messages", row.waiting}};
    if (row.has_more) json["has_more"] = true;
    if (row.is_silent) json["silent"] = true;
    if (row.is_counted) {
      json["per_second"] = per_second(row.messages);
      json["received"] = row.received;
      json["failures"] = row.failures;
      json["restarts"] = row.restarts;
    }
    actors.push_back(std::move(json));
  }
  const HealthReport report =
      judge(actors_.configured_actors().list(), actors_.now_ns(), std::chrono::nanoseconds{0});
  return {{"time_ms", passed_ns / base::ns_per_ms},
          {"configured", report.actors},
          {"up", report.up},
          {"per_second", per_second(actors_.totals().handled - look.handled_before)},
          {"resident_bytes", os::resident_memory()},
          {"messages_bytes", actors_.message_memory()},
          {"counted", word_for(actors_.counts.which())},
          {"actors", std::move(actors)}};
}

}  // namespace actord::app
