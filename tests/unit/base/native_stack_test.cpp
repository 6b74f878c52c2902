// SPDX-License-Identifier: Apache-2.0
#include "base/native_stack.hpp"

#include <doctest/doctest.h>
#include <pthread.h>

#include <functional>

using namespace actord::base;

namespace {

/// Runs `body` on a thread with a stack of that size.
void run_on_stack(std::size_t bytes, std::function<void()> body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  pthread_t thread;
  const auto call = [](void* what) -> void* {
    (*static_cast<std::function<void()>*>(what))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, call, &body) == 0);
  pthread_attr_destroy(&attributes);
  pthread_join(thread, nullptr);
}

struct Measured {
  std::uintptr_t position;
  std::size_t left;
};

/// Measures below a frame of at least `bytes`.
[[gnu::noinline]] Measured measure_below(std::size_t bytes) {
  auto* frame = static_cast<volatile char*>(__builtin_alloca(bytes));
  frame[0] = 0;
  return {stack_position(), stack_left()};
}

}  // namespace

TEST_SUITE("base/native_stack") {
  TEST_CASE("a thread has most of its stack left when it begins") {
    constexpr std::size_t bytes = 4U << 20U;
    std::size_t left = 0;
    run_on_stack(bytes, [&] { left = stack_left(); });
    // Thread-local data, a sanitizer's too, lie on the stack. There is no upper bound: the C
    // library may give the thread a larger stack, that of a thread that has ended.
    CHECK(left > bytes / 2);
  }

  TEST_CASE("a deeper call has a lower position and less of the stack left") {
    constexpr std::size_t depth = 1U << 20U;
    Measured above{}, below{};
    run_on_stack(4U << 20U, [&] {
      above = measure_below(1);
      below = measure_below(depth);
    });
    CHECK(above.position - below.position >= depth - 64);
    CHECK(above.left - below.left >= depth - 64);
    CHECK(above.left - below.left < depth + 4096);
  }

  TEST_CASE("the main thread's stack has an end") {
    CHECK(stack_left() > 0);
    CHECK(stack_left() < stack_position());
  }
}
