// SPDX-License-Identifier: Apache-2.0
//
// Routers: an actor whose messages other actors handle, its routees (supervision.md 95, 96, 180u).
//
// With the logics round_robin, random and smallest_mailbox the sender of a message chooses the
// routee, and the router has no part in it. With the others the router gets the message and sends
// it on. What the names "actord.…" have always comes to the router itself: PoisonPill stops it,
// Identify asks for it, and GetRoutees, AddRoutee, RemoveRoutee and AdjustPoolSize are for it. A
// Broadcast goes to all routees, whatever the logic:
//
//   ctx.tell(workers, actord::Broadcast{Flush{}});
#pragma once

#include <algorithm>
#include <map>

#include <actord/gatherer.hpp>
#include <actord/router_options.hpp>
#include <actord/trampolines.hpp>

namespace actord {

namespace detail {

/// Makes the actor of the call a router; throws Error if that is not possible.
inline void route(Context& ctx, std::int32_t logic) {
  HostErrors errors;
  if (since_1_10(*ctx.c().host).route(&ctx.c(), logic, &errors) != ACTORD_OK) errors.raise("route");
}
/// Throws Error if that actor cannot be a routee.
inline void add_routee(Context& ctx, Ref routee) {
  HostErrors errors;
  if (since_1_10(*ctx.c().host).add_routee(&ctx.c(), routee.value, &errors) != ACTORD_OK)
    errors.raise("add_routee");
}
inline void remove_routee(Context& ctx, Ref routee) {
  since_1_10(*ctx.c().host).remove_routee(&ctx.c(), routee.value);
}

}  // namespace detail

/// The base of all routers; a class that derives from it creates the routees.
class RouterActor : public Actor {
 public:
  static constexpr std::int64_t stash_capacity = -1;  // what balancing() keeps

  /// The options are kept for the life of the instance.
  explicit RouterActor(RouterOptions options) : options_(std::move(options)) {}

  void pre_start(Context& ctx) override {
    begin(ctx);
    for (std::int64_t i = 0; i < first_size(); ++i) create_routee(ctx);
  }
  /// The routees go on.
  void pre_restart(Context& /*ctx*/, const Failure& /*reason*/) override {}
  void post_restart(Context& ctx, const Failure& /*reason*/) override { begin(ctx); }

  /// A pool without routees stops, if it is not about to get one.
  void child_terminated(Context& ctx, Ref child) override {
    unhandled_.erase(child.value);
    if (options_.is_pool()) ctx.tell(ctx.self(), detail::CheckPool{});
  }
  void check_pool(Context& ctx, const detail::CheckPool& /*tick*/) {
    offer_waiting(ctx);
    if (!options_.resizer() && ctx.routees(ctx.self()).empty()) ctx.stop_self();
  }
  /// Lets the size of the pool follow its load.
  void resize(Context& ctx, const detail::ResizePool& /*tick*/) {
    const Resizer& resizer = *options_.resizer();
    const std::vector<Routee> routees = ctx.routees(ctx.self());
    const auto is_pressed = [&](const Routee& each) {
      if (resizer.pressure_threshold == 0) return !each.is_idle;
      if (resizer.pressure_threshold == 1) return !each.is_idle && each.waiting > 0;
      return each.waiting >= resizer.pressure_threshold;
    };
    change_size(ctx, detail::resize_by(resizer, std::ssize(routees),
                                       std::ranges::count_if(routees, is_pressed)));
  }
  /// Looks for actors of a group that were not there yet, or have stopped since.
  void find_missing(Context& ctx, const detail::FindRoutees& /*tick*/) { find_routees(ctx); }

  Routees get_routees(Context& ctx, const GetRoutees& /*question*/) {
    Routees answer;
    for (const Routee& each : ctx.routees(ctx.self())) answer.routees.push_back(each.ref);
    return answer;
  }
  void add_routee(Context& ctx, const AddRoutee& order) {
    if (!join(ctx, order.routee)) return;
    watch(ctx, order.routee);
    offer_waiting(ctx);
  }
  void remove_routee(Context& ctx, const RemoveRoutee& order) { dismiss(ctx, order.routee); }
  /// Unhandled by a group.
  void adjust_pool_size(Context& ctx, const AdjustPoolSize& order) {
    if (options_.is_pool()) return change_size(ctx, within_bounds(ctx, order.change));
    ctx.publish(Unhandled{ctx.self(), ctx.sender(), std::string{ctx.message_type()}});
  }
  void routee_stopped(Context& ctx, const detail::RouteeStopped& notice) {
    detail::remove_routee(ctx, notice.who);
    unhandled_.erase(notice.who.value);
    if (!options_.is_pool()) find_routees(ctx, notice.who);
  }
  /// A routee from elsewhere has handled what was sent to it before, and has one credit more.
  void handled(Context& ctx, const ActorIdentity& answer) {
    const auto found = unhandled_.find(answer.id);
    if (found != unhandled_.end() && --found->second == 0) unhandled_.erase(found);
    offer_waiting(ctx);
  }

  /// Sends on what the senders could not send to a routee.
  void pass_on(Context& ctx) {
    const std::vector<Routee> routees = ctx.routees(ctx.self());
    if (routees.empty()) return refuse(ctx);
    using Logic = RouterOptions::Logic;
    switch (options_.logic()) {
      case Logic::broadcast:
        for (const Routee& each : routees) ctx.forward(each.ref);
        return;
      case Logic::scatter_gather_first:
      case Logic::tail_chopping: return gather(ctx, routees);
      case Logic::consistent_hashing: return send_by_hash(ctx, routees);
      case Logic::balancing: return offer(ctx, routees);
      default: return ctx.forward(routees[next_++ % routees.size()].ref);
    }
  }

  using Receive =
      Handlers<&RouterActor::check_pool, &RouterActor::resize, &RouterActor::find_missing,
               &RouterActor::get_routees, &RouterActor::add_routee, &RouterActor::remove_routee,
               &RouterActor::adjust_pool_size, &RouterActor::routee_stopped, &RouterActor::handled,
               &RouterActor::pass_on>;

 protected:
  /// Creates a routee of that name, with ACTORD_ROUTEE. Throws if that is not possible.
  virtual Ref spawn_routee(Context& ctx, std::string_view name) = 0;
  /// The name of the routee with that number, from 1 on.
  virtual std::string name_of(std::int64_t number) const { return std::to_string(number); }
  /// How many routees the router creates at its start.
  virtual std::int64_t first_size() const {
    if (!options_.resizer()) return options_.size();
    return std::clamp(options_.size(), options_.resizer()->lower, options_.resizer()->upper);
  }

  const RouterOptions& options() const noexcept { return options_; }

 private:
  using Duration = std::chrono::nanoseconds;
  // Messages on their way to a routee that has been dismissed come before its PoisonPill.
  static constexpr Duration dismissal_delay = std::chrono::milliseconds{100};
  static constexpr Duration search_interval = std::chrono::seconds{1};

  void begin(Context& ctx) {
    using Logic = RouterOptions::Logic;
    std::int32_t logic = ACTORD_BY_ROUTER;
    if (options_.logic() == Logic::round_robin) logic = ACTORD_ROUND_ROBIN;
    if (options_.logic() == Logic::random) logic = ACTORD_RANDOM;
    if (options_.logic() == Logic::smallest_mailbox) logic = ACTORD_SMALLEST_MAILBOX;
    detail::route(ctx, logic);
    // After a restart: the routees that are no children are watched anew.
    const std::vector<Ref> children = ctx.children();
    for (const Routee& each : ctx.routees(ctx.self())) {
      if (std::ranges::find(children, each.ref) == children.end()) watch(ctx, each.ref);
    }
    if (!options_.is_pool()) find_routees(ctx);
    if (options_.resizer())
      ctx.start_timer("resize", options_.resizer()->interval, detail::ResizePool{},
                      options_.resizer()->interval);
  }

  // ---- the routees ----
  void create_routee(Context& ctx) {
    do ++last_number_;
    while (ctx.child(name_of(last_number_)));
    spawn_routee(ctx, name_of(last_number_));
  }
  // An order by hand leaves the size within the bounds of the resizer, too.
  std::int64_t within_bounds(Context& ctx, std::int64_t change) const {
    if (!options_.resizer()) return change;
    const std::int64_t size = std::ssize(ctx.routees(ctx.self()));
    return std::clamp(change, options_.resizer()->lower - size, options_.resizer()->upper - size);
  }
  void change_size(Context& ctx, std::int64_t change) {
    for (; change > 0; --change) create_routee(ctx);
    const std::vector<Routee> routees = ctx.routees(ctx.self());
    const auto n = std::min<std::int64_t>(-change, std::ssize(routees));
    for (std::int64_t i = 0; i < n; ++i)
      dismiss(ctx, routees[routees.size() - 1 - static_cast<std::size_t>(i)].ref);
    offer_waiting(ctx);
  }
  void watch(Context& ctx, Ref routee) {
    ctx.unwatch(routee);
    ctx.watch_with(routee, detail::RouteeStopped{routee});
  }
  // False: the actor has stopped, or is a router that sends to this one; that is logged.
  bool join(Context& ctx, Ref routee) try {
    detail::add_routee(ctx, routee);
    return true;
  } catch (const Error& error) {
    ctx.log(Level::warning, "an actor cannot be a routee",
            {{"routee", routee}, {"error", std::string_view{error.what()}}});
    return false;
  }
  // A child of a pool handles what it has, and stops; another actor goes on.
  void dismiss(Context& ctx, Ref routee) {
    detail::remove_routee(ctx, routee);
    const std::vector<Ref> children = ctx.children();
    if (std::ranges::find(children, routee) == children.end()) return ctx.unwatch(routee);
    ctx.schedule_once(dismissal_delay, routee, PoisonPill{});
  }
  void find_routees(Context& ctx, Ref gone = {}) {
    const std::vector<Routee> known = ctx.routees(ctx.self());
    bool is_any_missing = false;
    for (const std::string& path : options_.paths()) {
      const Ref found = ctx.find(path);
      if (found && std::ranges::find(known, found, &Routee::ref) != known.end()) continue;
      // One that has just stopped has its name until its supervisor knows.
      if (found && found != gone && join(ctx, found)) watch(ctx, found);
      else is_any_missing = true;
    }
    if (is_any_missing) ctx.start_timer("find", search_interval, detail::FindRoutees{});
  }

  // ---- what the router sends on itself ----
  // A dead letter names the router, on a host before ABI 1.14 the place for them.
  static void refuse(Context& ctx) {
    const actord_host& host = *ctx.c().host;
    if (ACTORD_HAS(actord_host, &host, refuse)) host.refuse(&ctx.c());
    else ctx.forward(ctx.find("/deadLetters"));
  }
  // The host tells when a child has handled the message. A routee from elsewhere, and on a host
  // before ABI 1.14 each, gets an Identify after the message, whose answer says so.
  void offer(Context& ctx, const std::vector<Routee>& routees) {
    const auto least = std::ranges::min_element(
        routees, {}, [this](const Routee& each) { return unhandled_by(each); });
    if (unhandled_by(*least) >= options_.credits()) return ctx.stash();
    const actord_host& host = *ctx.c().host;
    if (ACTORD_HAS(actord_host, &host, offer) && host.offer(&ctx.c(), least->ref.value) != 0)
      return;
    ++unhandled_[least->ref.value];
    ctx.forward(least->ref);
    ctx.tell(least->ref, Identify{least->ref.value});
  }
  std::int64_t unhandled_by(const Routee& routee) const {
    const auto found = unhandled_.find(routee.ref.value);
    return routee.unhandled + (found != unhandled_.end() ? found->second : 0);
  }
  void offer_waiting(Context& ctx) {
    if (options_.logic() != RouterOptions::Logic::balancing) return;
    std::int64_t credits = 0;
    for (const Routee& each : ctx.routees(ctx.self()))
      credits += options_.credits() - unhandled_by(each);
    if (credits > 0) ctx.unstash(static_cast<std::size_t>(credits));
  }
  void gather(Context& ctx, const std::vector<Routee>& routees) {
    std::vector<Ref> asked;
    for (const Routee& each : routees) asked.push_back(each.ref);
    const bool is_one_by_one = options_.logic() == RouterOptions::Logic::tail_chopping;
    ctx.forward(ctx.spawn_helper<detail::Gatherer>(
        {}, asked, options_.within(), is_one_by_one ? options_.interval() : Duration{}));
  }
  void send_by_hash(Context& ctx, const std::vector<Routee>& routees) {
    const std::optional<std::uint64_t> hash = options_.hash(ctx);
    if (!hash) {
      ctx.log(Level::warning, "a message has no key for consistent hashing",
              {{"message.type", ctx.message_type()}});
      return refuse(ctx);
    }
    if (!std::ranges::equal(routees, on_ring_, {}, &Routee::ref)) make_ring(ctx, routees);
    const auto found = std::ranges::lower_bound(ring_, *hash, {}, &Point::hash);
    ctx.forward((found != ring_.end() ? *found : ring_.front()).routee);
  }

  struct Point {
    std::uint64_t hash;
    Ref routee;
  };
  void make_ring(Context& ctx, const std::vector<Routee>& routees) {
    ring_.clear();
    on_ring_.clear();
    for (const Routee& each : routees) {
      on_ring_.push_back(each.ref);
      const std::string path = ctx.path(each.ref) + '#';
      for (std::int64_t i = 0; i < options_.points(); ++i)
        ring_.push_back({RouterOptions::hash_of(path + std::to_string(i)), each.ref});
    }
    std::ranges::sort(ring_, {}, &Point::hash);
  }

  const RouterOptions options_;
  std::int64_t last_number_ = 0;
  std::size_t next_ = 0;
  // With balancing: how many messages a routee from elsewhere has, by its ref.
  std::map<std::uint64_t, std::int64_t> unhandled_;
  std::vector<Point> ring_;  // sorted by hash
  std::vector<Ref> on_ring_;
};

/// The router of a pool of actors of class A; see Context::spawn_router().
template <std::derived_from<Actor> A>
class Router final : public RouterActor {
 public:
  static constexpr std::string_view name = "Router";
  static constexpr std::string_view doc = "Sends each message to one of its routees.";

  /// Called by spawn().
  template <class... Args>
  Router(Context& /*ctx*/, const RouterOptions& options, const Args&... args)
      : RouterActor(options),
        spawn_([args...](Context& ctx, std::string_view called, std::uint32_t flags) {
          return ctx.spawn_flagged<A>(called, flags, args...);
        }) {}

  /// The strategy of this instance; spawn() asks for it.
  template <class... Args>
  static const Strategy& strategy_of(const RouterOptions& options, const Args&... /*rest*/) {
    return options.strategy();
  }

 protected:
  Ref spawn_routee(Context& ctx, std::string_view called) override {
    return spawn_(ctx, called,
                  ACTORD_ROUTEE | (options().counts_mailboxes() ? ACTORD_COUNTED_MAILBOX : 0));
  }

 private:
  std::function<Ref(Context&, std::string_view, std::uint32_t)> spawn_;
};

/// The router of a group; see Context::spawn_router().
class GroupRouter final : public RouterActor {
 public:
  static constexpr std::string_view doc = "Sends each message to one of the actors of its group.";
  GroupRouter(Context& /*ctx*/, const RouterOptions& options) : RouterActor(options) {}

 protected:
  Ref spawn_routee(Context& /*ctx*/, std::string_view /*name*/) override {
    throw Error("router: a group creates no actors");
  }
  std::int64_t first_size() const override { return 0; }
};

namespace detail {

template <class A, class... Args>
actord_status create_router(void* self, actord_context* c, actord_value config, const void* args,
                            actord_errors* errors) {
  return run(c, errors, [&](Context& ctx) {
    std::apply(
        [&](const RouterOptions& options, const Args&... each) {
          construct<A>(self, ctx, with_rule(options, config), each...);
        },
        *static_cast<const std::tuple<RouterOptions, Args...>*>(args));
  });
}

/// The props of a router, whose options an operator may change for its path.
template <class A, class... Args>
actord_props router_props_of(RouterOptions options, Args&&... args) {
  actord_props props = props_of<A>(std::move(options), std::forward<Args>(args)...);
  props.create = &create_router<A, std::decay_t<Args>...>;
  props.flags = ACTORD_ROUTER;
  return props;
}

}  // namespace detail

template <class A, class... Args>
Ref Context::spawn_router(std::string_view name, RouterOptions options, Args&&... args) {
  if constexpr (std::is_void_v<A>) {
    if (options.is_pool()) throw Error("router: a pool needs the class of its routees");
    return spawn(name, detail::router_props_of<GroupRouter>(std::move(options)));
  } else {
    if (!options.is_pool()) throw Error("router: a group has no class of routees");
    return spawn(
        name, detail::router_props_of<Router<A>>(std::move(options), std::forward<Args>(args)...));
  }
}

}  // namespace actord
