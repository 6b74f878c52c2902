// SPDX-License-Identifier: Apache-2.0
#include "system/breakers.hpp"

#include <algorithm>

#include "actor/thread_state.hpp"

namespace actord::system {

using std::chrono::nanoseconds;

namespace {

// What the rules ask for.
struct Moment {
  actor::ThreadState& thread;
  nanoseconds now() const { return nanoseconds{thread.now_ns()}; }
  double random_unit() const { return static_cast<double>(thread.random.next() >> 11) * 0x1.0p-53; }
};

std::size_t index_of(BreakerState state) { return static_cast<std::size_t>(state); }

}  // namespace

std::string_view name_of(BreakerState state) noexcept {
  constexpr std::array<std::string_view, 3> names = {"closed", "open", "half-open"};
  return names[index_of(state)];
}

bool Breakers::is_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= name_max && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
}

// The state machine is under the lock. What a call needs that a closed breaker lets through is also
// in atomics, so that such calls take no lock: they see the state of a moment ago at worst, as if
// they had come then.
class Breakers::Breaker {
 public:
  Breaker(std::string name, const BreakerSettings& settings)
      : name_(std::move(name)), rules_(settings) {
    show();
  }

  const std::string& name() const noexcept { return name_; }

  void configure(const BreakerSettings& settings) {
    std::lock_guard lock(mutex_);
    rules_.configure(settings);
    show();
  }

  Admitted admit(const Moment& moment, actor::Ref caller) {
    const nanoseconds call_timeout{call_timeout_ns_.load(base::relaxed)};
    if (state_.load(base::relaxed) == BreakerState::closed) return {Admission::call, call_timeout};
    std::lock_guard lock(mutex_);
    look(moment, caller);
    const Admission admission = rules_.admit(moment);
    if (admission == Admission::refused) ++refused_;
    return {admission, rules_.settings().call_timeout};
  }

  void settle(Admission admission, bool has_failed, const Moment& moment, actor::Ref caller) {
    const bool is_closed = state_.load(base::relaxed) == BreakerState::closed;
    const bool changes_nothing = !has_failed && is_closed && failures_.load(base::relaxed) == 0;
    if (changes_nothing) return;
    std::lock_guard lock(mutex_);
    if (has_failed) ++failed_;
    look(moment, caller);
    const bool is_changed = rules_.settle(admission, has_failed, moment);
    show();
    if (is_changed) note_change(moment, caller);
  }

  Look look_at(const Moment& moment, actor::Ref caller) {
    std::lock_guard lock(mutex_);
    look(moment, caller);
    return {rules_.state(), rules_.failures(), rules_.remaining(moment.now())};
  }

  BreakerReport report(nanoseconds now) const {
    std::lock_guard lock(mutex_);
    return {name_,    rules_.state(), rules_.failures(), rules_.remaining(now),
            refused_, failed_,        entered_};
  }

 private:
  // ---- under the lock ----
  // What time alone changes.
  void look(const Moment& moment, actor::Ref caller) {
    if (!rules_.look(moment)) return;
    show();
    note_change(moment, caller);
  }

  void show() {
    state_.store(rules_.state(), base::relaxed);
    failures_.store(rules_.failures(), base::relaxed);
    call_timeout_ns_.store(rules_.settings().call_timeout.count(), base::relaxed);
  }

  // The line is written under the lock, so that the lines of a breaker have the order of its
  // changes.
  void note_change(const Moment& moment, actor::Ref caller) {
    constexpr std::array<std::string_view, 3> texts = {
        "the circuit breaker is closed again", "the circuit breaker is open: calls fail at once",
        "the circuit breaker is half-open: tries one call"};
    const BreakerState state = rules_.state();
    ++entered_[index_of(state)];
    const bool is_open = state == BreakerState::open;
    moment.thread.log.emit(
        is_open ? log::Level::warning : log::Level::info, "breaker.changed", texts[index_of(state)],
        {{"actor.path", moment.thread.path(caller)},
         {"breaker.name", name_},
         {"breaker.state", name_of(state)},
         {"breaker.failures", rules_.failures()},
         {"breaker.remaining", is_open ? rules_.remaining(moment.now()) : nanoseconds{0}}});
  }

  const std::string name_;
  base::Atomic<BreakerState> state_{};
  base::Atomic<std::uint32_t> failures_{0};
  base::Atomic<std::int64_t> call_timeout_ns_{0};
  mutable base::Mutex mutex_;
  actord::detail::BreakerRules rules_;
  std::uint64_t refused_ = 0, failed_ = 0;
  std::array<std::uint64_t, 3> entered_{};
};

Breakers::Breakers() = default;
Breakers::~Breakers() = default;

void Breakers::configure(const BreakersByName& settings) {
  std::lock_guard lock(mutex_);
  settings_ = settings;
  for (const auto& [name, of_it] : settings_.named) {
    if (!by_name_.contains(name)) static_cast<void>(add(name));
  }
  for (const auto& each : all_) {
    const auto own = settings_.named.find(each->name());
    each->configure(own == settings_.named.end() ? settings_.standard : own->second);
  }
}

base::Result<std::uint64_t> Breakers::find_or_add(std::string_view name) {
  {
    std::shared_lock lock(mutex_);
    if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
  }
  if (!is_name(name)) return base::Error{std::string{name_rule}};
  std::lock_guard lock(mutex_);
  if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
  return add(name);
}

base::Result<std::uint64_t> Breakers::add(std::string_view name) {
  if (all_.size() == breakers_max)
    return base::Error{"there are " + std::to_string(breakers_max) +
                       " circuit breakers already; name them after services, not after calls"};
  const auto own = settings_.named.find(name);
  all_.push_back(std::make_unique<Breaker>(
      std::string{name}, own == settings_.named.end() ? settings_.standard : own->second));
  const std::uint64_t number = all_.size();
  by_name_.emplace(name, number);
  // release: pairs with the acquire of `slots_` in find(), whose thread need not have had the lock.
  slots_[number - 1].store(all_.back().get(), base::release);
  return number;
}

Breakers::Breaker* Breakers::find(std::uint64_t breaker) const noexcept {
  if (breaker == 0 || breaker > breakers_max) return nullptr;
  // acquire: pairs with the release of `slots_` in add().
  return slots_[breaker - 1].load(base::acquire);
}

Breakers::Admitted Breakers::admit(std::uint64_t breaker, actor::ThreadState& thread,
                                   actor::Ref caller) {
  Breaker* const found = find(breaker);
  return found == nullptr ? Admitted{} : found->admit({thread}, caller);
}

void Breakers::settle(std::uint64_t breaker, Admission admission, bool has_failed,
                      actor::ThreadState& thread, actor::Ref caller) {
  if (Breaker* const found = find(breaker)) found->settle(admission, has_failed, {thread}, caller);
}

Breakers::Look Breakers::look(std::uint64_t breaker, actor::ThreadState& thread,
                              actor::Ref caller) {
  Breaker* const found = find(breaker);
  return found == nullptr ? Look{} : found->look_at({thread}, caller);
}

std::vector<BreakerReport> Breakers::reports(nanoseconds now) const {
  std::shared_lock lock(mutex_);
  std::vector<BreakerReport> all;
  for (const auto& [name, number] : by_name_) all.push_back(all_[number - 1]->report(now));
  return all;
}

}  // namespace actord::system
