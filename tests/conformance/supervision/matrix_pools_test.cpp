// SPDX-License-Identifier: Apache-2.0
//
// The matrix of companions: routers that send each message to one routee. Items 95, 96 and 180u to
// 180x.
#include "matrix_routers.hpp"

namespace actord::conformance::matrix::routers {

namespace {

RouterOptions balancing() { return pool(3).balancing(); }
RouterOptions resized() {
  return pool(3).round_robin().resizer({.lower = 3, .upper = 3, .interval = 100ms});
}

}  // namespace

TEST_CASE("matrix balancing pool: each routee that is idle gets work, after its own verdict") {
  each_pool({.options = &balancing, .judge = Judge::router, .holds_back = true});
}

TEST_CASE("matrix balancing pool, judged above: each routee that is idle gets work") {
  each_pool({.options = &balancing, .holds_back = true});
}

TEST_CASE("matrix resized pool: it has all its routees again, after its own verdict") {
  each_pool({.options = &resized, .judge = Judge::router, .is_filled_again = true});
}

TEST_CASE("matrix resized pool, judged above: it has all its routees again") {
  each_pool({.options = &resized, .is_filled_again = true});
}

}  // namespace actord::conformance::matrix::routers
