// SPDX-License-Identifier: Apache-2.0
//
// A failure, as a supervisor, a restart hook or the handler of a reply reads it.
#pragma once

#include <optional>

#include <actord/error.hpp>
#include <actord/type_chain.hpp>

namespace actord {

/// A failure. It is valid during the call that received it: copy the texts that you keep.
class Failure {
 public:
  /// Made by the library.
  explicit Failure(const actord_failure& failure) : c_(&failure) {}

  /// Whether an E, or a class derived from E, was thrown. Printed names are compared, so that the
  /// type may belong to another plugin.
  template <class E>
  bool is() const {
    return is(detail::type_name<E>());
  }
  /// The same by name, without the header of the type: is("other::Timeout").
  bool is(std::string_view name) const {
    for (std::uint32_t i = 0; i < c_->n_types; ++i) {
      if (detail::view(c_->types[i]) == name) return true;
    }
    return false;
  }

  /// The name of the most derived type: "crawler::Timeout".
  std::string_view type() const { return detail::view(c_->types[0]); }
  /// The text of the exception.
  std::string_view what() const { return detail::view(c_->what); }
  /// Whether what was thrown is no std::exception (supervision.md 97).
  bool is_foreign() const { return (c_->flags & ACTORD_FOREIGN) != 0; }

  /// The failure that caused this one: the nested exception of std::throw_with_nested, or the
  /// exception of a constructor or hook in an InitializationFailure. None if there is no cause.
  std::optional<Failure> cause() const {
    return c_->cause != nullptr ? std::optional{Failure{*c_->cause}} : std::nullopt;
  }
  /// The innermost cause; this failure if it has no cause.
  Failure root_cause() const {
    const actord_failure* innermost = c_;
    while (innermost->cause != nullptr) innermost = innermost->cause;
    return Failure{*innermost};
  }

  /// If this failure ended a restart: the first failure of the series of restarts that failed.
  /// Otherwise this failure (supervision.md 56).
  Failure original() const {
    const bool has_one = ACTORD_HAS(actord_failure, c_, original) && c_->original != nullptr;
    return has_one ? Failure{*c_->original}.original() : *this;
  }

  /// The text of a detail; empty if there is no detail of that key or it is no text.
  std::string_view detail(std::string_view key) const {
    const actord_field* const field = find(key);
    return field != nullptr && field->kind == ACTORD_TEXT ? detail::view(field->value.text)
                                                          : std::string_view{};
  }
  /// A detail as bool, number, Ref or nanoseconds; none if there is no detail of that key or it has
  /// another type.
  template <class T>
  std::optional<T> detail_as(std::string_view key) const;

  /// The message that the failure carries (ErrorWith, fail_with); null if it carries none of this
  /// type.
  template <Message M>
  const M* payload_as() const {
    const bool is_one =
        c_->payload != nullptr && c_->payload_type != 0 && c_->payload_type == detail::type_id<M>;
    return is_one ? static_cast<const M*>(c_->payload) : nullptr;
  }

  /// The C interface.
  const actord_failure& c() const { return *c_; }

 private:
  const actord_field* find(std::string_view key) const {
    for (const actord_field& field : FieldSpan{c_->details, c_->n_details}) {
      if (detail::view(field.key) == key) return &field;
    }
    return nullptr;
  }

  const actord_failure* c_;
};

template <class T>
std::optional<T> Failure::detail_as(std::string_view key) const {
  const actord_field* const field = find(key);
  if (field == nullptr) return std::nullopt;
  if constexpr (std::is_same_v<T, bool>) {
    if (field->kind == ACTORD_BOOL) return field->value.i != 0;
  } else if constexpr (std::is_integral_v<T>) {
    if (field->kind == ACTORD_INT && std::in_range<T>(field->value.i))
      return static_cast<T>(field->value.i);
    if (field->kind == ACTORD_UINT && std::in_range<T>(field->value.u))
      return static_cast<T>(field->value.u);
  } else if constexpr (std::is_floating_point_v<T>) {
    if (field->kind == ACTORD_DOUBLE) return static_cast<T>(field->value.d);
  } else if constexpr (std::is_same_v<T, Ref>) {
    if (field->kind == ACTORD_REF) return Ref{field->value.u};
  } else {
    static_assert(std::is_same_v<T, std::chrono::nanoseconds>,
                  "a detail is bool, number, Ref or nanoseconds");
    if (field->kind == ACTORD_DURATION) return std::chrono::nanoseconds{field->value.i};
  }
  return std::nullopt;
}

}  // namespace actord
