// SPDX-License-Identifier: Apache-2.0
//
// What an actor understands, as lists of its member functions, and the tables made of them.
//
// Not here: how a handler is called (trampolines.hpp).
#pragma once

#include <array>

#include <actord/failure_view.hpp>

namespace actord {

class Context;

/// What an actor understands in one state: using Receive = Handlers<&Fetcher::fetch,
/// &Fetcher::done>.
///
/// A handler takes (const M&) or (Context&, const M&); what it returns, if anything, is the reply.
/// One that takes (Context&) alone gets every message that no other takes; without such a one they
/// are published as unhandled. A struct that derives from Handlers may have a `name` for people.
template <auto... Handler>
struct Handlers {};

/// What become() may switch to, besides Receive: using States = actord::States<Busy, Closed>.
template <class... Receive>
struct States {};

/// The answer to an ask: a message, or the failure that came instead (no answer in time, target
/// gone, answered with a failure, or with something else). A loan for the call.
template <Message M>
class Reply {
 public:
  Reply(const M* message, const actord_failure* failure) : message_(message), failure_(failure) {}

  explicit operator bool() const noexcept { return message_ != nullptr; }
  const M& operator*() const noexcept { return *message_; }
  const M* operator->() const noexcept { return message_; }
  /// Only if there is no message.
  Failure failure() const { return Failure{*failure_}; }

 private:
  const M* message_;
  const actord_failure* failure_;
};

namespace detail {

template <class Owner_, class Result_, class Message_, bool takes_context_>
struct Form {
  using Owner = Owner_;
  using Result = Result_;
  using Message = Message_;  // void: whatever no other handler takes
  static constexpr bool takes_context = takes_context_;
};

template <class A, class R, class M>
Form<A, R, M, true> form(R (A::*)(Context&, const M&));
template <class A, class R, class M>
Form<A, R, M, true> form(R (A::*)(Context&, const M&) const);
template <class A, class R, class M>
Form<A, R, M, false> form(R (A::*)(const M&));
template <class A, class R, class M>
Form<A, R, M, false> form(R (A::*)(const M&) const);
template <class A>
Form<A, void, void, true> form(void (A::*)(Context&));
template <class A>
Form<A, void, void, true> form(void (A::*)(Context&) const);

template <class A, class M>
Form<A, void, M, true> reply_form(void (A::*)(Context&, const Reply<M>&));
template <class A, class M>
Form<A, void, M, true> reply_form(void (A::*)(Context&, Reply<M>));
template <class A, class M>
Form<A, void, M, false> reply_form(void (A::*)(const Reply<M>&));
template <class A, class M>
Form<A, void, M, false> reply_form(void (A::*)(Reply<M>));

template <auto H>
using FormOf = decltype(form(H));
template <auto OnReply>
using ReplyFormOf = decltype(reply_form(OnReply));

template <auto H>
constexpr bool takes_the_rest = std::is_void_v<typename FormOf<H>::Message>;

template <auto H>
actord_status handle(void* self, actord_context*, const void* message, actord_errors*);
template <auto OnReply>
actord_status handle_reply(void* self, actord_context*, const void* message, const actord_failure*,
                           actord_errors*);

template <auto H>
constexpr actord_case case_of() {
  if constexpr (takes_the_rest<H>) {
    return {};
  } else {
    static_assert(Message<typename FormOf<H>::Message>,
                  "a handler takes a type without ACTORD_MESSAGE");
    return {to_c(message_name<typename FormOf<H>::Message>), &handle<H>};
  }
}

template <auto... H>
constexpr auto cases_of() {
  std::array<actord_case, sizeof...(H) + 1> cases{};
  std::size_t n = 0;
  for (const actord_case& each : std::array<actord_case, sizeof...(H) + 1>{case_of<H>()...}) {
    // By name: under UBSan g++ 12 takes the comparison of a function with null for no constant.
    if (each.type.size != 0) cases[n++] = each;
  }
  return cases;
}

template <std::size_t n>
constexpr bool is_unique(const std::array<actord_case, n>& cases) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (cases[i].type.size != 0 && view(cases[i].type) == view(cases[j].type)) return false;
    }
  }
  return true;
}

template <class Receive>
constexpr std::string_view state_name() {
  if constexpr (requires { Receive::name; }) return Receive::name;
  else return {};
}

/// One table per list, however often it is named: the host knows states by their address.
template <class Receive, auto... H>
struct ReceiveTableOf {
  static constexpr auto cases = cases_of<H...>();
  static_assert(is_unique(cases), "two handlers take the same message");
  static constexpr std::uint32_t n_rest = (0u + ... + (takes_the_rest<H> ? 1u : 0u));
  static_assert(n_rest <= 1, "two handlers take whatever no other takes");

  static constexpr actord_handler otherwise() {
    actord_handler found = nullptr;
    ((takes_the_rest<H> ? void(found = &handle<H>) : void()), ...);
    return found;
  }
  static constexpr actord_receive table{sizeof(actord_receive),
                                        std::uint32_t{sizeof...(H)} - n_rest,
                                        to_c(state_name<Receive>()), cases.data(), otherwise()};
};

template <class Receive, auto... H>
ReceiveTableOf<Receive, H...> receive_table_of(const Handlers<H...>*);
template <class Receive>
constexpr const actord_receive* receive_table =
    &decltype(receive_table_of<Receive>(static_cast<const Receive*>(nullptr)))::table;

}  // namespace detail
}  // namespace actord
