// SPDX-License-Identifier: Apache-2.0
//
// Reports an error of the host to a receiver of failures, as a plugin reports its own.
#pragma once

#include <actord/plugin.h>

#include <span>
#include <string>

#include "message/message_type.hpp"

namespace actord::message {

inline constexpr actord_str error_types[] = {
    ACTORD_STR("actord::Error"), ACTORD_STR("std::runtime_error"), ACTORD_STR("std::exception")};

/// Reports a failure with these types, which live as long as the process. Returns ACTORD_FAILED.
inline actord_status report(actord_errors& errors, std::string_view what,
                            std::span<const actord_str> types = error_types) {
  actord_failure failure{};
  failure.struct_size = sizeof failure;
  failure.flags = ACTORD_STATIC_TYPES;
  failure.types = types.data();
  failure.n_types = static_cast<std::uint32_t>(types.size());
  failure.what = to_c(what);
  errors.report(&errors, &failure);
  return ACTORD_FAILED;
}

/// Keeps the text of the first failure that is reported to it.
struct FirstText : actord_errors {
  FirstText() : actord_errors{} {
    report = [](actord_errors* self, const actord_failure* failure) {
      std::string& kept = static_cast<FirstText*>(self)->text;
      if (kept.empty()) kept.assign(failure->what.data, failure->what.size);
    };
  }
  std::string text;
};

/// Ignores what is reported to it. Any thread.
inline actord_errors& ignored_errors() noexcept {
  static actord_errors errors{[](actord_errors*, const actord_failure*) {}};
  return errors;
}

}  // namespace actord::message
