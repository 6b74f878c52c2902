// SPDX-License-Identifier: Apache-2.0
//
// Which media type a file is served as, by the ending of its name. Contents are never looked at.
#pragma once

#include <string_view>

namespace static_site {

/// The value of Content-Type for a file of that name; text comes with "; charset=utf-8".
/// Endings are compared without regard to case; an unknown one is application/octet-stream.
std::string_view mime_type(std::string_view file_name);

}  // namespace static_site
