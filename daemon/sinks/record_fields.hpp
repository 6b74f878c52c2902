// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

#include "log/log_record.hpp"

namespace actord::sinks {

/// The value of a field; nullptr: there is none.
inline const log::Value* value_of(const log::Record& record, std::string_view key) noexcept {
  const auto found = std::ranges::find(record.fields, key, &log::Field::key);
  return found == record.fields.end() ? nullptr : &found->value;
}

/// The same for a field that is a text; empty: there is none.
inline std::string_view text_of(const log::Record& record, std::string_view key) noexcept {
  const log::Value* const value = value_of(record, key);
  const bool is_text = value != nullptr && value->kind() == log::Value::Kind::text;
  return is_text ? value->text() : std::string_view{};
}

}  // namespace actord::sinks
