// SPDX-License-Identifier: Apache-2.0
//
// The table of the plugin: its behaviour and its messages.
#include <actord/actord.hpp>

#include "site.hpp"
#include "site_messages.hpp"

namespace {

struct Module {
  static constexpr std::string_view doc = "Serves a folder over HTTP/1.1, to this machine only.";
  static constexpr std::uint64_t flags = ACTORD_HAS_THREADS;  // one thread for each site
};

}  // namespace

ACTORD_PLUGIN(
    "static_site", "1.0.0", actord::Behaviours<static_site::Site>,
    actord::Messages<static_site::Request, static_site::Accepted, static_site::ServerFailed,
                     static_site::Closed, static_site::AnswerDue>,
    actord::Module<Module>)
