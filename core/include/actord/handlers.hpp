// SPDX-License-Identifier: Apache-2.0
//
// The handlers of an actor, as lists of its member functions, and the tables that are made of them.
//
// Not here: how a handler is called (trampolines.hpp).
#pragma once

#include <array>

#include <actord/failure_view.hpp>

namespace actord {

class Context;

/// The handlers of an actor in one of its states:
///   using Receive = actord::Handlers<&Fetcher::fetch, &Fetcher::done>;
///
/// A handler takes (const M&) or (Context&, const M&). A message that it returns is the reply. A
/// handler that takes (Context&) alone gets all messages that no other handler takes; without it
/// they are unhandled messages. A struct that derives from Handlers may have a `name`, for people.
template <auto... Handler>
struct Handlers {};

/// The states besides Receive that become() may switch to:
///   using States = actord::States<Busy, Closed>;
template <class... Receive>
struct States {};

/// The answer to an ask: a message, or a failure. The failure is AskTimeout, NoRecipient if the
/// target has stopped, UnexpectedReply if the answer has another type, or the failure that
/// the target answered with. A Reply is valid during the call that received it.
template <Message M>
class Reply {
 public:
  /// Made by the library.
  Reply(const M* message, const actord_failure* failure) : message_(message), failure_(failure) {}

  /// True if there is a message.
  explicit operator bool() const noexcept { return message_ != nullptr; }
  /// The message; only if there is one.
  const M& operator*() const noexcept { return *message_; }
  /// The message; null if there is none.
  const M* operator->() const noexcept { return message_; }
  /// The failure; only if there is no message.
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
  using Message = Message_;  // void: all messages that no other handler takes
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

/// Stands for the form of a function that has none, after the error has been reported.
struct NoOwner {};

template <auto H>
constexpr auto find_form() {
  if constexpr (requires { form(H); }) {
    return static_cast<decltype(form(H))*>(nullptr);
  } else {
    static_assert(!is_unsupported<decltype(H)>,
                  "a handler is a public member function that takes (const M&), "
                  "(Context&, const M&) or (Context&)");
    return static_cast<Form<NoOwner, void, void, true>*>(nullptr);
  }
}
template <auto OnReply>
constexpr auto find_reply_form() {
  if constexpr (requires { reply_form(OnReply); }) {
    return static_cast<decltype(reply_form(OnReply))*>(nullptr);
  } else {
    static_assert(
        !is_unsupported<decltype(OnReply)>,
        "the handler of an answer takes (const Reply<M>&) or (Context&, const Reply<M>&)");
    return static_cast<Form<NoOwner, void, void, true>*>(nullptr);
  }
}

template <auto H>
using FormOf = std::remove_pointer_t<decltype(find_form<H>())>;
template <auto OnReply>
using ReplyFormOf = std::remove_pointer_t<decltype(find_reply_form<OnReply>())>;

/// The class whose member functions the handlers are; NoOwner if there are none. If they are those
/// of several classes, the most derived one.
template <class... Owner>
struct MostDerived {
  using Type = NoOwner;
};
template <class First, class... Rest>
struct MostDerived<First, Rest...> {
  using Other = typename MostDerived<Rest...>::Type;
  using Type = std::conditional_t<std::is_base_of_v<First, Other>, Other, First>;
};
template <auto... H>
typename MostDerived<typename FormOf<H>::Owner...>::Type owner_of(const Handlers<H...>*);
template <class Receive>
using OwnerOf = decltype(owner_of(static_cast<const Receive*>(nullptr)));

template <class H, class... State>
constexpr bool is_one_of(const States<State...>*) {
  return (std::is_same_v<H, State> || ...);
}
/// An actor of class A may become H. What A leaves open is not checked.
template <class A, class H>
constexpr void check_state_of() {
  if constexpr (requires { typename A::Receive; }) {
    bool constexpr is_state = [] {
      if constexpr (std::is_same_v<H, typename A::Receive>) return true;
      else if constexpr (requires { typename A::States; })
        return is_one_of<H>(static_cast<const typename A::States*>(nullptr));
      else return false;
    }();
    static_assert(is_state, "this state is missing from `using States = actord::States<...>`");
  }
}

template <auto H>
constexpr bool takes_the_rest = std::is_void_v<typename FormOf<H>::Message>;

template <auto H>
actord_status handle(void* self, actord_context*, const void* message, actord_errors*);
template <auto OnReply>
actord_status handle_reply(void* self, actord_context*, const void* message, const actord_failure*,
                           actord_errors*);

template <auto OnReply>
actord_status handle_identity(void* self, actord_context*, const void* message,
                              const actord_failure*, actord_errors*);

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
    // Compares names: with UBSan, g++ 12 does not accept a comparison of a function with null here.
    if (each.type.size != 0) cases[n++] = each;
  }
  return cases;
}

/// Where the host writes the number of the message of each case.
template <auto... H>
constexpr auto ids_of() {
  std::array<const actord_type_id*, sizeof...(H) + 1> ids{};
  [[maybe_unused]] std::size_t n = 0;
  [[maybe_unused]] const auto add = [&]<auto handler>() {
    if constexpr (!takes_the_rest<handler>) ids[n++] = &type_id<typename FormOf<handler>::Message>;
  };
  (add.template operator()<H>(), ...);
  return ids;
}

constexpr std::string_view message_of(const actord_case& each) { return view(each.type); }
constexpr std::string_view message_of(std::string_view name) { return name; }

/// Whether no message is named twice. A case for all other messages has no name.
template <class Named, std::size_t n>
constexpr bool are_distinct(const std::array<Named, n>& messages) {
  for (std::size_t i = 0; i < n; ++i) {
    const std::string_view name = message_of(messages[i]);
    for (std::size_t j = 0; j < i; ++j) {
      if (!name.empty() && name == message_of(messages[j])) return false;
    }
  }
  return true;
}

template <class Receive>
constexpr std::string_view state_name() {
  if constexpr (requires { Receive::name; }) return Receive::name;
  else return {};
}

/// The table of a list of handlers. There is one per list, because the host knows a state by the
/// address of its table.
template <class Receive, auto... H>
struct ReceiveTableOf {
  static constexpr auto cases = cases_of<H...>();
  static constexpr auto ids = ids_of<H...>();
  static_assert(are_distinct(cases), "two handlers take the same message");
  static constexpr std::uint32_t n_rest = (0u + ... + (takes_the_rest<H> ? 1u : 0u));
  static_assert(n_rest <= 1, "two handlers take all other messages");

  static constexpr actord_handler otherwise() {
    actord_handler found = nullptr;
    ((takes_the_rest<H> ? void(found = &handle<H>) : void()), ...);
    return found;
  }
  static constexpr actord_receive table{sizeof(actord_receive),
                                        std::uint32_t{sizeof...(H)} - n_rest,
                                        to_c(state_name<Receive>()),
                                        cases.data(),
                                        otherwise(),
                                        ids.data()};
};

template <class Receive, auto... H>
ReceiveTableOf<Receive, H...> receive_table_of(const Handlers<H...>*);
template <class Receive>
constexpr const actord_receive* receive_table =
    &decltype(receive_table_of<Receive>(static_cast<const Receive*>(nullptr)))::table;

}  // namespace detail
}  // namespace actord
