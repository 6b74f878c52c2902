// SPDX-License-Identifier: Apache-2.0
//
// A plugin with a static initialiser that does not come back: FAULT says how, as a function below.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "idle_plugin.hpp"

namespace {

[[maybe_unused]] void throws() { throw std::runtime_error("too early"); }
[[maybe_unused]] void foreign() { throw 7; }
[[maybe_unused]] void killed() { std::raise(SIGKILL); }
[[maybe_unused]] void aborts() { std::abort(); }
[[maybe_unused]] void exits() { std::_Exit(0); }
[[maybe_unused]] void leaves() { std::exit(3); }
[[maybe_unused]] void talks() {
  std::puts("{ \"a\": \"banner\" }");
  std::fflush(stdout);
}
/// To a process that asks what the plugin declares.
[[maybe_unused]] void answer(const char* text) {
  for (int fd = STDERR_FILENO + 1; fd < 16; ++fd)
    static_cast<void>(::write(fd, text, std::strlen(text)));
}
[[maybe_unused]] void lies() {
  answer("{\"plugin\":{\"abi_major\":1,\"name\":[[]],\"behaviours\":[null,7,{\"size\":-1}]}}\n");
  std::_Exit(0);
}
[[maybe_unused]] void floods() {
  for (int i = 0; i < 1'000'000; ++i)
    answer("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[");
}
[[maybe_unused]] void endless() {
  for (;;) ::pause();
}

[[gnu::constructor]] void initialise() { FAULT(); }

}  // namespace

IDLE_PLUGIN("static_" ACTORD_TEXT_OF(FAULT))
