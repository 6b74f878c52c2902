// SPDX-License-Identifier: Apache-2.0
//
// The result of a function that can fail for reasons outside actord: a value, or an error that the
// caller must look at.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/assert.hpp"

namespace actord::base {

/// An error for a person: one sentence that names the place, and the remedy if there is one.
struct Error {
  std::string what;
};

/// Either a T or an E. Access to the one that is not there is a bug and asserts.
template <class T, class E = Error>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit by design
  Result(E error)
      : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit by design

  bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  T& value() & { return ACTORD_ASSERT(ok()), std::get<0>(state_); }
  const T& value() const& { return ACTORD_ASSERT(ok()), std::get<0>(state_); }
  T&& value() && { return ACTORD_ASSERT(ok()), std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const E& error() const& { return ACTORD_ASSERT(!ok()), std::get<1>(state_); }
  E&& error() && { return ACTORD_ASSERT(!ok()), std::get<1>(std::move(state_)); }

 private:
  std::variant<T, E> state_;
};

/// Success without a value, or an E.
template <class E>
class [[nodiscard]] Result<void, E> {
 public:
  Result() = default;
  Result(E error) : error_(std::move(error)) {}  // NOLINT: implicit by design

  bool ok() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return ok(); }

  const E& error() const& { return ACTORD_ASSERT(!ok()), *error_; }
  E&& error() && { return ACTORD_ASSERT(!ok()), *std::move(error_); }

 private:
  std::optional<E> error_;
};

}  // namespace actord::base
