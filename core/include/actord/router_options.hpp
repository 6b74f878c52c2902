// SPDX-License-Identifier: Apache-2.0
//
// What a router is made of: who its routees are, how it chooses among them, and how their number
// follows the load (supervision.md 95, 96, 180u).
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <actord/actor.hpp>
#include <actord/data_types.hpp>

namespace actord {

/// Lets the number of routees of a pool follow its load. Every `interval` the router counts the
/// routees under pressure. If all are, the pool grows by a share `rampup_rate` of its size; if the
/// share that is falls below `backoff_threshold`, it shrinks by `backoff_rate` of its size.
struct Resizer {
  std::int64_t lower = 1;
  std::int64_t upper = 10;
  /// When a routee is under pressure: 0: when it handles a message; 1: when another one waits
  /// meanwhile; n: when n wait.
  std::int64_t pressure_threshold = 1;
  double rampup_rate = 0.2;
  double backoff_threshold = 0.3;  // 0: the pool never shrinks
  double backoff_rate = 0.1;
  std::chrono::nanoseconds interval = std::chrono::seconds{1};
};
ACTORD_FIELDS(Resizer, lower, upper, pressure_threshold, rampup_rate, backoff_threshold,
              backoff_rate, interval)

namespace detail {

/// By how much a pool of that size, of which so many are under pressure, changes.
inline std::int64_t resize_by(const Resizer& resizer, std::int64_t size, std::int64_t pressed) {
  const auto share = static_cast<double>(size);
  std::int64_t change = 0;
  if (pressed >= size) change = static_cast<std::int64_t>(std::ceil(resizer.rampup_rate * share));
  const bool is_slack = size > 0 && resizer.backoff_threshold > 0 && resizer.backoff_rate > 0 &&
                        static_cast<double>(pressed) / share < resizer.backoff_threshold;
  if (is_slack) change += static_cast<std::int64_t>(std::floor(-resizer.backoff_rate * share));
  return std::clamp(size + change, resizer.lower, resizer.upper) - size;
}

}  // namespace detail

/// The options of a router. Each function throws Error for a value that is not allowed.
///
///   ctx.spawn_router<Worker>("workers", actord::pool(5).round_robin(), config);
///   ctx.spawn_router("shops", actord::group({"/user/north", "/user/south"}).broadcast());
///
/// A pool creates its routees, as its children, and ends when the last of them has stopped, unless
/// it has a resizer. A group sends to actors that others create. A failure of a routee is the
/// router's own, unless it has a strategy(): the router's supervisor decides, and a restart of the
/// router restarts the routees, which keep their addresses and mailboxes.
class RouterOptions {
 public:
  using Duration = std::chrono::nanoseconds;
  enum class Logic {
    round_robin,           // in turn
    random,                //
    smallest_mailbox,      // an idle routee, or else one for which the fewest messages wait
    balancing,             // a routee gets a message when it has a credit left
    broadcast,             // all routees
    scatter_gather_first,  // all routees; the first answer counts
    tail_chopping,         // one routee, after an interval another one; the first answer counts
    consistent_hashing     // the same routee for messages with the same key
  };

  /// Authors call pool() and group().
  RouterOptions(std::int64_t size, std::vector<std::string> paths)
      : size_(size), paths_(std::move(paths)) {
    require(size_ >= 0, "the size of a pool must not be negative");
  }

  RouterOptions round_robin() && { return std::move(*this).with(Logic::round_robin); }
  RouterOptions random() && { return std::move(*this).with(Logic::random); }
  /// Only for pools: actord counts what waits for each routee.
  RouterOptions smallest_mailbox() && {
    require(is_pool(), "smallest_mailbox needs a pool");
    return std::move(*this).with(Logic::smallest_mailbox);
  }
  /// Only for pools. A routee has as many messages at once as it has credits: it handles one, the
  /// others are there when it is done. The other messages wait with the router.
  RouterOptions balancing(std::int64_t credits = 1) && {
    require(is_pool(), "balancing needs a pool");
    require(credits > 0, "the credits of a routee must be at least 1");
    credits_ = credits;
    return std::move(*this).with(Logic::balancing);
  }
  RouterOptions broadcast() && { return std::move(*this).with(Logic::broadcast); }
  /// If no answer comes within that time, an ask is answered with a failure AskTimeout.
  RouterOptions scatter_gather_first(Duration within) && {
    require(within.count() > 0, "within must be longer than 0");
    within_ = within;
    return std::move(*this).with(Logic::scatter_gather_first);
  }
  /// The same; the next routee is tried after each interval.
  RouterOptions tail_chopping(Duration within, Duration interval) && {
    require(within.count() > 0, "within must be longer than 0");
    require(interval.count() > 0, "interval must be longer than 0");
    within_ = within;
    interval_ = interval;
    return std::move(*this).with(Logic::tail_chopping);
  }
  /// Says with hash_by() or hash_by_field() what the key of a message is. Each routee has that many
  /// points on the ring: the more, the more evenly the keys are spread.
  RouterOptions consistent_hashing(std::int64_t points = 16) && {
    require(points > 0 && points <= 4096, "the points of a routee must be 1 to 4096");
    points_ = points;
    return std::move(*this).with(Logic::consistent_hashing);
  }

  /// The key of a message of type M; the keys of several types may be given. Key: a text or an
  /// integer.
  template <class M, class Key>
  RouterOptions hash_by(Key key) && {
    return std::move(*this).hash_if([before = std::move(hash_), key = std::move(key)](
                                        Context& ctx) -> std::optional<std::uint64_t> {
      if (const M* const message = ctx.message_as<M>()) return hash_of(key(*message));
      return before ? before(ctx) : std::nullopt;
    });
  }
  /// The key of any message is the field of that name.
  RouterOptions hash_by_field(std::string field) && {
    return std::move(*this).hash_if([field = std::move(field)](Context& ctx) {
      std::uint64_t hash = 0;
      const bool is_there =
          detail::since_1_10(*ctx.c().host).hash_of_field(&ctx.c(), detail::to_c(field), &hash) !=
          0;
      return is_there ? std::optional{hash} : std::nullopt;
    });
  }

  /// Only for pools.
  RouterOptions resizer(Resizer resizer) && {
    require(is_pool(), "a resizer needs a pool");
    require(resizer.lower >= 0, "lower must not be negative");
    require(resizer.upper >= resizer.lower && resizer.upper > 0, "upper is smaller than lower");
    require(resizer.pressure_threshold >= 0, "pressure_threshold must not be negative");
    require(resizer.rampup_rate >= 0, "rampup_rate must not be negative");
    require(resizer.backoff_threshold >= 0 && resizer.backoff_threshold <= 1,
            "backoff_threshold must lie between 0 and 1");
    require(resizer.backoff_rate >= 0 && resizer.backoff_rate <= 1,
            "backoff_rate must lie between 0 and 1");
    require(resizer.interval.count() > 0, "interval must be longer than 0");
    resizer_ = resizer;
    return std::move(*this);
  }
  /// The strategy applied to the routees of a pool, instead of the one that always escalates.
  RouterOptions strategy(Strategy strategy) && {
    strategy_ = std::move(strategy);
    return std::move(*this);
  }

  /// The same with what an operator has configured: each value that there is replaces that of the
  /// code. Only for pools.
  RouterOptions with_rule(std::optional<std::int64_t> size, std::optional<Logic> logic,
                          const std::optional<Resizer>& resizer) && {
    size_ = size.value_or(size_);
    logic_ = logic.value_or(logic_);
    return resizer ? std::move(*this).resizer(*resizer) : std::move(*this);
  }

  bool is_pool() const noexcept { return paths_.empty(); }
  Logic logic() const noexcept { return logic_; }
  std::int64_t size() const noexcept { return size_; }
  const std::vector<std::string>& paths() const noexcept { return paths_; }
  Duration within() const noexcept { return within_; }
  Duration interval() const noexcept { return interval_; }
  std::int64_t credits() const noexcept { return credits_; }
  std::int64_t points() const noexcept { return points_; }
  const std::optional<Resizer>& resizer() const noexcept { return resizer_; }
  const Strategy& strategy() const noexcept { return strategy_; }
  /// The hash of the key of the current message; none if it has no key.
  std::optional<std::uint64_t> hash(Context& ctx) const {
    return hash_ ? hash_(ctx) : std::nullopt;
  }
  /// Whether actord has to count what waits for the routees.
  bool counts_mailboxes() const noexcept {
    return logic_ == Logic::smallest_mailbox || resizer_.has_value();
  }

  /// A hash that is the same in each run and on each machine.
  static std::uint64_t hash_of(std::string_view key) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
    for (const char byte : key) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
    return mixed(hash);
  }
  static std::uint64_t hash_of(std::uint64_t key) noexcept { return mixed(key); }

 private:
  using Hash = std::function<std::optional<std::uint64_t>(Context&)>;

  static std::uint64_t mixed(std::uint64_t hash) noexcept {  // the finalizer of MurmurHash3
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdu;
    hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53u;
    return hash ^ (hash >> 33);
  }
  static void require(bool holds, const char* otherwise) {
    if (!holds) throw Error(std::string{"router: "} + otherwise);
  }
  RouterOptions with(Logic logic) && {
    logic_ = logic;
    return std::move(*this);
  }
  RouterOptions hash_if(Hash hash) && {
    hash_ = std::move(hash);
    return std::move(*this);
  }

  std::int64_t size_;
  std::vector<std::string> paths_;
  Logic logic_ = Logic::round_robin;
  Duration within_{}, interval_{};
  std::int64_t credits_ = 1;
  std::int64_t points_ = 16;
  Hash hash_;
  std::optional<Resizer> resizer_;
  Strategy strategy_ = one_for_one().otherwise(Directive::escalate);
};

ACTORD_ENUM(RouterOptions::Logic, round_robin, random, smallest_mailbox, balancing, broadcast,
            scatter_gather_first, tail_chopping, consistent_hashing)

/// A router that creates so many routees.
inline RouterOptions pool(std::int64_t size) { return {size, {}}; }
/// A router in front of the actors with these paths. One that is not there yet joins when it is.
inline RouterOptions group(std::vector<std::string> paths) {
  if (paths.empty()) throw Error("router: a group needs the path of an actor");
  return {0, std::move(paths)};
}

namespace detail {

/// The router block of a deployment pattern. What it does not have stays as the code says.
struct RouterRule {
  std::optional<std::int64_t> size;
  std::optional<RouterOptions::Logic> logic;
  std::optional<Resizer> resizer;
};
ACTORD_FIELDS(RouterRule, size, logic, resizer)

/// The options with what the operator has configured for the path of the router, which is absent if
/// there is nothing. Throws Error. A group has the routees that its paths name; so it stays as is.
inline RouterOptions with_rule(RouterOptions options, actord_value written) {
  if (written.node == nullptr || !options.is_pool()) return options;
  RouterRule rule;
  HostErrors errors;
  if (read_data(written, data_type<std::remove_cvref_t<decltype(rule)>>, &rule, &errors) !=
      ACTORD_OK)
    errors.raise("router");
  return std::move(options).with_rule(rule.size, rule.logic, rule.resizer);
}

}  // namespace detail
}  // namespace actord
