// SPDX-License-Identifier: Apache-2.0
//
// The system, for any thread: above all for threads that a plugin starts itself.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>

#include <actord/builtin_causes.hpp>
#include <actord/flattening.hpp>
#include <actord/props.hpp>

namespace actord {
namespace detail {

[[noreturn, gnu::noinline, gnu::cold]] inline void refuse_unlisted(std::string_view type) {
  if (type.starts_with("actord."))
    throw UnlistedMessage(std::string{type} + " needs an actord that offers ABI 1.13");
  throw UnlistedMessage("message type is not listed in ACTORD_PLUGIN: " + std::string{type});
}

/// The number of the message type. Throws UnlistedMessage if M is not listed in Messages<…>.
template <class M>
inline actord_type_id listed_type_id() {
  static_assert(Message<M>, "this type is no message: it has no ACTORD_MESSAGE");
  if constexpr (Message<M>) {
    if (type_id<M> == 0) [[unlikely]]
      refuse_unlisted(message_name<M>);
    return type_id<M>;
  }
}

/// The host, if its table has the functions of ABI 1.1. Throws Error for an older host.
inline const actord_host& since_1_1(const actord_host& host) {
  if (ACTORD_HAS(actord_host, &host, cancel_scheduled)) [[likely]]
    return host;
  throw Error("this call needs an actord that offers ABI 1.1");
}

/// The same for the functions of ABI 1.8.
inline const actord_host& since_1_8(const actord_host& host) {
  if (ACTORD_HAS(actord_host, &host, publish_extension)) [[likely]]
    return host;
  throw Error("this call needs an actord that offers ABI 1.8");
}

/// A table that plugins may share: its first member is its size.
template <class Table>
constexpr void check_extension() {
  static_assert(std::is_standard_layout_v<Table> &&
                    std::is_same_v<decltype(Table::struct_size), std::uint32_t>,
                "a table of an extension is a struct of C with a std::uint32_t struct_size");
  static_assert(offsetof(Table, struct_size) == 0, "struct_size comes first");
}

/// The same for the functions of ABI 1.5.
inline const actord_host& since_1_5(const actord_host& host) {
  if (ACTORD_HAS(actord_host, &host, log_supervision)) [[likely]]
    return host;
  throw Error("this call needs an actord that offers ABI 1.5");
}

/// Throws Error on a host before ABI 1.10.
inline const actord_host& since_1_10(const actord_host& host) {
  if (ACTORD_HAS(actord_host, &host, hash_of_field)) [[likely]]
    return host;
  throw Error("this call needs an actord that offers ABI 1.10");
}

}  // namespace detail

/// A handle of the system, which may be copied. Any thread may use it, from the plugin's attach to
/// its detach. A plugin that owns threads joins them before its last actor has stopped, or in
/// detach.
///
/// A call with a message type M throws Error if M is not listed in Messages<…> of ACTORD_PLUGIN.
class System {
 public:
  /// Made by the library.
  System(const actord_host& host, actord_system* system) : host_(&host), system_(system) {}

  /// Sends a message without a sender. A message that cannot be delivered becomes a dead letter.
  template <class M>
  void tell(Ref to, M message) const {
    host_->system_tell(system_, to.value, detail::listed_type_id<M>(), &message);
  }
  /// The same with a limit, for threads that bring work from outside. False: messages take up as
  /// much memory as actord.actor.message-memory-max allows, and `message` is unchanged; then let
  /// the client wait, or refuse its request. A host before ABI 1.4 has no such limit.
  template <class M>
  [[nodiscard]] bool try_tell(Ref to, M& message) const {
    if (ACTORD_HAS(actord_host, host_, system_try_tell)) [[likely]]
      return host_->system_try_tell(system_, to.value, detail::listed_type_id<M>(), &message) != 0;
    tell(to, std::move(message));
    return true;
  }
  /// Writes a log event. The text is constant; what varies goes into the fields, of which at most
  /// 32 are written.
  void log(Level level, std::string_view text, std::initializer_list<Field> fields = {}) const {
    event(level, {}, text, fields);
  }
  /// The same with a name for machines, such as "crawler.progress"; see Context::event().
  void event(Level level, std::string_view name, std::string_view text,
             std::initializer_list<Field> fields = {}) const {
    host_->system_log(system_, static_cast<std::int32_t>(level), detail::to_c(name),
                      detail::to_c(text), fields.begin(), fields.size());
  }
  /// Sends a message without a sender after `delay`, then every `period` unless that is 0, until
  /// the receiver has stopped or cancel() is called. Unlike an actor's timer it outlives restarts.
  /// After a message that was late, the next one comes a whole period later. Returns an id for
  /// cancel(), or 0 if the system is shutting down (supervision.md 163).
  template <class M>
  std::uint64_t schedule(Ref to, std::chrono::nanoseconds delay, M message,
                         std::chrono::nanoseconds period = {}) const {
    return schedule(to, delay, std::move(message), period, 0);
  }
  /// The same at a fixed rate: messages that were late follow at once.
  template <class M>
  std::uint64_t schedule_at_fixed_rate(Ref to, std::chrono::nanoseconds delay, M message,
                                       std::chrono::nanoseconds period) const {
    return schedule(to, delay, std::move(message), period, 1);
  }
  /// Cancels what was scheduled under that id. False if nothing was left to cancel.
  bool cancel(std::uint64_t scheduled) const {
    return newer_host().cancel_scheduled(system_, scheduled) != 0;
  }
  /// The path of an actor, "/user/crawler". "/deadLetters" for an empty Ref, and for an actor that
  /// has stopped, as soon as its parent has removed it.
  std::string path(Ref ref) const {
    char text[128];
    const std::size_t size = host_->path(system_, ref.value, text, sizeof text);
    if (size < sizeof text) return {text, size};
    std::string longer(size + 1, '\0');
    host_->path(system_, ref.value, longer.data(), longer.size());
    longer.resize(size);
    return longer;
  }
  /// The actor at that path; empty if there is none. Children without a name of their own are not
  /// found.
  Ref find(std::string_view path) const { return {host_->find(system_, detail::to_c(path))}; }
  /// Creates an actor of class A below /system, for what must outlive the actors below /user: it
  /// can take messages of their post_stop. It may tell its parent a RegisterTerminationHook. Then
  /// it gets a TerminationHook when all actors below /user have stopped, and the system waits for
  /// its TerminationHookDone (supervision.md 101). The default strategy judges its failures.
  ///
  /// A call from attach at the start of actord creates the actor before those below /user; find()
  /// finds it then. If attach throws, there is no such actor. Throws Error if the name is not valid
  /// or taken, if the system is shutting down, and on a host before ABI 1.5.
  template <class A, class... Args>
  void spawn_system(std::string_view name, Args&&... args) const {
    spawn_system_on<A>(name, {}, std::forward<Args>(args)...);
  }
  /// The same on another dispatcher than the default one, such as "blocking-io". Throws Error also
  /// if there is no such dispatcher.
  template <class A, class... Args>
  void spawn_system_on(std::string_view name, std::string_view dispatcher, Args&&... args) const {
    detail::check_spawn<A, std::decay_t<Args>...>();
    const actord_host& host = detail::since_1_5(*host_);
    actord_props props = detail::props_of<A>(std::forward<Args>(args)...);
    props.dispatcher = detail::to_c(dispatcher);
    detail::HostErrors errors;
    if (host.spawn_system(system_, detail::to_c(name), &props, &errors) != ACTORD_OK)
      errors.raise("spawn_system");
  }
  /// The directory in which plugins keep files. It exists. The path has no trailing slash.
  std::string state_directory() const {
    return std::string{detail::view(host_->state_directory(system_))};
  }
  /// Offers a table of functions to other plugins, from attach only (ABI 1.8). Its struct, a struct
  /// of C in a header that both plugins include, begins with `std::uint32_t struct_size`, which is
  /// sizeof(Table), and grows only at its end. The id is "shop.prices/1": the name of the plugin, a
  /// name, and a version for what must not be mistaken for another. Other plugins may call its
  /// functions on any thread, until the process ends. Throws Error if the id is not of that form,
  /// or if it is taken.
  template <class Table>
  void publish(std::string_view id, const Table& table) const {
    detail::check_extension<Table>();
    detail::HostErrors errors;
    const actord_host& host = detail::since_1_8(*host_);
    if (host.publish_extension(system_, detail::to_c(id), &table, &errors) != ACTORD_OK)
      errors.raise("publish");
  }
  /// The table that another plugin has published under that id; null if none has. Plugins are
  /// attached in the order in which the configuration loads them, so that an actor looks the table
  /// up, rather than attach. Throws Error if the table is shorter than Table: its plugin was built
  /// with an older header. A plugin that can do without the newest members takes the table by the
  /// function below, and tests for each member with ACTORD_HAS.
  template <class Table>
  const Table* extension(std::string_view id) const {
    detail::check_extension<Table>();
    const auto* const table = static_cast<const Table*>(extension(id));
    if (table != nullptr && table->struct_size < sizeof(Table))
      throw Error("the plugin that publishes " + std::string{id} +
                  " was built with an older header than this one: build it again");
    return table;
  }
  /// The same for a table of any size and type.
  const void* extension(std::string_view id) const {
    return host_->extension(system_, detail::to_c(id));
  }

 private:
  template <class M>
  std::uint64_t schedule(Ref to, std::chrono::nanoseconds delay, M message,
                         std::chrono::nanoseconds period, std::int32_t at_fixed_rate) const {
    return newer_host().schedule(system_, to.value, delay.count(), period.count(), at_fixed_rate,
                                 detail::listed_type_id<M>(), &message);
  }
  const actord_host& newer_host() const { return detail::since_1_1(*host_); }

  const actord_host* host_;
  actord_system* system_;
};

}  // namespace actord
