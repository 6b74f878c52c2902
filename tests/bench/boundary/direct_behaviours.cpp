// SPDX-License-Identifier: Apache-2.0
#include "boundary/direct_behaviours.hpp"

#include <new>

#include "actor/turn.hpp"
#include "bench_messages.hpp"

namespace actord::bench {

namespace {

void send(actord_context* c, Ref to, Number number) {
  auto& turn = *static_cast<actor::Turn*>(c);
  turn.thread().tell(to.value, detail::type_id<Number>, &number, turn.self);
}

struct Player {
  Roles roles;

  void on(actord_context* c, const Number& n) {
    if (n.value == 0) return send(c, roles.referee, {0});
    send(c, roles.next, {n.value - 1});
  }
};

struct Source {
  Roles roles;

  void on(actord_context* c, const Number& n) {
    for (std::int64_t i = 0; i < n.value; ++i) send(c, roles.next, {i});
  }
};

struct Sink {
  Roles roles;
  std::int64_t left = 0, sum = 0;

  void on(actord_context* c, const Number& n) {
    sum += n.value;
    if (--left == 0) send(c, roles.referee, {sum});
  }
  void expect(const Grow& numbers) {
    left = numbers.count;
    sum = 0;
  }
};

template <class A>
actord_status on_number(void* self, actord_context* c, const void* message, actord_errors*) {
  static_cast<A*>(self)->on(c, *static_cast<const Number*>(message));
  return ACTORD_OK;
}

template <class A>
actord_status on_roles(void* self, actord_context*, const void* message, actord_errors*) {
  static_cast<A*>(self)->roles = *static_cast<const Roles*>(message);
  return ACTORD_OK;
}

actord_status on_grow(void* self, actord_context*, const void* message, actord_errors*) {
  static_cast<Sink*>(self)->expect(*static_cast<const Grow*>(message));
  return ACTORD_OK;
}

template <class A>
constexpr actord_case cases[] = {{detail::to_c(message_name<Number>), &on_number<A>},
                                 {detail::to_c(message_name<Roles>), &on_roles<A>},
                                 {detail::to_c(message_name<Grow>), &on_grow}};

// Only a sink understands the last case.
template <class A>
constexpr actord_receive receive{
    sizeof(actord_receive), std::is_same_v<A, Sink> ? 3 : 2, {}, cases<A>, nullptr, nullptr};
template <class A>
constexpr const actord_receive* receives[] = {&receive<A>};

template <class A>
constexpr actord_behaviour behaviour(std::string_view name) {
  actord_behaviour table{};
  table.struct_size = sizeof table;
  table.name = detail::to_c(name);
  table.size = sizeof(A);
  table.align = alignof(A);
  table.receives = receives<A>;
  table.n_receives = 1;
  table.create = [](void* self, actord_context*, actord_value, const void*,
                    actord_errors*) -> actord_status {
    ::new (self) A;
    return ACTORD_OK;
  };
  table.destroy = [](void*) {};
  return table;
}

}  // namespace

const actord_behaviour direct_player = behaviour<Player>("DirectPlayer");
const actord_behaviour direct_source = behaviour<Source>("DirectSource");
const actord_behaviour direct_sink = behaviour<Sink>("DirectSink");

}  // namespace actord::bench
