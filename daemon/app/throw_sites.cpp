// SPDX-License-Identifier: Apache-2.0
#include "app/throw_sites.hpp"

#include "actor/failure.hpp"
#include "os/throw_site.hpp"

namespace actord::app {

void apply_throw_sites(schema::ThrowSites which) noexcept {
  using Word = schema::ThrowSites;
  actor::read_throw_sites_with(which == Word::none ? nullptr
                                                   : &os::throw_site_of_current_exception);
  os::remember_throw_sites(which == Word::none    ? os::ThrowSites::off
                           : which == Word::first ? os::ThrowSites::first
                                                  : os::ThrowSites::all);
}

}  // namespace actord::app
