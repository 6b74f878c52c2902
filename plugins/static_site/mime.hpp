// SPDX-License-Identifier: Apache-2.0
//
// The media type of a file, by the ending of its name. The contents are not read.
#pragma once

#include <string_view>

namespace static_site {

/// The value of Content-Type for a file of that name; for text it ends in "; charset=utf-8".
/// Endings are compared without case. An unknown one gives application/octet-stream.
std::string_view mime_type(std::string_view file_name);

}  // namespace static_site
