// SPDX-License-Identifier: Apache-2.0
//
// The data of a log event: a level, a constant event name, a sentence and fields with typed values.
//
// Values borrow their texts. emit() copies the texts, and a decoded record is valid for one visit.
// Nothing here formats: how a record looks on a line is up to the sinks.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace actord::log {

/// The severity; the numbers are those of the plugin interface. A hub takes events of its own
/// level and below.
enum class Level : std::uint8_t { error = 0, warning = 1, info = 2, debug = 3 };

/// Tells whose record it is, and so which part of the room behind a full ring it may use
/// (backlog.hpp).
enum class Class : std::uint8_t {
  lifecycle,    // actord's own
  failure,      // a line about a failure that the supervisor has decided to log
  authors,      // a warning or an error of a plugin's author
  best_effort,  // other events of authors, and those of clients
};

/// The class of an event that an author writes.
constexpr Class class_of_author(Level level) noexcept {
  return level <= Level::warning ? Class::authors : Class::best_effort;
}

/// "error", "warning", "info" or "debug".
constexpr std::string_view level_name(Level level) noexcept {
  constexpr std::string_view names[] = {"error", "warning", "info", "debug"};
  return names[static_cast<std::uint8_t>(level) & 3U];
}

/// The value of a field: boolean, number, text, duration or a list of texts. Texts are borrowed.
class Value {
 public:
  enum class Kind : std::uint8_t { boolean, integer, natural, real, text, duration, texts };

  constexpr Value() noexcept : Value(std::string_view{}) {}
  template <std::same_as<bool> T>
  constexpr Value(T value) noexcept
      : kind_(Kind::boolean), integer_(value ? 1 : 0) {}  // NOLINT: implicit
  template <std::signed_integral T>
  constexpr Value(T value) noexcept : kind_(Kind::integer), integer_(value) {}  // NOLINT: implicit
  template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
  constexpr Value(T value) noexcept : kind_(Kind::natural), natural_(value) {}  // NOLINT: implicit
  template <std::floating_point T>
  constexpr Value(T value) noexcept
      : kind_(Kind::real), real_(static_cast<double>(value)) {}  // NOLINT
  constexpr Value(std::string_view value) noexcept
      : kind_(Kind::text), text_(value) {}  // NOLINT: implicit
  constexpr Value(const char* value) noexcept
      : Value(std::string_view(value)) {}                                       // NOLINT: implicit
  Value(const std::string& value) noexcept : Value(std::string_view(value)) {}  // NOLINT: implicit
  template <class Rep, class Period>
  constexpr Value(std::chrono::duration<Rep, Period> value) noexcept  // NOLINT: implicit
      : kind_(Kind::duration),
        integer_(std::chrono::duration_cast<std::chrono::nanoseconds>(value).count()) {}
  constexpr Value(std::span<const std::string_view> value) noexcept  // NOLINT: implicit
      : kind_(Kind::texts), texts_(value) {}

  constexpr Kind kind() const noexcept { return kind_; }
  constexpr bool boolean() const noexcept { return integer_ != 0; }
  constexpr std::int64_t integer() const noexcept { return integer_; }
  constexpr std::uint64_t natural() const noexcept { return natural_; }
  constexpr double real() const noexcept { return real_; }
  constexpr std::string_view text() const noexcept { return text_; }
  constexpr std::int64_t duration_ns() const noexcept { return integer_; }
  constexpr std::span<const std::string_view> texts() const noexcept { return texts_; }

 private:
  Kind kind_;
  union {
    std::int64_t integer_;
    std::uint64_t natural_;
    double real_;
    std::string_view text_;
    std::span<const std::string_view> texts_;
  };
};

/// A key and a value. Dots in the key nest: "actor.path" becomes {"actor":{"path":…}} in JSON. The
/// unit of a number belongs in its key ("size_bytes"). A duration needs none: the sinks write it as
/// `<key>_ms`, unless the key already ends in _ns, _us, _ms or _s, which is then the unit.
struct Field {
  std::string_view key;
  Value value;
};

/// Limits of one record. What exceeds them is cut, and the record is marked `truncated`.
inline constexpr std::size_t record_fields_max = 96;
inline constexpr std::size_t record_list_items_max = 256;  // all lists of a record together
inline constexpr std::size_t record_bytes_max = 32 * 1024;

/// One event as the drain sees it. The texts and fields it points to are valid until the visit
/// returns.
struct Record {
  std::int64_t stamp_ns = 0;  // the hub's clock when it was emitted
  std::uint64_t seq = 0;      // counts from 1 per hub; a gap is as wide as the loss
  Level level = Level::info;
  Class kind = Class::lifecycle;
  bool truncated = false;
  std::string_view event;
  std::string_view msg;
  std::span<const Field> fields;
  std::string_view shape;   // bytes; equal for equal event, keys and kinds of value; may be empty
  std::string_view thread;  // the name given to Hub::attach()
  std::uint32_t thread_id = 0;  // the kernel's id; 0 for the shared emitter
};

}  // namespace actord::log
