// SPDX-License-Identifier: Apache-2.0
//
// What a request is answered with. Decides all of HTTP that is not transport: methods, redirects,
// dates, error pages.
#pragma once

#include "document_root.hpp"
#include "http_exchange.hpp"

namespace static_site {

/// Blocks no longer than opening a file takes. Any thread.
Reply respond(const DocumentRoot& root, const Request& request);

/// A small HTML page that names the status and repeats nothing of the request.
Reply error_page(std::uint16_t status);

}  // namespace static_site
