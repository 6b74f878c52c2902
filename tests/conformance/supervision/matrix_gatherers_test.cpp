// SPDX-License-Identifier: Apache-2.0
//
// The matrix of companions: routers whose routees answer in each other's place, groups, and
// consistent hashing. Items 180u and 180v.
#include "matrix_routers.hpp"

namespace actord::conformance::matrix::routers {

namespace {

RouterOptions scattering() { return pool(3).scatter_gather_first(900ms); }
RouterOptions chopping() { return pool(3).tail_chopping(900ms, 100ms); }

}  // namespace

TEST_CASE("matrix scatter-gather: the first answer counts, after its own verdict") {
  each_pool({.options = &scattering, .judge = Judge::router, .gathers = true});
}

TEST_CASE("matrix scatter-gather, judged above: the first answer counts") {
  each_pool({.options = &scattering, .gathers = true});
}

TEST_CASE("matrix tail chopping: another routee answers, after its own verdict") {
  each_pool({.options = &chopping, .judge = Judge::router, .gathers = true});
}

TEST_CASE("matrix tail chopping, judged above: another routee answers") {
  each_pool({.options = &chopping, .gathers = true});
}

TEST_CASE("matrix group: each actor of the group gets messages again") {
  each_cell({Place::before_call, Place::after_call, Place::constructor, Place::pre_start,
             Place::post_restart, Place::pre_restart, Place::post_stop},
            &play_group);
}

TEST_CASE("matrix consistent hashing: what makes the key throws, and the router fails") {
  each_cell({Place::predicate}, [](Scene& it) {
    play_pool(it, {.options = [&it] {
                return pool(3).consistent_hashing().hash_by<Question>([&it](const Question& asked) {
                  it.at(Place::predicate);
                  return static_cast<std::uint64_t>(asked.n);
                });
              }});
  });
}

}  // namespace actord::conformance::matrix::routers
