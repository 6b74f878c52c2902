// SPDX-License-Identifier: Apache-2.0
//
// The whole plugin, once, at the end of one .cpp: explicit lists, because what registers itself
// cannot be counted.
#pragma once

#include <actord/behaviour_table.hpp>
#include <actord/builtin_messages.hpp>
#include <actord/message_table.hpp>

namespace actord {

/// The classes that config and other plugins can name: "plugin/Class".
template <class... A>
struct Behaviours {};

/// Every message that the plugin sends or handles; a handled one that is missing does not compile.
template <class... M>
struct Messages {};

/// Strategies for actord.actor.guardian-supervisor-strategy = "plugin/Class". A configurator is a
/// class with `static Strategy supervision()` and, if it likes, `static Directive decide(const
/// Failure&)`.
template <class... C>
struct Configurators {};

/// The plugin as a whole, where it has something to say. T may have:
///   static constexpr std::string_view doc; static constexpr std::uint64_t flags (ACTORD_UNLOADABLE
///   …); static void attach(System); static void detach();
template <class T>
struct Module {};

namespace detail {

/// The part of that kind, empty if the author named none.
template <template <class...> class Kind, class... Parts>
struct PartOf {
  using Type = Kind<>;
};
template <template <class...> class Kind, class... Content, class... Rest>
struct PartOf<Kind, Kind<Content...>, Rest...> {
  using Type = Kind<Content...>;
};
template <template <class...> class Kind, class First, class... Rest>
struct PartOf<Kind, First, Rest...> : PartOf<Kind, Rest...> {};

struct NoModule {};
template <class... Parts>
struct ModuleOf {
  using Type = NoModule;
};
template <class T, class... Rest>
struct ModuleOf<Module<T>, Rest...> {
  using Type = T;
};
template <class First, class... Rest>
struct ModuleOf<First, Rest...> : ModuleOf<Rest...> {};

template <class M, class... Listed>
constexpr bool is_listed = std::is_void_v<M> || (std::is_same_v<M, Listed> || ...);

template <auto H, class... Listed>
constexpr bool check_handler() {
  using Form = FormOf<H>;
  static_assert(is_listed<typename Form::Message, Listed...>,
                "a handled message is missing from Messages<…>");
  static_assert(is_listed<std::remove_cvref_t<typename Form::Result>, Listed...>,
                "a message that a handler returns is missing from Messages<…>");
  return true;
}
template <class... Listed, auto... H>
constexpr bool check_state(const Handlers<H...>*) {
  return (check_handler<H, Listed...>() && ...);
}
template <class... Listed, class... Receive>
constexpr bool check_states(const States<Receive...>*) {
  return (check_state<Listed...>(static_cast<const Receive*>(nullptr)) && ...);
}
template <class A, class... Listed>
constexpr bool check_behaviour() {
  if constexpr (requires { typename A::States; }) {
    check_states<Listed...>(static_cast<const typename A::States*>(nullptr));
  }
  return check_state<Listed...>(static_cast<const typename A::Receive*>(nullptr));
}

template <class T>
actord_status attach(const actord_host* host, actord_system* system, actord_errors* errors) {
  return guarded(errors, [&] { T::attach(System{*host, system}); });
}
template <class T>
actord_status detach(actord_errors* errors) {
  return guarded(errors, [] { T::detach(); });
}

template <class T>
void add_module(actord_plugin& table) {
  table.doc = to_c(doc_of<T>());
  if constexpr (requires { T::flags; }) table.flags = T::flags;
  if constexpr (requires { &T::attach; }) {
    static_assert(
        requires(System system) { T::attach(system); }, "Module<T>: static void attach(System)");
    table.attach = &attach<T>;
  }
  if constexpr (requires { &T::detach; }) {
    static_assert(
        requires { T::detach(); }, "Module<T>: static void detach()");
    table.detach = &detach<T>;
  }
}

template <class M, class... A, class... Listed, class... C>
actord_plugin make_plugin(Behaviours<A...>, Messages<Listed...>, Configurators<C...>) {
  static_assert((check_behaviour<A, Listed...>() && ...));
  static const std::array<const actord_behaviour*, sizeof...(A)> behaviours{
      behaviour_table<A>()...};
  static const std::array<const actord_message_type*, sizeof...(Listed)> messages{
      message_table<Listed>()...};
  static const std::array<const actord_configurator*, sizeof...(C)> configurators{
      configurator_table<C>()...};
  actord_plugin table{};
  table.struct_size = sizeof table;
  table.abi_major = ACTORD_ABI_MAJOR;
  table.abi_minor = ACTORD_ABI_MINOR;
  table.behaviours = behaviours.data();
  table.n_behaviours = behaviours.size();
  table.messages = messages.data();
  table.n_messages = messages.size();
  table.configurators = configurators.data();
  table.n_configurators = configurators.size();
  add_module<M>(table);
  return table;
}

template <class Part>
constexpr bool is_part = false;
template <class... A>
constexpr bool is_part<Behaviours<A...>> = true;
template <class... M>
constexpr bool is_part<Messages<M...>> = true;
template <class... C>
constexpr bool is_part<Configurators<C...>> = true;
template <class T>
constexpr bool is_part<Module<T>> = true;

template <class... M, class... Builtin>
Messages<M..., Builtin...> joined(Messages<M...>, Messages<Builtin...>);

}  // namespace detail

/// The table of a plugin made of these parts; both texts live as long as it does. What
/// ACTORD_PLUGIN exports, and how a program holds a plugin of its own (tests, behaviours that are
/// built in).
template <class... Parts>
const actord_plugin* plugin_table(std::string_view name, std::string_view version) {
  static_assert((detail::is_part<Parts> && ...),
                "a part is Behaviours<…>, Messages<…>, Configurators<…> or Module<…>");
  using All = decltype(detail::joined(typename detail::PartOf<Messages, Parts...>::Type{},
                                      detail::BuiltinMessages{}));
  static const actord_plugin& table = [&]() -> const actord_plugin& {
    auto& made = *new actord_plugin{detail::make_plugin<typename detail::ModuleOf<Parts...>::Type>(
        typename detail::PartOf<Behaviours, Parts...>::Type{}, All{},
        typename detail::PartOf<Configurators, Parts...>::Type{})};
    made.name = detail::to_c(name);
    made.version = detail::to_c(version);
    return made;
  }();
  return &table;
}

}  // namespace actord

///   ACTORD_PLUGIN("echo", "1.0.0", actord::Behaviours<Echo>, actord::Messages<Text>)
/// Name and version are literals without '=' and ';'. Further parts: Configurators<…>, Module<…>.
#define ACTORD_PLUGIN(name, version, ...)                                \
  ACTORD_NOTE(name, version)                                             \
  extern "C" ACTORD_EXPORT const actord_plugin* actord_plugin_v1(void) { \
    return ::actord::plugin_table<__VA_ARGS__>(name, version);           \
  }
