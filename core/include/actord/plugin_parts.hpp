// SPDX-License-Identifier: Apache-2.0
//
// The macro ACTORD_PLUGIN. A plugin uses it once, at the end of one .cpp. Its arguments are
// explicit lists of classes and messages: nothing registers itself.
#pragma once

#include <actord/behaviour_table.hpp>
#include <actord/builtin_messages.hpp>
#include <actord/message_table.hpp>

namespace actord {

/// The events of a persistent class (persistent.hpp).
template <class... E>
struct Events;

/// The classes that a configuration and other plugins can name: "plugin/Class".
template <class... A>
struct Behaviours {};

/// All messages that the plugin sends or handles. If a class of Behaviours handles or returns one
/// that is missing, the plugin does not compile.
template <class... M>
struct Messages {};

/// Strategies for actord.actor.guardian-supervisor-strategy = "plugin/Class". A configurator is a
/// class with these functions. decide() is optional; it is called before the rules are applied:
///   static Strategy supervision();
///   static Directive decide(const Failure&);
template <class... C>
struct Configurators {};

/// The exceptions of its own that the plugin throws. Then a check of a configuration finds the name
/// of an exception that is misspelt in a decider. Their base classes need not be listed, nor
/// exceptions of the standard library and of actord.
template <class... F>
struct Failures {};

/// The plugin as a whole. T may have:
///   static constexpr std::string_view doc;       a description, for people
///   static constexpr std::uint64_t flags;        ACTORD_HAS_THREADS and others of plugin.h
///   static void attach(System);                  called after loading; throws to refuse the start
///   static void detach();                        called at the end; joins the plugin's threads
template <class T>
struct Module {};

namespace detail {

/// The one of Parts that is a Kind<…>; Kind<> if there is none.
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

/// The messages of a list as one type, so that a question about one does not name all.
template <class M>
struct Tag {};
template <class... M>
struct TagSet : Tag<M>... {};
template <class... M>
TagSet<M...> tag_set(Messages<M...>);
using BuiltinSet = decltype(tag_set(BuiltinMessages{}));

template <class M, class Listed>
constexpr bool is_listed =
    std::is_void_v<M> || std::is_base_of_v<Tag<M>, Listed> || std::is_base_of_v<Tag<M>, BuiltinSet>;

template <auto H, class Listed>
constexpr bool check_handler() {
  using Form = FormOf<H>;
  using Handled = typename Form::Message;
  using Returned = std::remove_cvref_t<typename Form::Result>;
  constexpr bool takes_message = std::is_void_v<Handled> || Message<Handled>;
  constexpr bool returns_message = std::is_void_v<Returned> || Message<Returned>;
  constexpr bool is_handled_listed = !takes_message || is_listed<Handled, Listed>;
  constexpr bool is_returned_listed = !returns_message || is_listed<Returned, Listed>;
  static_assert(takes_message, "a handler takes a type without ACTORD_MESSAGE");
  static_assert(returns_message, "a handler returns a type without ACTORD_MESSAGE");
  static_assert(is_handled_listed, "a handled message is missing from Messages<...>");
  static_assert(is_returned_listed,
                "a message that a handler returns is missing from Messages<...>");
  return true;
}
template <class Listed, auto... H>
constexpr bool check_state(const Handlers<H...>*) {
  return (check_handler<H, Listed>() && ...);
}
template <class Listed, class... Receive>
constexpr bool check_states(const States<Receive...>*) {
  return (check_state<Listed>(static_cast<const Receive*>(nullptr)) && ...);
}
template <class Listed, class... E>
constexpr bool check_events(const Events<E...>*) {
  constexpr bool are_messages = (Message<E> && ...);
  constexpr bool are_listed = !are_messages || (is_listed<E, Listed> && ...);
  static_assert(are_messages, "an event of Events<...> is a type without ACTORD_MESSAGE");
  static_assert(are_listed, "an event of Events<...> is missing from Messages<...>");
  return true;
}
template <class A, class Listed>
constexpr bool check_persistence() {
  using State = typename A::PersistedState;
  constexpr bool is_state_listed = !Message<State> || is_listed<State, Listed>;
  static_assert(is_state_listed, "the state of a persistent actor is missing from Messages<...>");
  return check_events<Listed>(static_cast<const typename A::Events*>(nullptr));
}
template <class A, class Listed>
constexpr bool check_behaviour() {
  check_receive<A>();
  if constexpr (requires { typename A::States; }) {
    check_states<Listed>(static_cast<const typename A::States*>(nullptr));
  }
  if constexpr (requires { typename A::Receive; })
    check_state<Listed>(static_cast<const typename A::Receive*>(nullptr));
  if constexpr (requires { typename A::PersistedState; }) check_persistence<A, Listed>();
  return true;
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

template <class F>
actord_type_chain type_chain() {
  const TypeChain& chain = chain_of(typeid(F));
  return {chain.views.data(), chain.views.size()};
}

template <class... F>
void add_failures(actord_plugin& table, Failures<F...>) {
  static const std::array<actord_type_chain, sizeof...(F)> failures{type_chain<F>()...};
  table.failures = failures.data();
  table.n_failures = failures.size();
}

// The library of a type without texts and lists is no matter; libstdc++ has the others alike in
// each of its versions, but for its checked containers.
#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_USE_CXX11_ABI && !defined(_GLIBCXX_DEBUG)
#define ACTORD_IMPORTS_ALL_ 1
constexpr std::string_view builtin_library = "libstdc++";
#else
#define ACTORD_IMPORTS_ALL_ 0
constexpr std::string_view builtin_library = {};
#endif

template <class M>
constexpr actord_import import_of() {
  return {to_c(message_name<M>), sizeof(M), alignof(M),
          std::is_trivially_copyable_v<M> ? actord_str{} : to_c(builtin_library), &type_id<M>};
}

template <class... M>
struct MessageTables {
  static constexpr std::size_t n = sizeof...(M);
  const actord_message_type* items[n + 1];  // 1 more, so that there is an array
};
template <class... M>
const auto& message_tables(Messages<M...>) {
  static const MessageTables<M...> tables{{message_table<M>()...}};
  return tables;
}
template <class... M>
struct Imports {
  static constexpr std::size_t n = sizeof...(M);
  static constexpr actord_import items[]{import_of<M>()..., {}};
};

// A plugin that has messages of actord's own in another layout brings tables of these, and imports
// the others.
#if ACTORD_IMPORTS_ALL_
template <class... M>
Messages<M...> with_brought(Messages<M...>);
template <class... M>
Imports<M...> imported(Messages<M...>);
#else
template <class... A, class... B>
Messages<A..., B...> operator+(Messages<A...>, Messages<B...>);
template <class... A, class... B>
Imports<A..., B...> operator+(Imports<A...>, Messages<B...>);
template <bool is_wanted, class M>
using OneIf = std::conditional_t<is_wanted, Messages<M>, Messages<>>;
template <class... M>
decltype((Messages<>{} + ... +
          OneIf<!std::is_trivially_copyable_v<M>, M>{})) brought(Messages<M...>);
template <class... M>
decltype(Messages<M...>{} + brought(BuiltinMessages{})) with_brought(Messages<M...>);
template <class... M>
decltype((Imports<>{} + ... +
          OneIf<std::is_trivially_copyable_v<M>, M>{})) imported(Messages<M...>);
#endif

template <class... M>
void add_imports(actord_plugin& table, Messages<M...>) {
  using Imported = decltype(imported(Messages<M...>{}));
  table.imports = Imported::items;
  table.n_imports = Imported::n;
}

template <class M, class... A, class... Listed, class... C>
actord_plugin make_plugin(Behaviours<A...>, Messages<Listed...>, Configurators<C...>) {
  constexpr bool is_distinct =
      are_distinct(std::array<std::string_view, sizeof...(Listed)>{message_name<Listed>...});
  static_assert(is_distinct, "Messages<...> has two messages of one name");
  if constexpr (is_distinct) static_assert((check_behaviour<A, TagSet<Listed...>>() && ...));
  static const std::array<const actord_behaviour*, sizeof...(A)> behaviours{
      behaviour_table<A>()...};
  static const std::array<const actord_configurator*, sizeof...(C)> configurators{
      configurator_table<C>()...};
  const auto& messages = message_tables(decltype(with_brought(Messages<Listed...>{})){});
  actord_plugin table{};
  table.struct_size = sizeof table;
  table.abi_major = ACTORD_ABI_MAJOR;
  table.abi_minor = ACTORD_ABI_MINOR;
  table.behaviours = behaviours.data();
  table.n_behaviours = behaviours.size();
  table.messages = messages.items;
  table.n_messages = messages.n;
  table.configurators = configurators.data();
  table.n_configurators = configurators.size();
  add_imports(table, BuiltinMessages{});
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
template <class... F>
constexpr bool is_part<Failures<F...>> = true;
template <class T>
constexpr bool is_part<Module<T>> = true;

}  // namespace detail

/// The table of a plugin that consists of these parts. ACTORD_PLUGIN exports it. A program, such as
/// a test, calls it for behaviours of its own. `name` and `version` must live as long as the
/// process.
template <class... Parts>
const actord_plugin* plugin_table(std::string_view name, std::string_view version) {
  static_assert((detail::is_part<Parts> && ...),
                "a part is Behaviours<...>, Messages<...>, Configurators<...>, Failures<...> or "
                "Module<...>");
  static const actord_plugin& table = [&]() -> const actord_plugin& {
    auto& made = *new actord_plugin{detail::make_plugin<typename detail::ModuleOf<Parts...>::Type>(
        typename detail::PartOf<Behaviours, Parts...>::Type{},
        typename detail::PartOf<Messages, Parts...>::Type{},
        typename detail::PartOf<Configurators, Parts...>::Type{})};
    detail::add_failures(made, typename detail::PartOf<Failures, Parts...>::Type{});
    made.name = detail::to_c(name);
    made.version = detail::to_c(version);
    return made;
  }();
  return &table;
}

namespace detail {

template <class... A>
constexpr bool are_configurable(Behaviours<A...>) {
  return (is_configurable<A> && ...);
}

/// plugin_table() for a plugin in a file of its own, whose behaviours only a config can name.
template <class... Parts>
const actord_plugin* exported_table(std::string_view name, std::string_view version) {
  constexpr bool is_configurable = are_configurable(typename PartOf<Behaviours, Parts...>::Type{});
  static_assert(is_configurable,
                "a class in Behaviours<...> is constructed from a config: by (Context&), "
                "(const Config&), (Context&, const Config&) or nothing");
  return plugin_table<Parts...>(name, version);
}

}  // namespace detail
}  // namespace actord

/// Exports the plugin:
///   ACTORD_PLUGIN("echo", "1.0.0", actord::Behaviours<Echo>, actord::Messages<Text>)
/// Name and version are string literals without '=' and ';'. Further parts are Failures<…>,
/// Configurators<…> and Module<…>.
#define ACTORD_PLUGIN(name, version, ...)                                \
  ACTORD_NOTE(name, version)                                             \
  extern "C" ACTORD_EXPORT const actord_plugin* actord_plugin_v1(void) { \
    return ::actord::detail::exported_table<__VA_ARGS__>(name, version); \
  }
