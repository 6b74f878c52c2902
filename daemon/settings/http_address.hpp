// SPDX-License-Identifier: Apache-2.0
//
// actord.http: where HTTP is served, and for which hosts.
//
// Not here: the server (web).
#pragma once

#include "settings/object_reader.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// An address that other machines reach, and one that is none, are errors.
HttpSettings read_http(ObjectReader http);

}  // namespace actord::settings
