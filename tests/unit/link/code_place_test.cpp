// SPDX-License-Identifier: Apache-2.0
//
// The place of a function in the file of a plugin, which here is the test program itself.
#include "link/code_place.hpp"

#include <doctest/doctest.h>

#include <cstdio>

#include "support/puppet_host.hpp"

namespace actord::link {

TEST_SUITE_BEGIN("link/code_place");

TEST_CASE("a function of the plugin's file is found again at its place") {
  const actord_plugin& plugin = support::puppet_plugin();
  const auto* const function = reinterpret_cast<const void*>(&support::puppet_plugin);
  const auto place = place_of(function, plugin);
  REQUIRE(place);
  CHECK(function_at(*place, plugin) == function);
}

TEST_CASE("a function of another library has no place in the plugin's file") {
  CHECK_FALSE(place_of(reinterpret_cast<const void*>(&std::fopen), support::puppet_plugin()));
  CHECK_FALSE(place_of(nullptr, support::puppet_plugin()));
}

TEST_CASE("there is nothing at a place behind the end of the file") {
  CHECK(function_at(std::uint64_t{1} << 40, support::puppet_plugin()) == nullptr);
}

TEST_CASE("a plugin of which only a description is known has no place for functions") {
  actord_plugin described = support::puppet_plugin();
  described.n_behaviours = 0;
  CHECK_FALSE(place_of(reinterpret_cast<const void*>(&support::puppet_plugin), described));
  CHECK(function_at(16, described) == nullptr);
}

TEST_SUITE_END();

}  // namespace actord::link
