// SPDX-License-Identifier: Apache-2.0
//
// What an actor can do during one call: send, create, watch, wait, log, fail.
#pragma once

#include <new>
#include <tuple>
#include <vector>

#include <actord/builtin_messages.hpp>
#include <actord/flattening.hpp>
#include <actord/handlers.hpp>
#include <actord/supervisor_strategy.hpp>
#include <actord/system_handle.hpp>

namespace actord {

class Actor;

namespace detail {

template <class A>
const actord_behaviour* behaviour_table();
template <class A, class... Args>
actord_status create_from(void* self, actord_context*, actord_value, const void* args,
                          actord_errors*);
template <class Work>
class PipeWorker;

/// The arguments of an actor whose strategy depends on them, with that strategy.
template <class Args>
struct ArgsWithStrategy : Args {
  template <class Make>
  ArgsWithStrategy(Args args, Make&& make)
      : Args(std::move(args)), strategy(std::apply(make, static_cast<const Args&>(*this))) {}
  StrategyTable strategy;
};

/// What to spawn, with copies of the arguments, which belong to whoever the props are given to.
template <class A, class... Args>
actord_props props_of(Args&&... args) {
  actord_props props{};
  props.struct_size = sizeof props;
  props.behaviour = behaviour_table<A>();
  if constexpr (requires(const std::decay_t<Args>&... each) { A::strategy_of(each...); }) {
    using Kept = std::tuple<std::decay_t<Args>...>;
    using Both = ArgsWithStrategy<Kept>;
    auto* const both = new Both(Kept(std::forward<Args>(args)...),
                                [](const auto&... each) { return A::strategy_of(each...); });
    props.create = &create_from<A, std::decay_t<Args>...>;
    props.args_destroy = [](void* kept) { delete static_cast<Both*>(static_cast<Kept*>(kept)); };
    props.args = static_cast<Kept*>(both);
    props.strategy = both->strategy.c();
  } else if constexpr (sizeof...(Args) > 0) {
    using Kept = std::tuple<std::decay_t<Args>...>;
    props.create = &create_from<A, std::decay_t<Args>...>;
    props.args_destroy = [](void* kept) { delete static_cast<Kept*>(kept); };
    props.args = new Kept(std::forward<Args>(args)...);
  }
  return props;
}

}  // namespace detail

class Context;

/// The actors whose paths match, at each call anew. Lent with the Context it comes from.
class Selection {
 public:
  Selection(Context& ctx, std::string_view paths) noexcept : ctx_(ctx), paths_(paths) {}

  /// Answers how many there are. Where the path names one actor and there is none, the message is a
  /// dead letter of that path; a miss of a pattern is silent.
  template <Message M>
  std::size_t tell(M message);
  /// Each answers with an ActorIdentity of this id; where the path names one actor and there is
  /// none, one with nobody comes.
  std::size_t identify(std::uint64_t id) { return tell(Identify{id}); }

 private:
  Context& ctx_;
  std::string_view paths_;
};

/// The actor's view of its system. Lent for one call on the actor's thread: never kept, never
/// handed to another thread (system() is for those). Messages are taken by value: move large ones
/// in.
class Context {
 public:
  using Duration = std::chrono::nanoseconds;
  using Fields = std::initializer_list<Field>;

  Context(actord_context& c, actord_errors* errors) noexcept : c_(c), errors_(errors) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  Ref self() const noexcept { return {c_.self}; }
  Ref parent() const noexcept { return {c_.parent}; }
  /// Of the message being handled; in decide(), log_failure() and child_terminated() the child.
  Ref sender() const noexcept { return {c_.sender}; }
  System system() const noexcept { return {host(), c_.system}; }

  // ---- messages. What cannot be delivered becomes a dead letter, never an error ----

  template <Message M>
  void tell(Ref to, M message) {
    host().tell(&c_, to.value, detail::listed_type_id<M>(), &message);
  }
  template <Message M>
  void tell(Ref to, M message, Ref sender) {
    host().tell_from(&c_, to.value, detail::listed_type_id<M>(), &message, sender.value);
  }
  template <Message M>
  void reply(M message) {
    host().reply(&c_, detail::listed_type_id<M>(), &message);
  }
  /// A message that is only known by name, read from `fields`, or as it is by default if they are
  /// absent. Throws Error if no plugin has such a message, or the fields are not its own.
  void reply(std::string_view type, actord_value fields) {
    detail::HostErrors errors;
    if (newer_host().reply_read(&c_, detail::to_c(type), fields, &errors) != ACTORD_OK)
      errors.raise("reply");
  }
  /// Answers an ask with a failure; a dead letter if the sender did not ask.
  template <class E = Error>
  void reply_failure(std::string_view what, Fields details = {}) {
    const actord_failure failure = described<E>(what, details);
    host().reply_failure(&c_, &failure);
  }
  void reply_failure(const Failure& failure) { host().reply_failure(&c_, &failure.c()); }
  /// Passes a copy of the current message on; the receiver sees its sender.
  void forward(Ref to) { host().forward(&c_, to.value); }
  /// … and sees `sender` instead.
  void forward(Ref to, Ref sender) { newer_host().forward_from(&c_, to.value, sender.value); }
  /// ctx.ask<&Shop::priced>(store, GetPrice{sku}, 500ms), where priced takes (Context&, const
  /// Reply<Price>&). Exactly one answer comes, unless this incarnation ends before.
  template <auto OnReply, Message M>
  void ask(Ref to, M message, Duration timeout) {
    using Answer = typename detail::ReplyFormOf<OnReply>::Message;
    static_cast<void>(detail::listed_type_id<Answer>());
    host().ask(&c_, to.value, detail::listed_type_id<M>(), &message, timeout.count(),
               &detail::handle_reply<OnReply>);
  }
  /// Runs `work`, which may block, on a thread of the blocking-io dispatcher;
  /// ctx.pipe<&A::on_done>( [path] { return Content{read(path)}; }, 5s), where on_done takes
  /// (Context&, const Reply<Content>&). What it throws is the reply's failure. It works on copies:
  /// it must not touch the actor or its Context. Exactly one answer comes, unless this incarnation
  /// ends before.
  template <auto OnReply, class Work>
  void pipe(Work work, Duration timeout);
  /// The actors whose paths match, as they are now: "/user/shop/*", "../sibling", "worker". "*"
  /// stands for one name, ".." for the parent; without a leading '/' it is relative to self.
  /// Unnamed actors ($a) are not found.
  Selection select(std::string_view paths);
  /// The message being handled, in the restart hooks and post_stop the one that failed; null if
  /// there is none, or it is of another type.
  template <Message M>
  const M* message_as() const noexcept {
    const bool is_one =
        c_.message != nullptr && c_.message_type != 0 && c_.message_type == detail::type_id<M>;
    return is_one ? static_cast<const M*>(c_.message) : nullptr;
  }
  bool has_message() const noexcept { return c_.message != nullptr; }
  /// The name of its type, "echo.Text/1"; empty if there is none.
  std::string_view message_type() const {
    if (!has_message()) return {};
    return detail::view(newer_host().type_name(c_.system, c_.message_type));
  }

  // ---- the tree ----

  /// A child of class A, constructed from (Context&, args…) or (args…), now and after each restart,
  /// from copies of args kept for it. Without args: from the config of its path. Throws Error if
  /// the name is taken or no name, or there can be no more actors. A failing constructor is no
  /// error here: it is the child's failure, to be judged like any other.
  template <class A, class... Args>
    requires std::derived_from<A, Actor>
  Ref spawn(std::string_view name, Args&&... args) {
    return spawn(name, detail::props_of<A>(std::forward<Args>(args)...));
  }
  /// A child of any loaded behaviour, "plugin/Behaviour", with the config of its path.
  Ref spawn(std::string_view name, std::string_view behaviour) {
    actord_props props{};
    props.struct_size = sizeof props;
    props.behaviour_name = detail::to_c(behaviour);
    return spawn(name, props);
  }
  /// A child on another dispatcher than the default one, such as "blocking-io"; what the
  /// configuration says of its path goes before. Throws Error, too, if there is no such dispatcher.
  template <class A, class... Args>
    requires std::derived_from<A, Actor>
  Ref spawn_on(std::string_view name, std::string_view dispatcher, Args&&... args) {
    newer_host();
    actord_props props = detail::props_of<A>(std::forward<Args>(args)...);
    props.dispatcher = detail::to_c(dispatcher);
    return spawn(name, props);
  }
  /// The child that the configuration gives this actor under that name. For classes that say
  /// `static constexpr bool starts_own_children = true`; the children of all others are started for
  /// them. Throws Error as spawn() does, and if there is no such child.
  Ref spawn_configured(std::string_view name) {
    detail::HostErrors errors;
    const actord_ref child = newer_host().spawn_configured(&c_, detail::to_c(name), &errors);
    if (child == 0) errors.raise("spawn_configured");
    return {child};
  }
  /// How often a child may be restarted by the strategy that holds now, be it an operator's.
  Budget budget() const {
    Budget budget;
    std::int64_t within_ns = -1;
    newer_host().budget(&c_, &budget.max_restarts, &within_ns);
    budget.within = Duration{within_ns};
    return budget;
  }
  void stop(Ref who) { host().stop(&c_, who.value); }
  void stop_self() { stop(self()); }
  /// Unwatches and stops each.
  void stop_children() { host().stop_children(&c_); }
  std::vector<Ref> children() const {
    static_assert(sizeof(Ref) == sizeof(actord_ref),
                  "a list of Ref is filled as one of actord_ref");
    std::vector<Ref> found(host().children(&c_, nullptr, 0));
    if (!found.empty()) host().children(&c_, &found.data()->value, found.size());
    return found;
  }
  /// Answered with a Terminated, at once if there is nobody. Who watches and does not handle it
  /// fails with DeathPact.
  void watch(Ref who) {
    if (!ACTORD_HAS(actord_host, &host(), cancel_scheduled)) return host().watch(&c_, who.value);
    watch_with(who, 0, nullptr);
  }
  /// Answered with this message instead, which may be left unhandled. Throws Error while `who` is
  /// watched with another message, or with none: unwatch() it first.
  template <Message M>
  void watch_with(Ref who, M message) {
    newer_host();
    watch_with(who, detail::listed_type_id<M>(), &message);
  }
  void unwatch(Ref who) { host().unwatch(&c_, who.value); }
  /// Stops `who` and hears of it: ctx.graceful_stop<&A::on_stopped>(worker, 5s), where on_stopped
  /// takes (Context&, const Reply<Terminated>&); after the timeout its failure is AskTimeout, and
  /// `who` goes on stopping. Whoever is dead already answers at once.
  template <auto OnReply>
  void graceful_stop(Ref who, Duration timeout) {
    newer_host().graceful_stop(&c_, who.value, 0, nullptr, timeout.count(),
                               &detail::handle_reply<OnReply>);
  }
  /// … by a message of its own, such as a PoisonPill, after which it is expected to stop.
  template <auto OnReply, Message M>
  void graceful_stop(Ref who, Duration timeout, M message) {
    newer_host().graceful_stop(&c_, who.value, detail::listed_type_id<M>(), &message,
                               timeout.count(), &detail::handle_reply<OnReply>);
  }

  // ---- the actor's own state ----

  /// H is Receive or one of States. Replaces the present one; a restart goes back to Receive.
  template <class H>
  void become() {
    host().become(&c_, detail::receive_table<H>, 0);
  }
  /// Keeps the present one below, for unbecome().
  template <class H>
  void become_on_top() {
    host().become(&c_, detail::receive_table<H>, 1);
  }
  void unbecome() { host().unbecome(&c_); }
  /// Puts the current message aside, once. Throws StashOverflow when the stash is full, Error when
  /// the message lies there already.
  void stash() {
    detail::HostErrors errors;
    if (host().stash(&c_, &errors) != ACTORD_OK) errors.raise("stash");
  }
  /// Puts what was set aside before all that waits, in the order it came.
  void unstash_all() { host().unstash_all(&c_); }
  /// Sends self a message after `delay`, and then every `period` if there is one. Replaces the
  /// timer of that key; ends with the incarnation.
  template <Message M>
  void start_timer(std::string_view key, Duration delay, M message, Duration period = {}) {
    host().start_timer(&c_, detail::to_c(key), delay.count(), period.count(),
                       detail::listed_type_id<M>(), &message);
  }
  /// The same, where a message that was late is made up for: as many come as there were periods.
  template <Message M>
  void start_timer_at_fixed_rate(std::string_view key, Duration delay, M message, Duration period) {
    newer_host().start_timer_at_fixed_rate(&c_, detail::to_c(key), delay.count(), period.count(),
                                           detail::listed_type_id<M>(), &message);
  }
  /// Sends as nobody after `delay`, as System::schedule() does: it outlives restarts, and ends with
  /// its receiver or with system().cancel(). 0: the system is going down.
  template <Message M>
  std::uint64_t schedule_once(Duration delay, Ref to, M message) {
    if (!ACTORD_HAS(actord_host, &host(), schedule_once)) [[unlikely]]
      return system().schedule(to, delay, std::move(message));
    return host().schedule_once(&c_, to.value, delay.count(), detail::listed_type_id<M>(),
                                &message);
  }
  void cancel_timer(std::string_view key) { host().cancel_timer(&c_, detail::to_c(key)); }
  /// Whether a message of that timer is still to come.
  bool has_timer(std::string_view key) {
    return newer_host().has_timer(&c_, detail::to_c(key)) != 0;
  }
  /// A ReceiveTimeout after each such silence; zero turns it off.
  void receive_timeout(Duration silence) { host().receive_timeout(&c_, silence.count()); }

  // ---- surroundings ----

  /// Monotonic. Take time and chance from here, and a simulated system is deterministic.
  Duration now() const { return Duration{host().now_ns(&c_)}; }
  std::uint64_t random() { return host().random(&c_); }
  /// The text is constant, for people to search; what varies goes into fields.
  void log(Level level, std::string_view text, Fields fields = {}) {
    event(level, {}, text, fields);
  }
  /// With a name for machines: event(Level::info, "crawler.progress", …).
  void event(Level level, std::string_view name, std::string_view text, Fields fields = {}) {
    host().log(&c_, static_cast<std::int32_t>(level), detail::to_c(name), detail::to_c(text),
               fields.begin(), fields.size());
  }
  /// To whatever is published of that type, by anybody.
  template <Message M>
  void subscribe() {
    host().subscribe(&c_, detail::to_c(message_name<M>));
  }
  template <Message M>
  void unsubscribe() {
    host().unsubscribe(&c_, detail::to_c(message_name<M>));
  }
  /// To every type whose name begins so: "crawler." or "actord.Actor". Whoever does not know them
  /// all has a handler that takes (Context&) alone.
  void subscribe_to(std::string_view prefix) {
    newer_host().subscribe_prefix(&c_, detail::to_c(prefix));
  }
  template <Message M>
  void publish(M message) {
    host().publish(&c_, detail::listed_type_id<M>(), &message);
  }
  Ref find(std::string_view path) const { return system().find(path); }
  std::string path(Ref ref) const { return system().path(ref); }
  std::string state_directory() const { return system().state_directory(); }

  // ---- failing without a throw ----

  /// The call fails with an E, as if it had thrown one, for a few nanoseconds instead of a
  /// microsecond. Return after it: a later fail or throw of this call is ignored, and a returned
  /// reply not sent. E is only named, never constructed.
  template <class E = Error>
  void fail(std::string_view what, Fields details = {}) {
    if (has_failed_) return;
    const actord_failure failure = described<E>(what, details);
    report(failure);
  }
  /// … with a message that travels along, for failure.payload_as<M>().
  template <class E = Error, Message M>
  void fail_with(std::string_view what, M message, Fields details = {}) {
    if (has_failed_) return;
    actord_failure failure = described<E>(what, details);
    failure.payload_type = detail::listed_type_id<M>();
    failure.payload = &message;
    report(failure);
  }
  const bool& has_failed() const noexcept { return has_failed_; }

  /// For extensions and the testkit.
  actord_context& c() const noexcept { return c_; }

 private:
  const actord_host& host() const noexcept { return *c_.host; }
  const actord_host& newer_host() const { return detail::since_1_1(host()); }

  void watch_with(Ref who, actord_type_id type, void* message) {
    detail::HostErrors errors;
    if (host().watch_with(&c_, who.value, type, message, &errors) != ACTORD_OK)
      errors.raise("watch");
  }

  Ref spawn(std::string_view name, const actord_props& props) {
    detail::HostErrors errors;
    const actord_ref child = host().spawn(&c_, detail::to_c(name), &props, &errors);
    if (child == 0) errors.raise("spawn");
    return {child};
  }

  template <class E>
  static actord_failure described(std::string_view what, Fields details) {
    static const detail::TypeChain& chain = detail::chain_of(typeid(E));
    actord_failure failure = detail::plain_failure(chain, what);
    failure.details = details.begin();
    failure.n_details = details.size();
    return failure;
  }
  void report(const actord_failure& failure) {
    has_failed_ = true;
    errors_->report(errors_, &failure);
  }

  actord_context& c_;
  actord_errors* errors_;
  bool has_failed_ = false;
};

inline Selection Context::select(std::string_view paths) { return {*this, paths}; }

template <Message M>
std::size_t Selection::tell(M message) {
  actord_context& c = ctx_.c();
  return detail::since_1_1(*c.host).tell_selection(&c, detail::to_c(paths_),
                                                   detail::listed_type_id<M>(), &message);
}

}  // namespace actord
