// SPDX-License-Identifier: Apache-2.0
//
// One macro after a struct makes it a message, a config, or a part of one:
//
//   ACTORD_MESSAGE(Fetch, "crawler.Fetch/1", url, attempt)   a message; other plugins use the name
//   ACTORD_FIELDS(Config, start, workers)                    a config, or a struct inside a message
//   ACTORD_ENUM(Mode, report, escalate)                      an enum that is written by name
//
// The macro stands in the namespace of the type, without a semicolon. It lists all fields, at most
// 80, in any order. It gives the type reading, writing, equality and printing (message.hpp). The
// formats are the host's and not in this header.
#pragma once

#include <array>
#include <type_traits>

#include <actord/words.hpp>

// Two checks in actord_complete find a list that leaves out a field: the assertion says so in
// words, the structured binding also sees fields that cannot be initialized from anything.
#define ACTORD_FIELDS(Type, ...)                                                \
  template <class Visit>                                                        \
  constexpr decltype(auto) actord_describe(const Type*, Visit&& actord_visit) { \
    using Self [[maybe_unused]] = Type;                                         \
    return actord_visit(ACTORD_EACH_(ACTORD_MEMBER_, __VA_ARGS__));             \
  }                                                                             \
  [[maybe_unused]] inline void actord_complete(const Type& actord_object) {     \
    static_cast<void>(actord_object);                                           \
    static_assert(!::actord::detail::has_unlisted_field<Type>,                  \
                  "a field is missing from ACTORD_FIELDS or ACTORD_MESSAGE");   \
    __VA_OPT__([[maybe_unused]] const auto& [__VA_ARGS__] = actord_object;)     \
  }                                                                             \
  [[maybe_unused]] inline bool operator==(const Type& a, const Type& b) {       \
    return ::actord::detail::equal(a, b);                                       \
  }                                                                             \
  template <class Out>                                                          \
    requires requires(Out& actord_out) { actord_out.flush(); }                  \
  Out& operator<<(Out& actord_out, const Type& actord_object) {                 \
    return ::actord::detail::print(actord_out, actord_object);                  \
  }

#define ACTORD_MESSAGE(Type, name, ...)                                                         \
  [[maybe_unused]] constexpr std::string_view actord_message_name(const Type*) { return name; } \
  ACTORD_FIELDS(Type __VA_OPT__(, ) __VA_ARGS__)

#define ACTORD_ENUM(Type, ...)                                        \
  [[maybe_unused]] constexpr auto actord_enumerators(const Type*) {   \
    using Self = Type;                                                \
    return std::array{ACTORD_EACH_(ACTORD_ENUMERATOR_, __VA_ARGS__)}; \
  }

// Applies a macro to each argument, by rescanning; it reaches 80 arguments.
#define ACTORD_MEMBER_(field) \
  ::actord::detail::Member { #field, &Self::field }
#define ACTORD_ENUMERATOR_(name) \
  ::actord::detail::Enumerator<Self> { #name, Self::name }
#define ACTORD_EACH_(macro, ...) __VA_OPT__(ACTORD_SCAN_(ACTORD_NEXT_(macro, __VA_ARGS__)))
#define ACTORD_NEXT_(macro, first, ...) \
  macro(first) __VA_OPT__(, ACTORD_AGAIN_ ACTORD_NOTHING_()(macro, __VA_ARGS__))
#define ACTORD_AGAIN_() ACTORD_NEXT_
#define ACTORD_NOTHING_
#define ACTORD_SCAN_(...) ACTORD_SCAN3_(ACTORD_SCAN3_(ACTORD_SCAN3_(__VA_ARGS__)))
#define ACTORD_SCAN3_(...) ACTORD_SCAN2_(ACTORD_SCAN2_(ACTORD_SCAN2_(__VA_ARGS__)))
#define ACTORD_SCAN2_(...) ACTORD_SCAN1_(ACTORD_SCAN1_(ACTORD_SCAN1_(__VA_ARGS__)))
#define ACTORD_SCAN1_(...) ACTORD_SCAN0_(ACTORD_SCAN0_(ACTORD_SCAN0_(__VA_ARGS__)))
#define ACTORD_SCAN0_(...) __VA_ARGS__

namespace actord {
namespace detail {

template <class Class, class Value>
struct Member {
  using value_type = Value;
  std::string_view name;
  Value Class::*pointer;
};
template <class Class, class Value>  // clang 14 does not deduce aggregates
Member(const char*, Value Class::*) -> Member<Class, Value>;

/// Converts to any field.
struct AnyField {
  template <class T>
  operator T&() const;
  template <class T>
  operator T&&() const;
};
template <class T, std::size_t... i>
constexpr bool takes_fields(std::index_sequence<i...>) {
  return requires { T{(static_cast<void>(i), AnyField{})...}; };
}

/// Whether the struct can be initialized with more fields than its list has.
template <class T>
constexpr bool has_unlisted_field = actord_describe(static_cast<const T*>(nullptr), [](auto... m) {
  return takes_fields<T>(std::make_index_sequence<sizeof...(m) + 1>{});
});

template <class Enum>
struct Enumerator {
  std::string_view name;
  Enum value;
};

}  // namespace detail

/// A struct with ACTORD_FIELDS or ACTORD_MESSAGE.
template <class T>
concept Described = requires(const T& object) { actord_complete(object); };
/// A struct with ACTORD_MESSAGE.
template <class T>
concept Message = Described<T> && requires(const T* type) { actord_message_name(type); };
/// An enum with ACTORD_ENUM.
template <class T>
concept Enumerated = std::is_enum_v<T> && requires(const T* type) { actord_enumerators(type); };

/// The name that ACTORD_MESSAGE gives the type: "crawler.Fetch/1".
template <Message M>
constexpr std::string_view message_name = actord_message_name(static_cast<const M*>(nullptr));

namespace detail {

/// The number of the message type. The host writes it once, before the plugin is attached. 0 means
/// that the type is not listed in ACTORD_PLUGIN.
template <Message M>
constinit inline actord_type_id type_id = 0;

/// Calls `visit` once, with a Member for each field. (A tuple of Members takes three times as long
/// to compile.)
template <Described T, class Visit>
constexpr decltype(auto) with_members(Visit&& visit) {
  return actord_describe(static_cast<const T*>(nullptr), visit);
}

template <Enumerated T>
constexpr auto enumerators = actord_enumerators(static_cast<const T*>(nullptr));

template <Described T>
bool equal(const T& a, const T& b) {
  return with_members<T>([&](auto... m) { return ((a.*m.pointer == b.*m.pointer) && ...); });
}

template <class Out, class T>
Out& print(Out& out, const T& value);

}  // namespace detail
}  // namespace actord
