// SPDX-License-Identifier: Apache-2.0
//
// Limits and descriptions of config members: range, secrecy, a sentence. The host checks a
// configuration against them, and documents it, before it creates an actor.
//
//   struct Config {
//     std::uint32_t workers = 8;
//     static std::vector<actord::About> about() {
//       return {actord::about(&Config::workers).between(1, 64).doc("Fetchers at once.")};
//     }
//   };
//
// The host knows by itself which members are Required and which words an ACTORD_ENUM has.
#pragma once

#include <bit>
#include <string>
#include <vector>

#include <actord/field_kinds.hpp>

namespace actord {
namespace detail {

/// The type inside a Required or an optional; other types themselves.
template <class T>
struct PlainOf {
  using Type = T;
};
template <class T>
struct PlainOf<Required<T>> : PlainOf<T> {};
template <class T>
struct PlainOf<std::optional<T>> : PlainOf<T> {};
template <class T>
using Plain = typename PlainOf<T>::Type;

template <class T>
concept Bounded = is_duration<Plain<T>> || std::is_same_v<Plain<T>, Bytes> ||
                  (std::is_arithmetic_v<Plain<T>> && !std::is_same_v<Plain<T>, bool>);

constexpr actord_bound no_bound = {ACTORD_NULL, {.i = 0}};

template <Bounded T>
actord_bound bound_of(const T& value) {
  if constexpr (is_required<T>) {
    return bound_of(*value);
  } else if constexpr (is_optional<T>) {
    return value ? bound_of(*value) : no_bound;
  } else if constexpr (is_duration<T>) {
    return {ACTORD_DURATION,
            {.i = std::chrono::duration_cast<std::chrono::nanoseconds>(value).count()}};
  } else if constexpr (std::is_floating_point_v<T>) {
    return {ACTORD_DOUBLE, {.d = value}};
  } else if constexpr (std::is_unsigned_v<T>) {
    return {ACTORD_UINT, {.u = value}};
  } else {
    return {ACTORD_INT, {.i = value}};
  }
}

/// Whether a > b. Both bounds have the same kind, or one is no bound: then false.
inline bool is_above(const actord_bound& a, const actord_bound& b) {
  if (a.kind == ACTORD_NULL || b.kind == ACTORD_NULL) return false;
  if (a.kind == ACTORD_DOUBLE) return !(a.value.d <= b.value.d);
  return a.kind == ACTORD_UINT ? a.value.u > b.value.u : a.value.i > b.value.i;
}

inline std::string text_of(const actord_bound& bound) {
  constexpr std::int64_t second = 1'000'000'000, millisecond = 1'000'000;
  const std::int64_t i = bound.value.i;
  if (bound.kind == ACTORD_UINT) return std::to_string(bound.value.u);
  if (bound.kind == ACTORD_DOUBLE) {
    std::string text = std::to_string(bound.value.d);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  }
  if (bound.kind == ACTORD_INT) return std::to_string(i);
  if (i % second == 0) return std::to_string(i / second) + " s";
  if (i % millisecond == 0) return std::to_string(i / millisecond) + " ms";
  return std::to_string(i) + " ns";
}

/// In the Itanium ABI a pointer to member is its offset.
template <class Class, class V>
std::size_t offset_of(V Class::*member) {
  return static_cast<std::size_t>(std::bit_cast<std::ptrdiff_t>(member));
}

}  // namespace detail

/// Limits and description of one config member. Made by about(&Config::member).
class About {
 public:
  /// Whether a value lies within the bounds.
  bool holds(const actord_bound& value) const {
    return !detail::is_above(least_, value) && !detail::is_above(value, most_);
  }
  /// The range as text: "1 to 64", "at least 1", "at most 64".
  std::string range() const {
    if (most_.kind == ACTORD_NULL) return "at least " + detail::text_of(least_);
    if (least_.kind == ACTORD_NULL) return "at most " + detail::text_of(most_);
    return detail::text_of(least_) + " to " + detail::text_of(most_);
  }

  /// Offset of the member in its struct, in bytes.
  std::size_t offset() const noexcept { return offset_; }
  /// The description; empty if there is none.
  std::string_view text() const noexcept { return doc_; }
  /// Whether the value is never shown.
  bool is_secret() const noexcept { return is_secret_; }
  /// The lower bound, inclusive; kind ACTORD_NULL if there is none.
  const actord_bound& least() const noexcept { return least_; }
  /// The upper bound, inclusive; kind ACTORD_NULL if there is none.
  const actord_bound& most() const noexcept { return most_; }

 protected:
  explicit About(std::size_t offset) : offset_(offset) {}

  std::size_t offset_;
  std::string_view doc_;  // a literal
  bool is_secret_ = false;
  actord_bound least_ = detail::no_bound, most_ = detail::no_bound;
};

/// An About with the functions that set it. Each returns the object, so that calls are chained.
template <class V>
class AboutMember : public About {
 public:
  using Value = detail::Plain<V>;

  /// Authors call about().
  explicit AboutMember(std::size_t offset) : About(offset) {}

  /// Both bounds are inclusive. Only numbers, sizes and durations have a range.
  AboutMember between(Value least, Value most) && {
    return std::move(*this).at_least(least).at_most(most);
  }
  /// The lower bound, inclusive.
  AboutMember at_least(Value least) && {
    static_assert(detail::Bounded<V>, "only numbers, sizes and durations have a range");
    least_ = detail::bound_of(least);
    return *this;
  }
  /// The upper bound, inclusive.
  AboutMember at_most(Value most) && {
    static_assert(detail::Bounded<V>, "only numbers, sizes and durations have a range");
    most_ = detail::bound_of(most);
    return *this;
  }
  /// The value is never shown, neither by actorctl nor in the daemon's log.
  AboutMember secret() && { return is_secret_ = true, *this; }
  /// Sets the description: a string literal with one or two sentences.
  AboutMember doc(std::string_view text) && { return doc_ = text, *this; }
};

/// Begins the description of a member: about(&Config::workers).between(1, 64).doc("…").
template <class Class, class V>
AboutMember<V> about(V Class::*member) {
  return AboutMember<V>{detail::offset_of(member)};
}

namespace detail {

template <class T>
concept HasAbout = requires {
  { T::about() } -> std::convertible_to<std::vector<About>>;
};

/// The About of that member; null if it has none.
template <HasAbout T, class M>
const About* about_member(const M& member) {
  static const auto& all = *new std::vector<About>{T::about()};
  for (const About& each : all) {
    if (each.offset() == offset_of(member.pointer)) return &each;
  }
  return nullptr;
}

}  // namespace detail
}  // namespace actord
