// SPDX-License-Identifier: Apache-2.0
#include "log/backlog.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace actord::log {
namespace {

constexpr std::size_t shares_max = 1024;  // actors in a table; all others have one share together
constexpr std::size_t actor_divisor = 8;  // a share is this part of a part

std::size_t index_of(Backlog::Part part) noexcept { return static_cast<std::size_t>(part); }

// An actor that creates many others is charged for their starts and stops.
std::string_view charged_actor(const Backlog::Claim& claim) noexcept {
  if (claim.event != "actor.started" && claim.event != "actor.stopped") return claim.actor;
  return claim.actor.substr(0, claim.actor.rfind('/'));
}

}  // namespace

bool has_daemon_part(std::string_view event) noexcept {
  constexpr std::string_view names[] = {"daemon.",     "config.",     "admin.",
                                        "plugin.",     "supervisor.", "log.",
                                        "dispatcher.", "watchdog.",   "shutdown."};
  return std::ranges::any_of(names, [&](std::string_view name) { return event.starts_with(name); });
}

Backlog::Backlog(std::size_t bytes) noexcept : bytes_(bytes) {}
Backlog::~Backlog() = default;

Backlog::Part Backlog::part_of(const Claim& claim) noexcept {
  switch (claim.kind) {
    case Class::failure: return Part::failures;
    case Class::authors: return Part::authors;
    case Class::best_effort: return Part::chatter;
    case Class::lifecycle: break;
  }
  if (has_daemon_part(claim.event)) return Part::daemon;
  return claim.level <= Level::warning ? Part::failures : Part::events;
}

std::size_t Backlog::limit(Part part) const noexcept {
  switch (part) {
    case Part::events: return bytes_ / 2;
    case Part::failures: return bytes_ / 4;
    case Part::authors: return bytes_ / 8;
    default: return bytes_ / 16;
  }
}

bool Backlog::admit(const Claim& claim, std::size_t bytes) noexcept {
  const Part part = part_of(claim);
  const std::size_t part_limit = limit(part);
  const std::size_t before = waiting_[index_of(part)].fetch_add(bytes, base::relaxed);
  // The daemon has no rival, and the lines of one failure are not parted: the supervisor asks for
  // congestion() before the first of them.
  const bool is_shared = claim.kind != Class::failure && part != Part::daemon;
  // The last quarter of the failures' part is for the lines of failures.
  const std::size_t most =
      is_shared && part == Part::failures ? part_limit - part_limit / 4 : part_limit;
  const bool fits = before + bytes <= most;
  std::string_view over_share;
  bool is_admitted = fits;
  if (fits && is_shared) {
    if (before + bytes <= part_limit / 2) {
      end_shares(part);
    } else if (const std::string_view actor = charged_actor(claim); !charge(part, actor, bytes)) {
      is_admitted = false;
      over_share = actor;
    }
  }
  if (is_admitted) {
    spilled_.fetch_add(1, base::relaxed);
    return true;
  }
  waiting_[index_of(part)].fetch_sub(bytes, base::relaxed);
  count_loss(claim, part, over_share);
  return false;
}

void Backlog::release(const Sizes& sizes) noexcept {
  for (std::size_t i = 0; i < part_count; ++i)
    if (sizes[i] != 0) waiting_[i].fetch_sub(sizes[i], base::relaxed);
}

void Backlog::drop(const Claim& claim, std::size_t bytes) noexcept {
  const Part part = part_of(claim);
  waiting_[index_of(part)].fetch_sub(bytes, base::relaxed);
  spilled_.fetch_sub(1, base::relaxed);
  count_loss(claim, part, {});
}

bool Backlog::charge(Part part, std::string_view actor, std::size_t bytes) noexcept try {
  const std::lock_guard lock(mutex_);
  Shares& shares = shares_[index_of(part)];
  auto found = shares.find(actor);
  if (found == shares.end())
    found = shares.try_emplace(std::string(shares.size() < shares_max ? actor : "")).first;
  has_shares_[index_of(part)].store(true, base::relaxed);
  if (found->second + bytes > limit(part) / actor_divisor) return false;
  found->second += bytes;
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

void Backlog::end_shares(Part part) noexcept {
  if (!has_shares_[index_of(part)].load(base::relaxed)) return;
  const std::lock_guard lock(mutex_);
  shares_[index_of(part)].clear();
  has_shares_[index_of(part)].store(false, base::relaxed);
}

void Backlog::count_loss(const Claim& claim, Part part, std::string_view actor) noexcept try {
  (part == Part::chatter ? dropped_chatter_ : lost_).fetch_add(1, base::relaxed);
  const std::string_view of = part == Part::chatter   ? "chatter"
                              : part == Part::authors ? "warnings"
                                                      : claim.event;
  const std::lock_guard lock(mutex_);
  auto found = losses_.find(Reason{of, actor});
  if (found == losses_.end())
    found = losses_.try_emplace({std::string(of), std::string(actor)}, 0).first;
  ++found->second;
  has_losses_.store(true, base::relaxed);
} catch (const std::bad_alloc&) {}  // only the sums are exact then

std::vector<Backlog::Loss> Backlog::take_losses() {
  std::vector<Loss> taken;
  const std::lock_guard lock(mutex_);
  taken.reserve(losses_.size());
  for (const auto& [reason, count] : losses_) taken.push_back({reason.first, reason.second, count});
  losses_.clear();
  has_losses_.store(false, base::relaxed);
  return taken;
}

}  // namespace actord::log
