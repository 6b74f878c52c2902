// SPDX-License-Identifier: Apache-2.0
//
// Fields: keys with values, which log events and failures carry beside their text.
#pragma once

#include <actord/words.hpp>

namespace actord {

/// A key with a value: bool, number, text, Ref or duration. It does not own its texts: use it only
/// as an argument of a call. The key names the unit: {"size_bytes", n}.
struct Field : actord_field {
  Field(std::string_view k, std::same_as<bool> auto v) : Field(k, ACTORD_BOOL, {.i = v ? 1 : 0}) {}
  Field(std::string_view k, std::signed_integral auto v) : Field(k, ACTORD_INT, {.i = v}) {}
  Field(std::string_view k, std::unsigned_integral auto v)
    requires(!std::same_as<decltype(v), bool>)
      : Field(k, ACTORD_UINT, {.u = v}) {}
  Field(std::string_view k, std::floating_point auto v)
      : Field(k, ACTORD_DOUBLE, {.d = static_cast<double>(v)}) {}
  Field(std::string_view k, std::string_view v)
      : Field(k, ACTORD_TEXT, {.text = detail::to_c(v)}) {}
  Field(std::string_view k, Ref v) : Field(k, ACTORD_REF, {.u = v.value}) {}
  template <class R, class P>
  Field(std::string_view k, std::chrono::duration<R, P> v)
      : Field(k, ACTORD_DURATION,
              {.i = std::chrono::duration_cast<std::chrono::nanoseconds>(v).count()}) {}

 private:
  using Value = decltype(actord_field::value);
  Field(std::string_view k, int v_kind, Value v) : actord_field{detail::to_c(k), v_kind, v} {}
};
static_assert(sizeof(Field) == sizeof(actord_field),
              "a list of Field is passed as an array of actord_field");

/// A view of an array of fields.
class FieldSpan {
 public:
  constexpr FieldSpan() = default;
  constexpr FieldSpan(const actord_field* data, std::size_t size) : data_(data), size_(size) {}

  constexpr const actord_field* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr const actord_field* begin() const noexcept { return data_; }
  constexpr const actord_field* end() const noexcept { return data_ + size_; }

 private:
  const actord_field* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace actord
