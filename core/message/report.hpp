// SPDX-License-Identifier: Apache-2.0
//
// Reports an error of the host to a receiver of failures, as a plugin reports its own.
#pragma once

#include <actord/plugin.h>

#include <iterator>

#include "message/message_type.hpp"

namespace actord::message {

/// Reports an actord::Error. Returns ACTORD_FAILED.
inline actord_status report(actord_errors& errors, std::string_view what) {
  static constexpr actord_str types[] = {
      ACTORD_STR("actord::Error"), ACTORD_STR("std::runtime_error"), ACTORD_STR("std::exception")};
  actord_failure failure{};
  failure.struct_size = sizeof failure;
  failure.flags = ACTORD_STATIC_TYPES;
  failure.types = types;
  failure.n_types = std::size(types);
  failure.what = to_c(what);
  errors.report(&errors, &failure);
  return ACTORD_FAILED;
}

}  // namespace actord::message
