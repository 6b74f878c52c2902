// SPDX-License-Identifier: Apache-2.0
//
// Decides the answer to a request: methods, redirects, dates, error pages. Not here: the transport
// (http_session.hpp).
#pragma once

#include <string_view>

#include "document_root.hpp"
#include "http_exchange.hpp"

namespace static_site {

/// The answer to a request. `default_charset` is that of texts whose name and first bytes tell
/// none; if it is empty, their Content-Type has none. Blocks only to open a file. Any thread.
Reply respond(const DocumentRoot& root, const Request& request,
              std::string_view default_charset = {});

/// A small HTML page with the status. It contains nothing of the request.
Reply error_page(std::uint16_t status);

}  // namespace static_site
