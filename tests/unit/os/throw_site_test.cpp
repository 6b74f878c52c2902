// SPDX-License-Identifier: Apache-2.0
#include "os/throw_site.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

namespace actord::os {

TEST_SUITE_BEGIN("os/throw_site");

namespace {

struct Lost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How many calls are known of the throw.
std::size_t calls_of_throw() {
  try {
    throw Lost("it");
  } catch (const Lost&) {
    return throw_site_of_current_exception().size();
  }
}

}  // namespace

TEST_CASE("nothing is known of a throw unless it is to be remembered, or outside of a handler") {
  remember_throw_sites(ThrowSites::off);
  CHECK(calls_of_throw() == 0);
  CHECK(throw_site_of_current_exception().empty());
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("the first throw of a class is remembered, or all are") {
  remember_throw_sites(ThrowSites::first);
  CHECK(calls_of_throw() > 0);
  CHECK(calls_of_throw() == 0);
  remember_throw_sites(ThrowSites::all);
  CHECK(calls_of_throw() > 0);
  CHECK(calls_of_throw() > 0);
  try {
    throw Lost("outer");
  } catch (const Lost&) {
    try {
      throw Lost("inner, caught within");
    } catch (const Lost&) {}
    CHECK(throw_site_of_current_exception().empty());  // not that of the inner one
  }
  remember_throw_sites(ThrowSites::off);
}
#endif

}  // namespace actord::os
