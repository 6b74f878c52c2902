// SPDX-License-Identifier: Apache-2.0
//
// Messages to all actors that match a path or a pattern.
#pragma once

#include <actord/context.hpp>

namespace actord {

/// The actors that match a path or a pattern. Each call looks for them anew. A Selection is valid
/// as long as the Context that made it.
class Selection {
 public:
  /// Authors call Context::select().
  Selection(Context& ctx, std::string_view paths) noexcept : ctx_(ctx), paths_(paths) {}

  /// Sends a copy of the message to each actor, and returns their number. If it is a path and no
  /// pattern, and no actor has that path, the message becomes a dead letter (supervision.md 145).
  template <class M>
  std::size_t tell(M message) {
    actord_context& c = ctx_.c();
    return detail::since_1_1(*c.host).tell_selection(&c, detail::to_c(paths_),
                                                     detail::listed_type_id<M>(), &message);
  }
  /// Sends an Identify to each actor, which answers with an ActorIdentity of this id. If it is
  /// a path and no pattern, and no actor has that path, one ActorIdentity with an empty Ref comes.
  std::size_t identify(std::uint64_t id) { return tell(Identify{id}); }
  /// Asks each actor, as Context::ask() does; the first answer counts. Returns their number. If
  /// there is none, the answer is a failure NoRecipient. Throws Error on a host before ABI 1.5.
  template <auto OnReply, class M>
  std::size_t ask(M message, std::chrono::nanoseconds timeout) {
    detail::check_answer<typename detail::ReplyFormOf<OnReply>::Message>();
    return ask(std::move(message), timeout, &detail::handle_reply<OnReply>);
  }
  /// Asks for the ref of one of the actors. The answer is an ActorIdentity, or a failure
  /// NoRecipient.
  ///   void found(Context&, const Reply<ActorIdentity>&);
  template <auto OnReply>
  std::size_t resolve(std::chrono::nanoseconds timeout) {
    return ask(Identify{}, timeout, &detail::handle_identity<OnReply>);
  }
  /// Sends each actor a copy of the current message, with its sender, and returns their number.
  /// Throws Error on a host before ABI 1.5.
  std::size_t forward() {
    actord_context& c = ctx_.c();
    return detail::since_1_5(*c.host).forward_selection(&c, detail::to_c(paths_));
  }

 private:
  template <class M>
  std::size_t ask(M message, std::chrono::nanoseconds timeout, actord_reply_handler handler) {
    actord_context& c = ctx_.c();
    detail::check_ask(timeout);
    return detail::since_1_5(*c.host).ask_selection(
        &c, detail::to_c(paths_), detail::listed_type_id<M>(), &message, timeout.count(), handler);
  }

  Context& ctx_;
  std::string_view paths_;
};

inline Selection Context::select(std::string_view paths) { return {*this, paths}; }

}  // namespace actord
