// SPDX-License-Identifier: Apache-2.0
//
// The system as other threads see it: those that a plugin starts itself.
#pragma once

#include <initializer_list>
#include <string>

#include <actord/error.hpp>

namespace actord {
namespace detail {

[[noreturn, gnu::noinline, gnu::cold]] inline void refuse_unlisted(std::string_view type) {
  throw Error("message type is not listed in ACTORD_PLUGIN: " + std::string{type});
}

/// Throws Error if the author forgot the type in Messages<…>.
template <Message M>
inline actord_type_id listed_type_id() {
  if (type_id<M> == 0) [[unlikely]]
    refuse_unlisted(message_name<M>);
  return type_id<M>;
}

/// Tables grow at their end: what a plugin finds beyond the end of an older host's is not there.
inline const actord_host& since_1_1(const actord_host& host) {
  if (ACTORD_HAS(actord_host, &host, cancel_scheduled)) [[likely]]
    return host;
  throw Error("this call needs an actord that offers ABI 1.1");
}

}  // namespace detail

/// Copy it freely. Any thread, from the plugin's attach to its detach; a plugin that owns threads
/// joins them before its last actor is gone, or in detach.
class System {
 public:
  System(const actord_host& host, actord_system* system) : host_(&host), system_(system) {}

  /// Sends as nobody. What cannot be delivered becomes a dead letter.
  template <Message M>
  void tell(Ref to, M message) const {
    host_->system_tell(system_, to.value, detail::listed_type_id<M>(), &message);
  }
  /// The same, for whoever can make its own callers wait or turn them away. False: messages take up
  /// as much memory as the operator allows (actord.actor.message-memory-max), and `message` is as
  /// it was. An actord before ABI 1.4 knows no such limit.
  template <Message M>
  [[nodiscard]] bool try_tell(Ref to, M& message) const {
    if (ACTORD_HAS(actord_host, host_, system_try_tell)) [[likely]]
      return host_->system_try_tell(system_, to.value, detail::listed_type_id<M>(), &message) != 0;
    tell(to, std::move(message));
    return true;
  }
  void log(Level level, std::string_view text, std::initializer_list<Field> fields = {}) const {
    event(level, {}, text, fields);
  }
  void event(Level level, std::string_view name, std::string_view text,
             std::initializer_list<Field> fields = {}) const {
    host_->system_log(system_, static_cast<std::int32_t>(level), detail::to_c(name),
                      detail::to_c(text), fields.begin(), fields.size());
  }
  /// Sends as nobody after `delay`, then every `period` if there is one, until the receiver is dead
  /// or it is cancelled: unlike an actor's own timers it outlives restarts. Late ones are not made
  /// up for. 0: the system is going down.
  template <Message M>
  std::uint64_t schedule(Ref to, std::chrono::nanoseconds delay, M message,
                         std::chrono::nanoseconds period = {}) const {
    return schedule(to, delay, std::move(message), period, 0);
  }
  /// The same, where what was late is made up for.
  template <Message M>
  std::uint64_t schedule_at_fixed_rate(Ref to, std::chrono::nanoseconds delay, M message,
                                       std::chrono::nanoseconds period) const {
    return schedule(to, delay, std::move(message), period, 1);
  }
  /// False if it was over already.
  bool cancel(std::uint64_t scheduled) const {
    return newer_host().cancel_scheduled(system_, scheduled) != 0;
  }
  /// "/user/crawler"; also of actors that are gone, as long as the address is remembered.
  std::string path(Ref ref) const {
    char text[128];
    const std::size_t size = host_->path(system_, ref.value, text, sizeof text);
    if (size < sizeof text) return {text, size};
    std::string longer(size + 1, '\0');
    host_->path(system_, ref.value, longer.data(), longer.size());
    longer.resize(size);
    return longer;
  }
  /// Who lives there now; nobody if none does.
  Ref find(std::string_view path) const { return {host_->find(system_, detail::to_c(path))}; }
  /// Where plugins keep files. It exists; no trailing slash.
  std::string state_directory() const {
    return std::string{detail::view(host_->state_directory(system_))};
  }
  /// The table of an optional feature, as its own header describes it; null if this host has none.
  const void* extension(std::string_view id) const {
    return host_->extension(system_, detail::to_c(id));
  }

 private:
  template <Message M>
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
