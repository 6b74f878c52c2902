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
#include <vector>

#include <actord/data_types.hpp>

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

/// In the Itanium ABI a pointer to member is its offset.
template <class Class, class V>
std::size_t offset_of(V Class::*member) {
  return static_cast<std::size_t>(std::bit_cast<std::ptrdiff_t>(member));
}

}  // namespace detail

/// Limits and description of one config member. Made by about(&Config::member). It is what the host
/// gets of it; its texts are literals.
class About {
 protected:
  explicit About(std::size_t offset) {
    c_.offset = offset;
    c_.least = c_.most = detail::no_bound;
    c_.address_offset = -1;
  }

  actord_data_about c_{};
};
static_assert(sizeof(About) == sizeof(actord_data_about), "a list of them is passed as one in C");

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
    c_.least = detail::bound_of(least);
    return *this;
  }
  /// The upper bound, inclusive.
  AboutMember at_most(Value most) && {
    static_assert(detail::Bounded<V>, "only numbers, sizes and durations have a range");
    c_.most = detail::bound_of(most);
    return *this;
  }
  /// The value is never shown, neither by actorctl nor in the daemon's log.
  AboutMember secret() && { return c_.flags |= ACTORD_SECRET, *this; }
  /// The value is the path of a folder, or of a file that is no folder. Say how it is used:
  /// readable(), writable() or both. A relative path starts at the working directory.
  AboutMember folder() && { return std::move(*this).names(ACTORD_FOLDER); }
  AboutMember file() && { return std::move(*this).names(ACTORD_FILE); }
  /// The actor reads the file, or lists the folder and opens what is in it.
  AboutMember readable() && { return c_.use |= ACTORD_READS, *this; }
  /// The actor writes the file, or creates files in the folder. A file that it does not read may be
  /// missing if its folder may be written.
  AboutMember writable() && { return c_.use |= ACTORD_WRITES, *this; }
  /// The value is a file name in `folder` of the state directory, or with "" in that directory
  /// itself. A value with a slash, "." or ".." is refused. The actor creates the folder.
  AboutMember in_state_directory(std::string_view folder = {}) && {
    static_assert(std::is_same_v<Value, std::string>, "a file name is a std::string");
    return c_.folder = detail::to_c(folder), c_.use |= ACTORD_IN_STATE_DIRECTORY, *this;
  }
  /// The value is a TCP port that the actor listens on; 0 is any free one. `address` is the member
  /// with the address, such as &Config::host; without it the port must be free on all addresses.
  AboutMember port() && {
    static_assert(std::is_integral_v<Value>, "a port is an integer");
    return c_.resource = ACTORD_PORT, *this;
  }
  template <class Class, class Address>
  AboutMember port(Address Class::*address) && {
    c_.address_offset = static_cast<std::int64_t>(detail::offset_of(address));
    return std::move(*this).port();
  }
  /// The value is an absolute URL with a host. `schemes` are literals in lower case; empty: any.
  AboutMember url(std::initializer_list<std::string_view> schemes = {}) && {
    if (schemes.size() != 0) {
      auto* const kept = new actord_str[schemes.size()];  // for ever, as the whole table
      for (const std::string_view each : schemes) kept[c_.n_schemes++] = detail::to_c(each);
      c_.schemes = kept;
    }
    return std::move(*this).names(ACTORD_URL);
  }
  /// Sets the description: a string literal with one or two sentences.
  AboutMember doc(std::string_view text) && { return c_.doc = detail::to_c(text), *this; }

 private:
  AboutMember names(std::uint32_t resource) && {
    static_assert(std::is_same_v<Value, std::string>, "a path or URL is a std::string");
    return c_.resource = resource, *this;
  }
};

/// Begins the description of a member: about(&Config::workers).between(1, 64).doc("…").
template <class Class, class V>
AboutMember<V> about(V Class::*member) {
  return AboutMember<V>{detail::offset_of(member)};
}

namespace detail {

template <class T>
const actord_data_about* about_of(std::size_t* n) noexcept {
  static_assert(std::is_convertible_v<decltype(T::about()), std::vector<About>>,
                "about() is: static std::vector<actord::About> about()");
  static const auto& all = *new std::vector<About>{T::about()};
  *n = all.size();
  return reinterpret_cast<const actord_data_about*>(all.data());
}

/// What the author says of the member of that struct; null: nothing.
inline const actord_data_about* about_member(const actord_data_struct& of, std::size_t offset) {
  if (of.about == nullptr) return nullptr;
  std::size_t n = 0;
  const actord_data_about* const all = of.about(&n);
  for (std::size_t i = 0; i < n; ++i) {
    if (all[i].offset == offset) return &all[i];
  }
  return nullptr;
}

}  // namespace detail
}  // namespace actord
