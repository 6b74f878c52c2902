// SPDX-License-Identifier: Apache-2.0
//
// Limits and descriptions of config members: range, secrecy, a sentence, and the folder, file, port
// or URL that the value names. The host checks a configuration against them, and documents it,
// before it creates an actor. The members of a message can be called secret in the same way.
//
//   struct Config {
//     std::uint32_t workers = 8;
//     actord::Required<std::string> stock;
//     static std::vector<actord::About> about() {
//       return {actord::about(&Config::workers).between(1, 64).doc("Fetchers at once."),
//               actord::about(&Config::stock).folder().readable()};
//     }
//   };
//
// The host knows by itself which members are Required and which words an ACTORD_ENUM has.
#pragma once

#include <bit>
#include <initializer_list>
#include <optional>
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
  /// ACTORD_FOLDER, ACTORD_FILE, ACTORD_PORT or ACTORD_URL; 0 if the value names none of these.
  std::uint32_t resource() const noexcept { return resource_; }
  /// ACTORD_READS, ACTORD_WRITES, ACTORD_IN_STATE_DIRECTORY; 0 for ports and URLs.
  std::uint32_t use() const noexcept { return use_; }
  /// The folder within the state directory; empty for that directory itself.
  std::string_view state_folder() const noexcept { return folder_; }
  /// Offset of the member with the address of a port; nullopt if there is none.
  std::optional<std::size_t> address_offset() const noexcept { return address_offset_; }
  /// The schemes that a URL may have; empty: any.
  const std::vector<actord_str>& schemes() const noexcept { return schemes_; }

 protected:
  explicit About(std::size_t offset) : offset_(offset) {}

  std::size_t offset_;
  std::string_view doc_, folder_;  // literals
  std::uint32_t resource_ = 0, use_ = 0;
  std::optional<std::size_t> address_offset_;
  std::vector<actord_str> schemes_;  // literals
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
  /// The value is the path of a folder, or of a file that is no folder. Say how it is used:
  /// readable(), writable() or both. A relative path starts at the working directory.
  AboutMember folder() && { return std::move(*this).names(ACTORD_FOLDER); }
  AboutMember file() && { return std::move(*this).names(ACTORD_FILE); }
  /// The actor reads the file, or lists the folder and opens what is in it.
  AboutMember readable() && { return use_ |= ACTORD_READS, *this; }
  /// The actor writes the file, or creates files in the folder. A file that it does not read may be
  /// missing if its folder may be written.
  AboutMember writable() && { return use_ |= ACTORD_WRITES, *this; }
  /// The value is a file name in `folder` of the state directory, or with "" in that directory
  /// itself. A value with a slash, "." or ".." is refused. The actor creates the folder.
  AboutMember in_state_directory(std::string_view folder = {}) && {
    static_assert(std::is_same_v<Value, std::string>, "a file name is a std::string");
    return folder_ = folder, use_ |= ACTORD_IN_STATE_DIRECTORY, *this;
  }
  /// The value is a TCP port that the actor listens on; 0 is any free one. `address` is the member
  /// with the address, such as &Config::host; without it the port must be free on all addresses.
  AboutMember port() && {
    static_assert(std::is_integral_v<Value>, "a port is an integer");
    return resource_ = ACTORD_PORT, *this;
  }
  template <class Class, class Address>
  AboutMember port(Address Class::*address) && {
    address_offset_ = detail::offset_of(address);
    return std::move(*this).port();
  }
  /// The value is an absolute URL with a host. `schemes` are literals in lower case; empty: any.
  AboutMember url(std::initializer_list<std::string_view> schemes = {}) && {
    for (const std::string_view each : schemes) schemes_.push_back({each.data(), each.size()});
    return std::move(*this).names(ACTORD_URL);
  }
  /// Sets the description: a string literal with one or two sentences.
  AboutMember doc(std::string_view text) && { return doc_ = text, *this; }

 private:
  AboutMember names(std::uint32_t resource) && {
    static_assert(std::is_same_v<Value, std::string>, "a path or URL is a std::string");
    return resource_ = resource, *this;
  }
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

/// Whether the text is the name of a file, without a folder.
inline bool is_file_name(std::string_view text) {
  return !text.empty() && text != "." && text != ".." && text.find('/') == text.npos &&
         text.find('\0') == text.npos;
}

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
