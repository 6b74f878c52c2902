// SPDX-License-Identifier: Apache-2.0
//
// Actors of closures: small behaviours that are written where they are spawned, and that become
// other ones (supervision.md 180m).
//
// Not here: behaviours that a configuration names, or whose states `actorctl inspect` shows. They
// are classes (actor.hpp, state_machine.hpp): a receive table is a constant, and a closure is not.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <actord/actor.hpp>
#include <actord/builtin_causes.hpp>
#include <actord/builtin_messages.hpp>

namespace actord {

class ClosureActor;

/// The handlers of a ClosureActor. A closure takes (const M&) or (Context&, const M&). It returns
/// nothing, the reply, or other Closures, which the actor becomes then; also as std::optional.
///
///   actord::Closures open();
///   actord::Closures locked() {
///     return actord::Closures{}.on<Coin>([](const Coin&) { return open(); });
///   }
///   actord::Closures open() {
///     return actord::Closures{}.on<Push>([](const Push&) { return locked(); });
///   }
///
///   ctx.spawn<actord::ClosureActor>("turnstile", locked());
///
/// Closures are copied when the actor is created and at each restart, so that what they have
/// captured by value begins as it was. What they have captured by reference must outlive the actor.
class Closures {
 public:
  /// Handles the messages of type M. The first handler of a type counts.
  template <Message M, class Handle>
  Closures on(Handle handle) && {
    handlers_.push_back(
        [handle = std::move(handle)](Context& ctx, std::optional<Closures>& next) mutable {
          const M* const message = ctx.message_as<M>();
          if (message == nullptr) return false;
          if constexpr (std::is_invocable_v<Handle&, Context&, const M&>)
            conclude(ctx, next, [&] { return handle(ctx, *message); });
          else conclude(ctx, next, [&] { return handle(*message); });
          return true;
        });
    return std::move(*this);
  }
  /// Handles all other messages. Without it they are unhandled messages.
  Closures otherwise(std::function<void(Context&)> handle) && {
    otherwise_ = std::move(handle);
    return std::move(*this);
  }

 private:
  friend class ClosureActor;

  template <class Call>
  static void conclude(Context& ctx, std::optional<Closures>& next, Call&& call) {
    using Result = decltype(call());
    if constexpr (std::is_void_v<Result>) {
      call();
    } else if constexpr (std::is_convertible_v<Result, std::optional<Closures>>) {
      next = call();
    } else {
      static_assert(Message<Result>, "a closure returns nothing, a message or Closures");
      Result answer = call();
      if (!ctx.has_failed()) ctx.reply(std::move(answer));
    }
  }

  /// False if there is no handler for the current message.
  bool handle(Context& ctx, std::optional<Closures>& next) {
    for (auto& each : handlers_) {
      if (each(ctx, next)) return true;
    }
    if (otherwise_) otherwise_(ctx);
    return static_cast<bool>(otherwise_);
  }

  std::vector<std::function<bool(Context&, std::optional<Closures>&)>> handlers_;
  std::function<void(Context&)> otherwise_;
};

/// An actor of closures, which is spawned with them. A restart goes back to the first ones.
class ClosureActor final : public Actor {
 public:
  static constexpr std::string_view doc = "Handles its messages by closures.";

  explicit ClosureActor(Closures first) : now_(std::move(first)) {}

  void take(Context& ctx) {
    std::optional<Closures> next;  // not before the closure has returned, which it destroys
    if (!now_.handle(ctx, next)) return unhandled(ctx);
    if (next && !ctx.has_failed()) now_ = std::move(*next);
  }
  using Receive = Handlers<&ClosureActor::take>;

 private:
  // As the system does for an actor without such a handler.
  static void unhandled(Context& ctx) {
    if (ctx.message_as<Terminated>() != nullptr)
      return ctx.fail<DeathPact>(
          "a watched actor terminated, and this actor has no handler for Terminated");
    ctx.publish(Unhandled{ctx.self(), ctx.asker() ? ctx.asker() : ctx.sender(),
                          std::string{ctx.message_type()}});
  }

  Closures now_;
};

}  // namespace actord
