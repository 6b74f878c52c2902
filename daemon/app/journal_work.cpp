// SPDX-License-Identifier: Apache-2.0
#include "app/journal_work.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/suggestion.hpp"
#include "journal/sqlite_store.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

using persist::Fault;
using persist::StoreError;
using Clock = std::chrono::steady_clock;
using Desk = system::JournalTask::Desk;

namespace {

// What is persisted meanwhile waits for one step, so that one is about as long as a group.
constexpr std::chrono::milliseconds step_time{2};
constexpr std::chrono::milliseconds progress_interval{250};
constexpr std::size_t rows_at_once = 128;
constexpr std::size_t bytes_at_once = std::size_t{128} << 10;
constexpr std::size_t ids_compared_max = 1000;

/// The daemon has no other store.
journal::SqliteStore& sqlite(const Desk& desk) {
  return static_cast<journal::SqliteStore&>(desk.store);
}

/// A task that is a function.
class Work final : public system::JournalTask {
 public:
  using Step = std::function<bool(const Desk&)>;
  using Done = std::function<void(const JournalWork::Error&)>;

  Work(os::EventLoop& loop, Step step, Done done)
      : loop_(loop), step_(std::move(step)), done_(std::move(done)) {}

  bool step(const Desk& desk) override {
    if (step_(desk)) return true;
    tell(std::nullopt);
    return false;
  }
  void fail(const StoreError& error) override { tell(error); }

 private:
  void tell(JournalWork::Error error) {
    os::post(loop_, [done = std::move(done_), error = std::move(error)] { done(error); });
  }

  os::EventLoop& loop_;
  const Step step_;
  Done done_;
};

/// How much is done at once, so that it takes about the time of a step: an event may have 17 bytes
/// or 16 MiB.
class Portion {
 public:
  Portion(std::size_t least, std::size_t most) noexcept
      : least_(least), most_(most), size_(least) {}

  std::size_t size() const noexcept { return size_; }
  void adapt(Clock::duration took) noexcept {
    if (took < step_time / 4) size_ = std::min(size_ * 2, most_);
    else if (took > step_time) size_ = std::max(size_ / 2, least_);
  }

 private:
  const std::size_t least_, most_;
  std::size_t size_;
};

/// Whether it is time to tell how far the work is.
class ProgressClock {
 public:
  bool is_due() {
    const Clock::time_point now = Clock::now();
    if (now < next_) return false;
    next_ = now + progress_interval;
    return true;
  }

 private:
  Clock::time_point next_ = Clock::now() + progress_interval;
};

/// Where a list of the ids with that prefix begins: behind a text that is less than all of them.
std::string before(std::string prefix) {
  if (prefix.empty()) return prefix;
  const char last = prefix.back();
  prefix.pop_back();
  if (last == '\0') return prefix;
  prefix += static_cast<char>(static_cast<unsigned char>(last) - 1);
  return prefix + "\xff\xff\xff\xff";
}

/// What was meant by an id that is not there: that of the actor with this path, or a similar one.
std::string nearest_id(const Desk& desk, const system::ActorSystem& actors, const std::string& id) {
  if (id.starts_with('/'))
    if (const actor::Ref actor = actors.find(id); actor != actor::nobody)
      if (std::string of_actor = desk.id_of(actor); !of_actor.empty()) return of_actor;
  const auto ids = desk.store.list({}, ids_compared_max);
  if (!ids) return {};
  std::vector<std::string_view> names;
  for (const persist::IdFacts& each : *ids) names.push_back(each.id);
  return std::string{base::nearest_of(id, names)};
}

/// The facts of one id; nullopt: there is nothing of it.
persist::StoreResult<std::optional<persist::IdFacts>> facts_of(persist::Store& store,
                                                               const std::string& id) {
  std::string after = before(id);
  for (;;) {
    auto page = store.list(after, 16);
    if (!page) return page.error();
    for (persist::IdFacts& each : *page) {
      if (each.id == id) return std::optional{std::move(each)};
      if (each.id > id) return std::optional<persist::IdFacts>{};
      after = each.id;
    }
    if (page->empty()) return std::optional<persist::IdFacts>{};
  }
}

/// One event after the other, and why those cannot be read that are damaged.
JournalWork::Error read_singly(persist::Store& store, const std::string& id, std::uint64_t from,
                               std::size_t limit, JournalWork::History& into) {
  const std::uint64_t last = into.of->facts.last_sequence;
  std::uint64_t sequence = from;
  for (; sequence <= last && sequence - from < limit; ++sequence) {
    auto one = store.read(id, sequence, {1, bytes_at_once});
    if (one && !one->empty()) {
      sequence = one->front().sequence;
      into.events.push_back(std::move(one->front()));
    } else if (!one && one.error().fault == Fault::damaged) {
      into.unreadable.push_back({sequence, one.error().what});
    } else if (!one) {
      return one.error();
    } else {
      break;
    }
  }
  into.next = sequence <= last ? sequence : 0;
  return std::nullopt;
}

JournalWork::Error read_page(persist::Store& store, const std::string& id, std::uint64_t from,
                             std::size_t limit, JournalWork::History& into) {
  auto events = store.read(id, from, {limit, bytes_at_once});
  // So many in one step that it is no longer than others.
  if (!events && events.error().fault == Fault::damaged)
    return read_singly(store, id, from, std::min<std::size_t>(limit, 32), into);
  if (!events) return events.error();
  into.events = std::move(events).value();
  const std::uint64_t last = into.of->facts.last_sequence;
  const std::uint64_t end = into.events.empty() ? last + 1 : into.events.back().sequence + 1;
  into.next = end <= last ? end : 0;
  return std::nullopt;
}

}  // namespace

// The step may fail with a StoreError of its own; it then returns false, having set it.
template <class State>
void JournalWork::perform(std::shared_ptr<State> state,
                          std::function<bool(const Desk&, State&)> step,
                          std::function<void(const Error&, State&)> done) {
  actors_.event_journal()->perform(std::make_shared<Work>(
      loop_, [state, step = std::move(step)](const Desk& desk) { return step(desk, *state); },
      [state, done = std::move(done)](const Error& error) { done(error, *state); }));
}

namespace {

/// A result in the making, and what has ended the work.
template <class Result>
struct Making {
  Result result;
  JournalWork::Error error;
  bool is_given_up = false;  // the client waits for the result no longer
};

template <class Result>
std::function<void(const JournalWork::Error&, Making<Result>&)> telling(
    JournalWork::Done<Result> done) {
  return [done = std::move(done)](const JournalWork::Error& error, Making<Result>& made) {
    if (!made.is_given_up) done(error ? error : made.error, std::move(made.result));
  };
}

}  // namespace

void JournalWork::list(std::string after, std::string prefix, std::size_t limit, Done<Page> done) {
  using State = Making<Page>;
  if (after < prefix) after = before(prefix);
  auto step = [after = std::move(after), prefix = std::move(prefix), limit](const Desk& desk,
                                                                            State& made) mutable {
    std::vector<Listed>& ids = made.result.ids;
    auto page = desk.store.list(after, std::min(limit - ids.size(), rows_at_once));
    if (!page) {
      made.error = page.error();
      return false;
    }
    for (persist::IdFacts& each : *page) {
      after = each.id;
      if (each.id.starts_with(prefix)) ids.push_back({each, desk.writer_of(each.id)});
      else if (each.id > prefix) return made.result.has_more = false;
    }
    made.result.has_more = !page->empty();
    return made.result.has_more && ids.size() < limit;
  };
  perform<State>(std::make_shared<State>(), std::move(step), telling<Page>(std::move(done)));
}

void JournalWork::read(std::string id, std::uint64_t from, std::size_t limit, Done<History> done) {
  using State = Making<History>;
  auto step = [this, id = std::move(id), from, limit](const Desk& desk, State& made) {
    History& into = made.result;
    auto facts = facts_of(desk.store, id);
    if (!facts) {
      made.error = facts.error();
      return false;
    }
    if (!*facts) {
      into.nearest = nearest_id(desk, actors_, id);
      return false;
    }
    into.of = Listed{**facts, desk.writer_of(id)};
    if (from == 0) {
      auto beginning = desk.store.look(id);
      if (beginning) into.beginning = std::move(beginning).value();
      else into.no_beginning = beginning.error().what;
    }
    const std::uint64_t first = std::max(from, into.of->facts.first_sequence);
    made.error = read_page(desk.store, id, first, limit, into);
    return false;
  };
  perform<State>(std::make_shared<State>(), std::move(step), telling<History>(std::move(done)));
}

void JournalWork::verify(std::function<bool()> is_wanted,
                         std::function<void(const Checked&)> on_progress, Done<Checked> done) {
  struct State : Making<Checked> {
    journal::Verification verification;
    Portion rows{1, 4096};
    ProgressClock clock;
  };
  const auto update = [](State& state) {
    const journal::Verification& from = state.verification;
    state.result = {from.events(),  from.snapshots(), from.damage_count(),
                    from.damages(), from.progress(),  state.result.is_complete};
  };
  auto step = [this, update, is_wanted = std::move(is_wanted),
               on_progress = std::move(on_progress)](const Desk& desk, State& state) {
    if (state.is_given_up = !is_wanted(); state.is_given_up) return false;
    const Clock::time_point until = Clock::now() + step_time;
    for (auto began = Clock::now(); began < until;) {
      const auto more = sqlite(desk).verify(state.verification, state.rows.size());
      const auto ended = Clock::now();
      state.rows.adapt(ended - std::exchange(began, ended));
      if (more && *more) continue;
      state.result.is_complete = more.ok();
      if (!more && more.error().fault == Fault::damaged)
        state.verification.damage(more.error().what);
      else if (!more) state.error = more.error();
      update(state);
      return false;
    }
    if (!state.clock.is_due()) return true;
    update(state);
    os::post(loop_, [on_progress, now = state.result] { on_progress(now); });
    return true;
  };
  perform<State>(std::make_shared<State>(), std::move(step), telling<Checked>(std::move(done)));
}

void JournalWork::compact(std::function<bool()> is_wanted,
                          std::function<void(const Compacted&)> on_progress, Done<Compacted> done) {
  struct State : Making<Compacted> {
    Portion pages{16, 2048};  // of 4 KiB
    ProgressClock clock;
    bool has_begun = false;
  };
  auto step = [this, is_wanted = std::move(is_wanted), on_progress = std::move(on_progress)](
                  const Desk& desk, State& state) {
    if (state.is_given_up = !is_wanted(); state.is_given_up) return false;
    if (!std::exchange(state.has_begun, true)) state.result.before = desk.store.status();
    const auto began = Clock::now();
    const auto left = sqlite(desk).compact(static_cast<std::int64_t>(state.pages.size()));
    state.pages.adapt(Clock::now() - began);
    state.result.now = desk.store.status();
    if (!left) {
      state.error = left.error();
      return false;
    }
    state.result.pages_left = *left;
    if (*left != 0 && state.clock.is_due())
      os::post(loop_, [on_progress, now = state.result] { on_progress(now); });
    return *left != 0;
  };
  perform<State>(std::make_shared<State>(), std::move(step), telling<Compacted>(std::move(done)));
}

void JournalWork::drop(std::string id, Done<Dropped> done) {
  using State = Making<Dropped>;
  auto step = [this, id = std::move(id)](const Desk& desk, State& made) {
    made.result.writer = desk.writer_of(id);
    if (made.result.writer != actor::nobody) return false;
    const auto dropped = desk.store.drop(id);
    if (!dropped) {
      made.error = dropped.error();
      return false;
    }
    made.result.was_there = made.result.was_there || *dropped != persist::DropStep::nothing;
    if (!made.result.was_there) made.result.nearest = nearest_id(desk, actors_, id);
    return *dropped == persist::DropStep::more;
  };
  perform<State>(std::make_shared<State>(), std::move(step), telling<Dropped>(std::move(done)));
}

}  // namespace actord::app
