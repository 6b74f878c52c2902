// SPDX-License-Identifier: Apache-2.0
//
// What a log event is made of: a level, a constant event name, a sentence and fields with typed
// values.
//
// Values borrow: texts are copied when the event is emitted, and a decoded record is lent for one
// visit. How a record looks on a line is the business of the sinks; nothing here formats.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace actord::log {

/// How bad it is; the numbers are those of the plugin interface. A hub lets through what is <= its
/// level.
enum class Level : std::uint8_t { error = 0, warning = 1, info = 2, debug = 3 };

/// What may happen when a ring is full: `lifecycle` records spill to a list, and those of warnings
/// and errors have a reserve in it; best-effort records is dropped and counted.
enum class Class : std::uint8_t { lifecycle, best_effort };

/// "error", "warning", "info" or "debug".
constexpr std::string_view level_name(Level level) noexcept {
  constexpr std::string_view names[] = {"error", "warning", "info", "debug"};
  return names[static_cast<std::uint8_t>(level) & 3U];
}

/// The value of a field: truth, number, text, duration or a list of texts. Texts are borrowed.
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
/// unit of a number belongs into its key ("size_bytes"); a duration needs none, the sinks write it
/// as `<key>_ms` unless the key already ends in _ns, _us, _ms or _s, which is then the unit.
struct Field {
  std::string_view key;
  Value value;
};

/// Limits of one record; what is beyond is cut, and the record says so in `truncated`.
inline constexpr std::size_t record_fields_max = 96;
inline constexpr std::size_t record_list_items_max = 256;  // of all lists of a record together
inline constexpr std::size_t record_bytes_max = 32 * 1024;

/// One event as the drain sees it. Everything it points to is lent until the visit returns.
struct Record {
  std::int64_t stamp_ns = 0;  // of the hub's clock, taken when it was emitted
  std::uint64_t seq = 0;  // counts records of this hub from 1; a gap is as wide as what was lost
  Level level = Level::info;
  Class kind = Class::lifecycle;
  bool truncated = false;
  std::string_view event;
  std::string_view msg;
  std::span<const Field> fields;
  std::string_view shape;       // bytes: equal where event, keys and kinds of value are; or empty
  std::string_view thread;      // the name its emitter was attached with
  std::uint32_t thread_id = 0;  // the kernel's; 0 for the shared emitter
};

}  // namespace actord::log
