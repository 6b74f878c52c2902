// SPDX-License-Identifier: Apache-2.0
//
// The matrix of companions: what is common to routers. Items 95, 96 and 180u to 180x.
#pragma once

#include <actord/router.hpp>

#include "matrix.hpp"

namespace actord::conformance::matrix::routers {

/// The supervisor that decides about a routee that fails.
enum class Judge { router, boss };

struct Companion {
  std::function<RouterOptions()> options = {};
  std::size_t size = 3;
  Judge judge = Judge::boss;
  bool gathers = false;          // the first of several answers counts
  bool holds_back = false;       // a routee has one message at a time
  bool is_filled_again = false;  // a routee that has ended is replaced
};

/// Plays a cell with a pool of actors that answer.
void play_pool(Scene& it, const Companion& companion);
/// Plays a cell with a group of two such actors, which the supervisor of the router judges, too;
/// round robin.
void play_group(Scene& it);
/// Plays each cell of a pool.
void each_pool(const Companion& companion);

}  // namespace actord::conformance::matrix::routers
