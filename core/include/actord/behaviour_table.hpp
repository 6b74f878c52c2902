// SPDX-License-Identifier: Apache-2.0
//
// The table of a class for the host: its states, config, strategy and hooks.
#pragma once

#include <actord/config_table.hpp>
#include <actord/supervisor_strategy.hpp>
#include <actord/trampolines.hpp>

namespace actord::detail {

/// The name of a class without its namespace: "Master" for crawler::Master. Template arguments keep
/// theirs.
inline std::string_view class_name(std::string_view full) {
  const std::size_t scope = full.substr(0, full.find('<')).rfind("::");
  return scope == full.npos ? full : full.substr(scope + 2);
}
template <class T>
std::string_view class_name() {
  if constexpr (requires { std::string_view{T::name}; }) return T::name;
  else return class_name(type_name<T>());
}

template <class T>
constexpr std::string_view doc_of() {
  if constexpr (requires { std::string_view{T::doc}; }) return T::doc;
  else return {};
}

template <class T>
const actord_strategy* strategy_table() {
  static const auto& table = *new StrategyTable{T::supervision()};
  return table.c();
}

template <class Receive, class... Others>
const auto& receives(const States<Others...>*) {
  static constexpr std::array<const actord_receive*, 1 + sizeof...(Others)> all{
      receive_table<Receive>, receive_table<Others>...};
  return all;
}

template <class A>
constexpr void check_receive() {
  static_assert(
      requires { typename A::Receive; }, "no `using Receive = actord::Handlers<...>` is public");
}

template <class A>
const auto& receives_of() {
  check_receive<A>();
  if constexpr (!requires { typename A::Receive; }) {
    return receives<Handlers<>>(static_cast<const States<>*>(nullptr));
  } else if constexpr (requires { typename A::States; }) {
    return receives<typename A::Receive>(static_cast<const typename A::States*>(nullptr));
  } else {
    return receives<typename A::Receive>(static_cast<const States<>*>(nullptr));
  }
}

// A hook without an override is a null entry, so that the host does not call it. A hook that cannot
// be named here is private, and therefore an override.
#define ACTORD_OVERRIDES_(hook) \
  (!requires { requires std::is_same_v<decltype(&A::hook), decltype(&Actor::hook)>; })

template <class A>
void add_hooks(actord_behaviour& table) {
  if constexpr (ACTORD_OVERRIDES_(pre_start)) table.pre_start = &call_pre_start;
  if constexpr (ACTORD_OVERRIDES_(post_stop)) table.post_stop = &call_post_stop;
  if constexpr (ACTORD_OVERRIDES_(pre_restart)) table.pre_restart = &call_pre_restart;
  if constexpr (ACTORD_OVERRIDES_(post_restart)) table.post_restart = &call_post_restart;
  if constexpr (ACTORD_OVERRIDES_(decide)) table.decide = &call_decide;
  if constexpr (ACTORD_OVERRIDES_(review)) table.review = &call_review;
  if constexpr (ACTORD_OVERRIDES_(log_failure)) table.log_failure = &call_log_failure;
  if constexpr (ACTORD_OVERRIDES_(child_terminated))
    table.child_terminated = &call_child_terminated;
}
#undef ACTORD_OVERRIDES_

/// The functions of a persistent class (persistent.hpp).
template <class A>
struct PersistenceFunctions;

template <class A>
[[gnu::cold]] actord_behaviour make_behaviour() {
  static_assert(std::derived_from<A, Actor>, "a behaviour derives from actord::Actor, publicly");
  actord_behaviour table{};
  table.struct_size = sizeof table;
  table.flags = ACTORD_MARKS_SENDER;  // Context::sender() does
  table.name = to_c(class_name<A>());
  table.doc = to_c(doc_of<A>());
  table.size = sizeof(A);
  table.align = alignof(A);
  table.receives = receives_of<A>().data();
  table.n_receives = receives_of<A>().size();
  if constexpr (requires { typename A::Config; }) {
    table.config = member_table<typename A::Config>.data();
    table.n_config = member_table<typename A::Config>.size();
    table.config_keys = config_keys<typename A::Config>().data();
    table.n_config_keys = config_keys<typename A::Config>().size();
    if constexpr (HasValidate<A>) table.validate = &validate_configured<A>;
  }
  if constexpr (requires { A::stash_capacity; }) table.stash_capacity = A::stash_capacity;
  if constexpr (requires { A::starts_own_children; }) {
    if (A::starts_own_children) table.flags |= ACTORD_STARTS_OWN_CHILDREN;
  }
  if constexpr (requires { A::supervision(); }) table.strategy = strategy_table<A>();
  table.create = &create_configured<A>;
  table.destroy = [](void* self) { static_cast<A*>(self)->~A(); };
  add_hooks<A>(table);
  if constexpr (requires { typename A::PersistedState; })
    table.persistence = &PersistenceFunctions<A>::table;
  return table;
}

template <class A>
const actord_behaviour* behaviour_table() {
  static const actord_behaviour& table = *new actord_behaviour{make_behaviour<A>()};
  return &table;
}

// ---- configurators ------------------------------------------------------------------------------

template <class C>
actord_status call_configurator(const actord_failure* failure, actord_directive* out,
                                actord_errors* errors) {
  return guarded(errors,
                 [&] { *out = static_cast<actord_directive>(C::decide(Failure{*failure})); });
}

template <class C>
const actord_configurator* configurator_table() {
  static const actord_configurator& table = []() -> const actord_configurator& {
    auto& made = *new actord_configurator{};
    made.struct_size = sizeof made;
    made.name = to_c(class_name<C>());
    made.doc = to_c(doc_of<C>());
    made.strategy = strategy_table<C>();
    if constexpr (requires(const Failure& f) { C::decide(f); }) made.decide = &call_configurator<C>;
    return made;
  }();
  return &table;
}

}  // namespace actord::detail
