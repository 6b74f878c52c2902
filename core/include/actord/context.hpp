// SPDX-License-Identifier: Apache-2.0
//
// What an actor can do during one call of a handler or hook: send, create, watch, wait, log, fail.
#pragma once

#include <new>
#include <optional>
#include <vector>

#include <actord/builtin_messages.hpp>
#include <actord/flattening.hpp>
#include <actord/handlers.hpp>
#include <actord/system_handle.hpp>

namespace actord {

class Actor;
class RouterOptions;

namespace detail {

template <class Work>
class PipeWorker;

/// Throws UnlistedMessage if no ask can be answered with an Answer.
template <class Answer>
void check_answer() {
  if constexpr (!std::is_void_v<Answer>) static_cast<void>(listed_type_id<Answer>());
}
/// Throws Error if an ask with that timeout could not be answered at all.
inline void check_ask(std::chrono::nanoseconds timeout) {
  if (timeout.count() <= 0) throw Error("an ask needs a timeout of more than 0");
}

}  // namespace detail

/// A child whose name is taken.
struct Child {
  Ref ref;
  /// Its parent has stopped it, and has not been told of its end yet.
  bool is_stopping = false;
};

/// A routee of a router.
struct Routee {
  Ref ref;
  std::int64_t waiting = -1;   // messages in its mailbox; -1: they are not counted
  bool is_idle = true;         // no message waits or is being handled
  std::int64_t unhandled = 0;  // with balancing: messages of the router that it has
};

/// A message for all routees of a router, whatever its logic: ctx.tell(router, Broadcast{Flush{}}).
/// The routees get an M. Another actor than a router gets the M itself.
template <class M>
struct Broadcast {
  M message;
};
template <class M>
Broadcast(M) -> Broadcast<M>;

class Context;
class Selection;

/// The actor's view of its system, lent for one call of a handler or hook. It must not be kept, nor
/// used on another thread; other threads use system().
///
/// Messages are taken by value: move large ones in. A call with a message type M throws Error if M
/// is not listed in Messages<…> of ACTORD_PLUGIN. A delay below 0 counts as 0, and so does the
/// timeout of graceful_stop().
class Context {
 public:
  using Duration = std::chrono::nanoseconds;
  using Fields = std::initializer_list<Field>;

  /// Made by the library for each call.
  Context(actord_context& c, actord_errors* errors) noexcept : c_(c), errors_(errors) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// The address of this actor; a restart keeps it.
  Ref self() const noexcept { return {c_.self}; }
  /// The address of the parent, which is the supervisor.
  Ref parent() const noexcept { return {c_.parent}; }
  /// The sender of the message that is being handled; empty if it has none. In decide(), review(),
  /// log_failure() and child_terminated() it is the child.
  ///
  /// If the message is an ask, this is not the asker but a ref that takes one answer: from this
  /// actor or from whomever it is given to, in this call or later, until the asker's timeout. What
  /// is sent to it after that is a dead letter. Its path is "/temp/$…"; a watch of it ends at once,
  /// a stop is ignored (supervision.md 180p).
  ///
  /// An actor that has read it may answer later, or let another one do so. If it fails on the ask
  /// then, the ask does not fail with it (supervision.md 188).
  Ref sender() const noexcept {
    if (ACTORD_HAS(actord_context, &c_, taken_sender)) c_.taken_sender = c_.sender;
    return {c_.sender};
  }
  /// The actor that asked, if the message is an ask; otherwise empty. It is not known if the ask
  /// went to several actors at once, or was sent on with tell(). A host before ABI 1.5 knows none,
  /// and there sender() is the asker.
  Ref asker() const noexcept {
    return {ACTORD_HAS(actord_host, &host(), asker) ? host().asker(&c_) : 0};
  }
  /// The system, which may be copied and used on any thread.
  System system() const noexcept { return {host(), c_.system}; }

  // ---- messages: what cannot be delivered becomes a dead letter, never an error ----

  /// Sends a message; its sender is this actor.
  template <class M>
  void tell(Ref to, M message) {
    host().tell(&c_, to.value, detail::listed_type_id<M>(), &message);
  }
  /// Sends a message with another sender; an empty one means no sender.
  template <class M>
  void tell(Ref to, M message, Ref sender) {
    host().tell_from(&c_, to.value, detail::listed_type_id<M>(), &message, sender.value);
  }
  /// Sends a copy of the message to each routee of a router. Throws Error on a host before ABI
  /// 1.10.
  template <class M>
  void tell(Ref router, Broadcast<M> to_all) {
    detail::since_1_10(host()).tell_routees(&c_, router.value, detail::listed_type_id<M>(),
                                            &to_all.message);
  }
  /// Sends a message to sender(); completes an ask. A handler may return its reply instead.
  template <class M>
  void reply(M message) {
    host().reply(&c_, detail::listed_type_id<M>(), &message);
  }
  /// Replies with a message type that is known by name only. The message is read from `fields`;
  /// absent fields keep their defaults. Throws Error if no plugin has that type, or if the fields
  /// are not those of the type.
  void reply(std::string_view type, actord_value fields) {
    detail::HostErrors errors;
    if (newer_host().reply_read(&c_, detail::to_c(type), fields, &errors) != ACTORD_OK)
      errors.raise("reply");
  }
  /// Answers an ask with a failure of type E. If sender() takes no answer, nothing is sent.
  template <class E = Error>
  void reply_failure(std::string_view what, Fields details = {}) {
    const actord_failure failure = described<E>(what, details);
    host().reply_failure(&c_, &failure);
  }
  /// Answers an ask with a copy of that failure. If sender() takes no answer, nothing is sent.
  void reply_failure(const Failure& failure) { host().reply_failure(&c_, &failure.c()); }
  /// Answers with a failure the ask whose sender() was `asked`, in that call or later. Returns
  /// false if `asked` is no sender of an ask. Throws Error on a host before ABI 1.5.
  template <class E = Error>
  bool reply_failure(Ref asked, std::string_view what, Fields details = {}) {
    const actord_failure failure = described<E>(what, details);
    return detail::since_1_5(host()).fail_ask(&c_, asked.value, &failure) != 0;
  }
  /// Sends a copy of the current message, with its sender. A forwarded ask is answered by its
  /// receiver. Does nothing if there is no current message or the message cannot be copied.
  void forward(Ref to) { host().forward(&c_, to.value); }
  /// The same with another sender. A forwarded ask becomes an ordinary message.
  void forward(Ref to, Ref sender) { newer_host().forward_from(&c_, to.value, sender.value); }
  /// Sends a question and calls OnReply with the answer:
  ///   ctx.ask<&Shop::priced>(store, GetPrice{sku}, 500ms);
  ///   void priced(Context&, const Reply<Price>&);
  /// Exactly one answer comes, unless this incarnation ends before it. It is a failure AskTimeout
  /// after the timeout, and NoRecipient if the target has stopped (supervision.md 180j). Throws
  /// Error if the timeout is not more than 0.
  template <auto OnReply, class M>
  void ask(Ref to, M message, Duration timeout) {
    detail::check_answer<typename detail::ReplyFormOf<OnReply>::Message>();
    detail::check_ask(timeout);
    host().ask(&c_, to.value, detail::listed_type_id<M>(), &message, timeout.count(),
               &detail::handle_reply<OnReply>);
  }
  /// Runs `work`, which may block, on a thread of the blocking-io dispatcher, and calls OnReply
  /// with the message that it returns:
  ///   ctx.pipe<&A::on_done>([path] { return Content{read(path)}; }, 5s);
  ///   void on_done(Context&, const Reply<Content>&);
  /// An exception of `work` is the failure of the reply. `work` must own what it uses: it must not
  /// touch the actor or its Context. Exactly one answer comes, unless this incarnation ends before
  /// it. Throws Error as spawn_on() and ask() do.
  template <auto OnReply, class Work>
  void pipe(Work work, Duration timeout);
  /// The actors that match `paths`: "/user/shop/*", "../sibling", "worker". In a name "*" is any
  /// characters and "?" one, ".." is the parent. A path without a leading '/' is relative to self.
  /// Children without a name of their own ($a) are not found. `paths` must outlive the Selection.
  /// A Selection is defined in <actord/actor_selection.hpp>, which actord.hpp includes.
  Selection select(std::string_view paths);
  /// The message that is being handled; in pre_restart and post_stop the message on which the actor
  /// failed. Null if there is none or it is of another type.
  template <Message M>
  const M* message_as() const noexcept {
    const bool is_one =
        c_.message != nullptr && c_.message_type != 0 && c_.message_type == detail::type_id<M>;
    return is_one ? static_cast<const M*>(c_.message) : nullptr;
  }
  /// Whether there is a message as for message_as(), of any type.
  bool has_message() const noexcept { return c_.message != nullptr; }
  /// The name of the type of the message of message_as(), "echo.Text/1"; empty if there is none.
  std::string_view message_type() const {
    if (!has_message()) return {};
    return detail::view(newer_host().type_name(c_.system, c_.message_type));
  }

  // ---- the tree ----

  /// Creates a child of class A, constructed from (Context&, args…) or (args…). The system keeps
  /// copies of the args for restarts. Without args a class with a Config gets its defaults.
  ///
  /// An empty name becomes $a, $b, … (supervision.md 142, 143). Throws Error if the name is taken
  /// or not valid, if this actor is stopping, or if the system has no room for another actor. An
  /// exception of the constructor is no error of spawn(): it is the child's failure, and this actor
  /// decides.
  template <class A, class... Args>
  Ref spawn(std::string_view name, Args&&... args) {
    detail::check_spawn<A, std::decay_t<Args>...>();
    return spawn(name, detail::props_of<A>(std::forward<Args>(args)...));
  }
  /// Creates a child of any loaded behaviour, "plugin/Behaviour". Its Config has its defaults.
  /// Throws Error as above, and if there is no such behaviour.
  Ref spawn(std::string_view name, std::string_view behaviour) {
    actord_props props{};
    props.struct_size = sizeof props;
    props.behaviour_name = detail::to_c(behaviour);
    return spawn(name, props);
  }
  /// Creates a child on another dispatcher than the default one, such as "blocking-io". A
  /// dispatcher that the configuration names for its path goes first. Throws Error as spawn() does,
  /// and if there is no such dispatcher.
  template <class A, class... Args>
  Ref spawn_on(std::string_view name, std::string_view dispatcher, Args&&... args) {
    detail::check_spawn<A, std::decay_t<Args>...>();
    newer_host();
    actord_props props = detail::props_of<A>(std::forward<Args>(args)...);
    props.dispatcher = detail::to_c(dispatcher);
    return spawn(name, props);
  }
  /// Creates a router, as a child of this actor (<actord/router.hpp>): of a pool of actors of class
  /// A, each constructed from the args as by spawn(), or of a group. Throws Error as spawn() does,
  /// and for a pool without a class.
  template <class A = void, class... Args>
  Ref spawn_router(std::string_view name, RouterOptions options, Args&&... args);
  /// spawn() with flags of the C interface, for routers.
  template <class A, class... Args>
  Ref spawn_flagged(std::string_view name, std::uint32_t flags, Args&&... args) {
    detail::check_spawn<A, std::decay_t<Args>...>();
    actord_props props = detail::props_of<A>(std::forward<Args>(args)...);
    props.flags = flags;
    return spawn(name, props);
  }
  /// Creates a part of this actor that its code does not see (ACTORD_HELPER), for the library.
  template <class A, class... Args>
  Ref spawn_helper(std::string_view dispatcher, Args&&... args) {
    detail::check_spawn<A, std::decay_t<Args>...>();
    newer_host();
    actord_props props = detail::props_of<A>(std::forward<Args>(args)...);
    props.dispatcher = detail::to_c(dispatcher);
    props.flags = ACTORD_HELPER;
    return spawn({}, props);
  }
  // This list and those below are templates so that only a file that asks for one compiles its
  // vector: the three are a twentieth of the header.
  /// The routees of a router; empty if it is none. Throws Error on a host before ABI 1.10.
  template <class Each = Routee>
  std::vector<Each> routees(Ref router) const {
    const actord_host& newer = detail::since_1_10(host());
    std::vector<actord_routee> found(newer.routees(&c_, router.value, nullptr, 0));
    const std::size_t n = newer.routees(&c_, router.value, found.data(), found.size());
    if (n < found.size()) found.resize(n);
    std::vector<Each> routees;
    for (const actord_routee& each : found)
      routees.push_back({{each.ref}, each.waiting, each.is_idle != 0, each.unhandled});
    return routees;
  }
  /// Creates the child that the configuration gives this actor under that name. It is for classes
  /// with `static constexpr bool starts_own_children = true`; the system starts the configured
  /// children of all other classes. Throws Error as spawn() does, and if there is no such child.
  Ref spawn_configured(std::string_view name) {
    detail::HostErrors errors;
    const actord_ref child = newer_host().spawn_configured(&c_, detail::to_c(name), &errors);
    if (child == 0) errors.raise("spawn_configured");
    return {child};
  }
  /// The restart limit and window of the strategy currently applied to this actor's children.
  Budget budget() const {
    Budget budget;
    std::int64_t within_ns = -1;
    newer_host().budget(&c_, &budget.max_restarts, &within_ns);
    budget.within = Duration{within_ns};
    return budget;
  }
  /// Stops an actor. The actor completes its current message; its unread messages become dead
  /// letters (supervision.md 132-134).
  void stop(Ref who) { host().stop(&c_, who.value); }
  /// Stops this actor after the current message.
  void stop_self() { stop(self()); }
  /// Unwatches and stops each child.
  void stop_children() { host().stop_children(&c_); }
  /// The children, in the order of their creation, except those that are stopping.
  template <class Each = Ref>
  std::vector<Each> children() const {
    static_assert(sizeof(Each) == sizeof(actord_ref), "the list is filled as one of actord_ref");
    std::vector<Each> found(host().children(&c_, nullptr, 0));
    if (!found.empty()) host().children(&c_, &found.data()->value, found.size());
    return found;
  }
  /// The same with those that are stopping, whose names are still taken. Throws Error on a host
  /// before ABI 1.5.
  template <class Each = Child>
  std::vector<Each> all_children() const {
    const actord_host& newer = detail::since_1_5(host());
    std::vector<actord_child> found(newer.all_children(&c_, nullptr, 0));
    newer.all_children(&c_, found.data(), found.size());
    std::vector<Each> children;
    for (const actord_child& child : found)
      children.push_back({{child.ref}, child.is_stopping != 0});
    return children;
  }
  /// The child of that name; none if the name is free. While a child is stopping, a spawn() with
  /// its name fails, and its Terminated tells when that has changed. Throws Error on a host before
  /// ABI 1.5.
  std::optional<Child> child(std::string_view name) const {
    actord_child found{};
    if (detail::since_1_5(host()).child(&c_, detail::to_c(name), &found) == 0) return std::nullopt;
    return Child{{found.ref}, found.is_stopping != 0};
  }
  /// Watches `who`: when it has stopped, this actor gets one Terminated, at once if it has stopped
  /// already. If this actor has no handler for Terminated, it fails with DeathPact. An empty Ref
  /// and self() are ignored. Throws Error if `who` is already watched with a message of its own
  /// (supervision.md 116-124).
  void watch(Ref who) {
    if (!ACTORD_HAS(actord_host, &host(), cancel_scheduled)) return host().watch(&c_, who.value);
    watch_with(who, 0, nullptr);
  }
  /// Watches `who`, and delivers this message instead of Terminated. Unlike Terminated, the message
  /// needs no handler. Throws Error if `who` is already watched with another message or with none:
  /// unwatch() it first.
  template <class M>
  void watch_with(Ref who, M message) {
    newer_host();
    watch_with(who, detail::listed_type_id<M>(), &message);
  }
  /// Ends the watch of `who`. A Terminated that is already in the mailbox is discarded.
  void unwatch(Ref who) { host().unwatch(&c_, who.value); }
  /// Stops `who` and calls OnReply when it has stopped, at once if it has stopped already:
  ///   ctx.graceful_stop<&A::on_stopped>(worker, 5s);
  ///   void on_stopped(Context&, const Reply<Terminated>&);
  /// After the timeout the reply is a failure AskTimeout; the stop goes on (supervision.md 137).
  template <auto OnReply>
  void graceful_stop(Ref who, Duration timeout) {
    newer_host().graceful_stop(&c_, who.value, 0, nullptr, timeout.count(),
                               &detail::handle_reply<OnReply>);
  }
  /// The same, but sends `message`, such as a PoisonPill, instead of the order to stop.
  template <auto OnReply, class M>
  void graceful_stop(Ref who, Duration timeout, M message) {
    newer_host().graceful_stop(&c_, who.value, detail::listed_type_id<M>(), &message,
                               timeout.count(), &detail::handle_reply<OnReply>);
  }

  // ---- the actor's own state ----

  /// Switches to another state: H is Receive or one of States. It replaces the current state. A
  /// restart goes back to Receive. A is the class of this actor: name it if all handlers of H are
  /// inherited, become<Busy, Shop>().
  template <class H, class A = detail::OwnerOf<H>>
  void become() {
    detail::check_state_of<A, H>();
    host().become(&c_, detail::receive_table<H>, 0);
  }
  /// The same, but keeps the current state below it for unbecome().
  template <class H, class A = detail::OwnerOf<H>>
  void become_on_top() {
    detail::check_state_of<A, H>();
    host().become(&c_, detail::receive_table<H>, 1);
  }
  /// Goes back to the state below the current one; to Receive if there is none.
  void unbecome() { host().unbecome(&c_); }
  /// Puts the current message into the stash. Throws StashOverflow if the stash is full. Throws
  /// Error if the message is in the stash already, is the answer to an ask, or if there is no
  /// current message (supervision.md 154-157).
  void stash() {
    detail::HostErrors errors;
    if (host().stash(&c_, &errors) != ACTORD_OK) errors.raise("stash");
  }
  /// Moves the stashed messages to the front of the mailbox, in their order.
  void unstash_all() { host().unstash_all(&c_); }
  /// The same for the first `n` of them. Throws Error on a host before ABI 1.10.
  void unstash(std::size_t n) { detail::since_1_10(host()).unstash(&c_, n); }
  /// Starts a timer: sends self a message after `delay`, then every `period` unless that is 0. It
  /// replaces the timer of that key, and ends with the incarnation. After a message that was late,
  /// the next one comes a whole period later (supervision.md 159-164).
  template <class M>
  void start_timer(std::string_view key, Duration delay, M message, Duration period = {}) {
    host().start_timer(&c_, detail::to_c(key), delay.count(), period.count(),
                       detail::listed_type_id<M>(), &message);
  }
  /// The same at a fixed rate: messages that were late follow at once, so that there is one for
  /// each period.
  template <class M>
  void start_timer_at_fixed_rate(std::string_view key, Duration delay, M message, Duration period) {
    newer_host().start_timer_at_fixed_rate(&c_, detail::to_c(key), delay.count(), period.count(),
                                           detail::listed_type_id<M>(), &message);
  }
  /// Sends a message without a sender after `delay`, as System::schedule() does. It outlives
  /// restarts. Returns an id for system().cancel(), or 0 if the system is shutting down.
  template <class M>
  std::uint64_t schedule_once(Duration delay, Ref to, M message) {
    if (!ACTORD_HAS(actord_host, &host(), schedule_once)) [[unlikely]]
      return system().schedule(to, delay, std::move(message));
    return host().schedule_once(&c_, to.value, delay.count(), detail::listed_type_id<M>(),
                                &message);
  }
  /// Cancels the timer of that key, if there is one.
  void cancel_timer(std::string_view key) { host().cancel_timer(&c_, detail::to_c(key)); }
  /// Whether a timer of that key is running.
  bool has_timer(std::string_view key) {
    return newer_host().has_timer(&c_, detail::to_c(key)) != 0;
  }
  /// Sends self a ReceiveTimeout whenever no message has come for the time `silence`. 0 ends this,
  /// as does the end of the incarnation (supervision.md 165-167).
  void receive_timeout(Duration silence) { host().receive_timeout(&c_, silence.count()); }

  // ---- surroundings ----

  /// The monotonic clock. An actor that takes time and random numbers only from the Context is
  /// deterministic in a test.
  Duration now() const { return Duration{host().now_ns(&c_)}; }
  /// A random number, uniform over 64 bits; not for secrets.
  std::uint64_t random() { return host().random(&c_); }
  /// The W3C header `traceparent` for a request that this call makes elsewhere; empty if it is not
  /// part of a trace.
  std::string traceparent() {
    if (!ACTORD_HAS(actord_host, &host(), traceparent)) return {};
    char text[ACTORD_TRACEPARENT_SIZE];
    host().traceparent(&c_, text);
    return text;
  }
  /// This call acts for a request that came with that header: messages sent until it returns belong
  /// to its trace. False if the text is no such header, or if its trace is not recorded.
  bool continue_trace(std::string_view traceparent) {
    return ACTORD_HAS(actord_host, &host(), continue_trace) &&
           host().continue_trace(&c_, detail::to_c(traceparent)) != 0;
  }
  /// Writes a log event with the path of this actor. The text is constant; what varies goes into
  /// the fields, of which at most 32 are written.
  void log(Level level, std::string_view text, Fields fields = {}) {
    event(level, {}, text, fields);
  }
  /// The same with a name for machines: event(Level::info, "crawler.progress", …). A name that
  /// begins as actord's own do (actor. admin. config. daemon. deadletter event-stream. guardian.
  /// ingress. log. message. plugin. shutdown. supervisor.) becomes a field of the event
  /// plugin.event.
  void event(Level level, std::string_view name, std::string_view text, Fields fields = {}) {
    host().log(&c_, static_cast<std::int32_t>(level), detail::to_c(name), detail::to_c(text),
               fields.begin(), fields.size());
  }
  /// Subscribes to the published messages of type M. The subscription outlives restarts.
  template <class M>
  void subscribe() {
    host().subscribe(&c_, detail::to_c(message_name<M>));
  }
  /// Ends the subscription to type M.
  template <class M>
  void unsubscribe() {
    host().unsubscribe(&c_, detail::to_c(message_name<M>));
  }
  /// Subscribes to all types with names that begin with `prefix`: "crawler." or "actord.Actor". A
  /// handler that takes (Context&) alone gets those that have no handler of their own.
  void subscribe_to(std::string_view prefix) {
    newer_host().subscribe_prefix(&c_, detail::to_c(prefix));
  }
  /// Subscribes to all message types of a family, also to those of plugins that are loaded later. A
  /// message names its family in `static constexpr std::string_view message_family`. Throws Error
  /// on a host before ABI 1.5, and so do the next three.
  void subscribe_to_family(std::string_view family) {
    detail::since_1_5(host()).subscribe_family(&c_, detail::to_c(family));
  }
  /// Ends the subscriptions to the types of that family.
  void unsubscribe_from_family(std::string_view family) {
    detail::since_1_5(host()).unsubscribe_family(&c_, detail::to_c(family));
  }
  /// Ends the subscriptions to the types whose names begin with `prefix`.
  void unsubscribe_from(std::string_view prefix) {
    detail::since_1_5(host()).unsubscribe_prefix(&c_, detail::to_c(prefix));
  }
  /// Ends all subscriptions.
  void unsubscribe_all() { unsubscribe_from({}); }
  /// Sends a copy of the message to each subscriber of its type.
  template <class M>
  void publish(M message) {
    host().publish(&c_, detail::listed_type_id<M>(), &message);
  }
  /// As System::find().
  Ref find(std::string_view path) const { return system().find(path); }
  /// As System::path().
  std::string path(Ref ref) const { return system().path(ref); }
  /// As System::state_directory().
  std::string state_directory() const { return system().state_directory(); }

  // ---- failing without a throw ----

  /// Makes the current call fail as if it had thrown an E, at the cost of a few nanoseconds instead
  /// of a microsecond. Return after it: a later failure of the same call is ignored, and a returned
  /// reply is not sent. Only the name of E is used; no E is constructed.
  template <class E = Error>
  void fail(std::string_view what, Fields details = {}) {
    if (has_failed_) return;
    const actord_failure failure = described<E>(what, details);
    report(failure);
  }
  /// The same, and the failure carries a message, for failure.payload_as<M>().
  template <class E = Error, class M>
  void fail_with(std::string_view what, M message, Fields details = {}) {
    if (has_failed_) return;
    actord_failure failure = described<E>(what, details);
    failure.payload_type = detail::listed_type_id<M>();
    failure.payload = &message;
    report(failure);
  }
  /// Whether fail() or fail_with() was called.
  const bool& has_failed() const noexcept { return has_failed_; }

  /// The C interface, for extensions and the testkit.
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

}  // namespace actord
