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

#define ACTORD_FIELDS(Type, ...)                                \
  ACTORD_DESCRIBE_(Type, __VA_ARGS__)                           \
  ACTORD_CHECK_COMPLETE_(Type, __VA_ARGS__)                     \
  template <class Out>                                          \
    requires requires(Out& actord_out) { actord_out.flush(); }  \
  Out& operator<<(Out& actord_out, const Type& actord_object) { \
    return ::actord::detail::print(actord_out, actord_object);  \
  }

// offsetof is asked of every struct: each compiler answers it for those of no C, too. clang-format
// takes a pragma for a part of a declaration.
// clang-format off
#define ACTORD_DESCRIBE_(Type, ...)                                                             \
  _Pragma("GCC diagnostic push")                                                                \
  _Pragma("GCC diagnostic ignored \"-Winvalid-offsetof\"")                                      \
  [[maybe_unused]] constexpr                                                                    \
  ::actord::detail::MemberArray<0 ACTORD_EACH_(ACTORD_ONE_, __VA_ARGS__)>                       \
  actord_members(const Type*) {                                                                 \
    using Self [[maybe_unused]] = Type;                                                         \
    return {{ACTORD_EACH_(ACTORD_MEMBER_, __VA_ARGS__)}};                                       \
  }                                                                                             \
  _Pragma("GCC diagnostic pop")                                                                 \
  [[maybe_unused]] constexpr Type* actord_described(const Type*) { return nullptr; }            \
  [[maybe_unused]] inline bool operator==([[maybe_unused]] const Type& actord_a,                \
                                          [[maybe_unused]] const Type& actord_b) {              \
    return true ACTORD_EACH_(ACTORD_EQUAL_, __VA_ARGS__);                                       \
  }
// clang-format on

// Two checks find a list that leaves out a field: the assertion says so in words, the structured
// binding also sees fields that cannot be initialized from anything.
#define ACTORD_CHECK_COMPLETE_(Type, ...)                                                          \
  [[maybe_unused]] inline void actord_complete(const Type& actord_object) {                        \
    static_cast<void>(actord_object);                                                              \
    constexpr bool has_unlisted_field =                                                            \
        ::actord::detail::takes_fields<Type, 1 ACTORD_EACH_(ACTORD_ONE_, __VA_ARGS__)>;            \
    static_assert(!has_unlisted_field, "a field is missing from ACTORD_FIELDS or ACTORD_MESSAGE"); \
    __VA_OPT__([[maybe_unused]] const auto& [__VA_ARGS__] = actord_object;)                        \
  }

#define ACTORD_MESSAGE(Type, name, ...)                                                         \
  [[maybe_unused]] constexpr std::string_view actord_message_name(const Type*) { return name; } \
  ACTORD_FIELDS(Type __VA_OPT__(, ) __VA_ARGS__)

// A message of actord's own: it is checked once, where actord is built, and not in each plugin.
#define ACTORD_BUILTIN_MESSAGE_(Type, name, ...)                                                \
  [[maybe_unused]] constexpr std::string_view actord_message_name(const Type*) { return name; } \
  ACTORD_DESCRIBE_(Type __VA_OPT__(, ) __VA_ARGS__)

#define ACTORD_ENUM(Type, ...)                                        \
  [[maybe_unused]] constexpr auto actord_enumerators(const Type*) {   \
    using Self = Type;                                                \
    return std::array{ACTORD_EACH_(ACTORD_ENUMERATOR_, __VA_ARGS__)}; \
  }

#define ACTORD_ONE_(field) +1
#define ACTORD_EQUAL_(field) &&actord_a.field == actord_b.field
#define ACTORD_MEMBER_(field)                                               \
  {ACTORD_STR(#field), &::actord::detail::data_type<decltype(Self::field)>, \
   __builtin_offsetof(Self, field), ::actord::detail::is_required<decltype(Self::field)> ? 1 : 0},
#define ACTORD_ENUMERATOR_(name) ::actord::detail::Enumerator<Self>{#name, Self::name},
// Applies a macro to each argument: to the first eight one after another, to the others by
// rescanning, which takes long to compile and reaches 80 arguments.
#define ACTORD_EACH_(macro, ...) __VA_OPT__(ACTORD_1ST_(macro, __VA_ARGS__))
#define ACTORD_1ST_(macro, first, ...) macro(first) __VA_OPT__(ACTORD_2ND_(macro, __VA_ARGS__))
#define ACTORD_2ND_(macro, first, ...) macro(first) __VA_OPT__(ACTORD_3RD_(macro, __VA_ARGS__))
#define ACTORD_3RD_(macro, first, ...) macro(first) __VA_OPT__(ACTORD_4TH_(macro, __VA_ARGS__))
#define ACTORD_4TH_(macro, first, ...) macro(first) __VA_OPT__(ACTORD_5TH_(macro, __VA_ARGS__))
#define ACTORD_5TH_(macro, first, ...) macro(first) __VA_OPT__(ACTORD_6TH_(macro, __VA_ARGS__))
#define ACTORD_6TH_(macro, first, ...) macro(first) __VA_OPT__(ACTORD_7TH_(macro, __VA_ARGS__))
#define ACTORD_7TH_(macro, first, ...) macro(first) __VA_OPT__(ACTORD_8TH_(macro, __VA_ARGS__))
#define ACTORD_8TH_(macro, first, ...) \
  macro(first) __VA_OPT__(ACTORD_SCAN_(ACTORD_NEXT_(macro, __VA_ARGS__)))
#define ACTORD_NEXT_(macro, first, ...) \
  macro(first) __VA_OPT__(ACTORD_AGAIN_ ACTORD_NOTHING_()(macro, __VA_ARGS__))
#define ACTORD_AGAIN_() ACTORD_NEXT_
#define ACTORD_NOTHING_
#define ACTORD_SCAN_(...) ACTORD_SCAN3_(ACTORD_SCAN3_(ACTORD_SCAN3_(__VA_ARGS__)))
#define ACTORD_SCAN3_(...) ACTORD_SCAN2_(ACTORD_SCAN2_(ACTORD_SCAN2_(__VA_ARGS__)))
#define ACTORD_SCAN2_(...) ACTORD_SCAN1_(ACTORD_SCAN1_(ACTORD_SCAN1_(__VA_ARGS__)))
#define ACTORD_SCAN1_(...) ACTORD_SCAN0_(ACTORD_SCAN0_(ACTORD_SCAN0_(__VA_ARGS__)))
#define ACTORD_SCAN0_(...) __VA_ARGS__

namespace actord {
namespace detail {

/// The members of a struct.
template <std::size_t n>
struct MemberArray {
  static constexpr std::size_t size = n;
  actord_data_member items[n];
};
template <>
struct MemberArray<0> {
  static constexpr std::size_t size = 0;
  actord_data_member items[1];
};

template <class T>
constexpr actord_data_type make_data_type();
/// The type as the host reads it. Only what a field may be has one (data_types.hpp).
template <class T>
inline constexpr actord_data_type data_type = make_data_type<T>();

template <class T>
constexpr bool is_required = false;
template <class T>
constexpr bool is_required<Required<T>> = true;

/// Converts to any field.
struct AnyField {
  template <class T>
  operator T&() const;
  template <class T>
  operator T&&() const;
};
template <class T, std::size_t... i>
constexpr bool can_be_made_of(std::index_sequence<i...>) {
  return requires { T{(static_cast<void>(i), AnyField{})...}; };
}
/// Whether the struct can be initialized with that many fields.
template <class T, std::size_t n>
constexpr bool takes_fields = can_be_made_of<T>(std::make_index_sequence<n>{});

template <class Enum>
struct Enumerator {
  std::string_view name;
  Enum value;
};

}  // namespace detail

/// A struct with ACTORD_FIELDS or ACTORD_MESSAGE.
template <class T>
concept Described = requires(const T* type) { actord_members(type); };
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

template <Enumerated T>
constexpr auto enumerators = actord_enumerators(static_cast<const T*>(nullptr));

template <class Out, class T>
Out& print(Out& out, const T& value);

}  // namespace detail
}  // namespace actord
