// SPDX-License-Identifier: Apache-2.0
//
// Values of plugins by their types as data (plugin_data.h): one function writes values of all
// types, and one reads them. They are what the writers and readers of the host offer as `data`.
#pragma once

#include <actord/plugin.h>

namespace actord::message {

/// Writes the value at `at` by the other functions of the writer.
void write_data(actord_writer* out, const actord_data_type* type, const void* at);

/// Reads the value into *to, which exists, by the other functions of the reader. A member that is
/// absent stays as it is. A value that does not fit is rejected, and so is one outside the range
/// that the type gives; then *to may be read in part.
actord_status read_data(actord_value in, const actord_data_type* type, void* to,
                        actord_errors* errors);

}  // namespace actord::message
