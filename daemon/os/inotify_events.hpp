// SPDX-License-Identifier: Apache-2.0
//
// Reads the events of a queue of inotify.
#pragma once

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace actord::os {

/// Calls `handle(watch, mask, name)` for each of the events that one read() gives; `name` is empty
/// if the event is about the watched folder itself. False: there was none.
template <class Handle>
bool take_inotify_events(int queue, Handle&& handle) {
  alignas(inotify_event) std::array<char, 16384> bytes;
  const ssize_t size = ::read(queue, bytes.data(), bytes.size());
  const char* at = bytes.data();
  for (const char* const end = at + (size > 0 ? size : 0); at < end;) {
    inotify_event event;
    std::memcpy(&event, at, sizeof event);
    const char* const name = at + sizeof event;
    at = name + event.len;
    handle(event.wd, event.mask, std::string_view{name, ::strnlen(name, event.len)});
  }
  return size > 0;
}

}  // namespace actord::os
