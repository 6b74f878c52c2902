// SPDX-License-Identifier: Apache-2.0
#include "actor/parked_orders.hpp"

#include <doctest/doctest.h>

#include <array>
#include <initializer_list>

#include "support/dies.hpp"

namespace actord::actor {

TEST_SUITE_BEGIN("actor/parked_orders");

using support::assertion_broken_by;

namespace {

Envelope order(Order which) {
  Envelope envelope{};
  envelope.type_and_flags = static_cast<std::uint32_t>(which);
  return envelope;
}

Lifecycle life(std::initializer_list<Stage> way, int suspensions) {
  Lifecycle made;
  for (const Stage next : way) made.transition_to(next);
  for (int i = 0; i < suspensions; ++i) made.suspend();
  return made;
}

}  // namespace

TEST_CASE("what waits depends on the stage and on suspensions") {
  using enum Stage;
  CHECK(parking_of(life({running}, 0)) == Parking::nothing);
  CHECK(parking_of(life({running}, 1)) == Parking::failures);
  CHECK(parking_of(life({running, recreating}, 1)) == Parking::life);
  CHECK(parking_of(life({running, creating}, 1)) == Parking::life);
  CHECK(parking_of(life({running, recreating, backing_off}, 2)) == Parking::life);
  CHECK(parking_of(life({running, terminating}, 1)) == Parking::failures);
  Lifecycle doomed = life({running}, 0);
  doomed.doom();
  CHECK(parking_of(doomed) == Parking::life);
}

TEST_CASE("20, 31 failures wait for a suspension, orders of life for the next incarnation") {
  for (const Order which : {Order::suspend, Order::resume, Order::recreate}) {
    CHECK_FALSE(must_wait(which, Parking::failures));
    CHECK(must_wait(which, Parking::life));
  }
  CHECK(must_wait(Order::failed, Parking::failures));
  CHECK(must_wait(Order::failed, Parking::life));
  CHECK_FALSE(must_wait(Order::failed, Parking::nothing));
  for (const Order which :
       {Order::terminate, Order::child_terminated, Order::terminated, Order::watch, Order::unwatch,
        Order::backoff_over, Order::settled, Order::spawn, Order::reconfigure}) {
    CHECK_FALSE(must_wait(which, Parking::life));
  }
}

TEST_CASE("parked orders come back in their order, before those that came later") {
  ParkedOrders parked;
  std::array<Envelope, 3> envelopes{order(Order::suspend), order(Order::resume),
                                    order(Order::terminate)};
  parked.park(&envelopes[0], Parking::life);
  parked.park(&envelopes[1], Parking::life);
  envelopes[2].next = nullptr;
  const Envelope* const list = parked.release_before(&envelopes[2]);
  CHECK(list == &envelopes[0]);
  CHECK(list->next == &envelopes[1]);
  CHECK(list->next->next == &envelopes[2]);
  CHECK(parked.is_empty());
  CHECK(parked.release_before(nullptr) == nullptr);
}

TEST_CASE("to park an order that need not wait is a bug") {
  ParkedOrders parked;
  Envelope envelope = order(Order::terminate);
  CHECK(assertion_broken_by([&] { parked.park(&envelope, Parking::life); }) ==
        "must_wait(order_of(*order), parking)");
}

TEST_SUITE_END();

}  // namespace actord::actor
