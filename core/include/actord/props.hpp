// SPDX-License-Identifier: Apache-2.0
//
// What an actor is spawned from: its class and copies of the arguments of its constructor.
#pragma once

#include <tuple>

#include <actord/data_types.hpp>
#include <actord/supervisor_strategy.hpp>

namespace actord {

class Actor;
class Context;

namespace detail {

template <class A>
const actord_behaviour* behaviour_table();
template <class A, class... Args>
actord_status create_from(void* self, actord_context*, actord_value, const void* args,
                          actord_errors*);
template <class... Args>
actord_status write_args(const void* args, actord_writer*, actord_errors*);
template <class A, class... Args>
actord_status remake(actord_value args, actord_props* out, actord_errors*);

/// The arguments of an actor with strategy_of(), and the strategy that it returned for them.
template <class Args>
struct ArgsWithStrategy : Args {
  template <class Make>
  ArgsWithStrategy(Args args, Make&& make)
      : Args(std::move(args)), strategy(std::apply(make, static_cast<const Args&>(*this))) {}
  StrategyTable strategy;
};

template <class A, class... Args>
constexpr actord_props_codec props_codec{sizeof(actord_props_codec), 0,
                                         sizeof...(Args) > 0 ? &write_args<Args...> : nullptr,
                                         &remake<A, Args...>};

/// The props of an A, with copies of the arguments. The function that receives the props owns them.
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
  if constexpr ((is_portable<std::decay_t<Args>>() && ...))
    props.codec = &props_codec<A, std::decay_t<Args>...>;
  return props;
}

template <class A, class... Args>
constexpr void check_spawn() {
  static_assert(std::derived_from<A, Actor>,
                "only a class that derives from actord::Actor, publicly, can be spawned");
  constexpr bool takes_arguments = sizeof...(Args) == 0 ||
                                   std::is_constructible_v<A, Context&, const Args&...> ||
                                   std::is_constructible_v<A, const Args&...>;
  static_assert(takes_arguments, "no constructor takes these arguments");
}

}  // namespace detail
}  // namespace actord
