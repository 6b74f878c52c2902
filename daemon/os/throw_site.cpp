// SPDX-License-Identifier: Apache-2.0
#include "os/throw_site.hpp"

#include <dlfcn.h>
#include <execinfo.h>

#include <array>
#include <atomic>
#include <cstring>
#include <exception>
#include <typeinfo>

#include "base/clock.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ACTORD_SEES_THROWS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ACTORD_SEES_THROWS 0
#endif
#endif
#ifndef ACTORD_SEES_THROWS
#define ACTORD_SEES_THROWS 1
#endif

namespace actord::os {

namespace {

constexpr std::size_t frames_max = 32, own_frames = 2;  // those of this file

struct ThrowSite {
  std::array<void*, frames_max + own_frames> frames;
  std::size_t end = 0;
  const void* exception = nullptr;
};
thread_local ThrowSite last;

std::atomic<ThrowSites> remembered{ThrowSites::off};

// The classes of exceptions that were remembered lately. Two classes that share a place take turns,
// and are remembered more often.
struct Place {
  std::atomic<const std::type_info*> type{nullptr};
  std::atomic<std::int64_t> next_ns{0};
};
std::array<Place, 256> places;

constexpr std::int64_t interval_ns = 3600 * base::ns_per_s;

[[maybe_unused]] bool is_wanted(const std::type_info* type) noexcept {
  const ThrowSites which = remembered.load(std::memory_order_relaxed);
  if (which != ThrowSites::first) return which == ThrowSites::all;
  const auto address = reinterpret_cast<std::uintptr_t>(type);
  Place& place = places[(address >> 4 ^ address >> 12) % places.size()];
  const std::int64_t now = base::monotonic_ns();
  if (place.type.load(std::memory_order_relaxed) == type &&
      now < place.next_ns.load(std::memory_order_relaxed))
    return false;
  place.type.store(type, std::memory_order_relaxed);
  place.next_ns.store(now + interval_ns, std::memory_order_relaxed);
  return true;
}

}  // namespace

void remember_throw_sites(ThrowSites which) noexcept {
  void* frame = nullptr;
  if (which != ThrowSites::off) ::backtrace(&frame, 1);  // loads what later calls need
  remembered.store(which, std::memory_order_relaxed);
}

std::span<void* const> throw_site_of_current_exception() noexcept {
  const std::exception_ptr current = std::current_exception();
  static_assert(sizeof current == sizeof(void*));
  const void* object = nullptr;
  std::memcpy(&object, &current, sizeof object);
  if (object == nullptr || object != last.exception || last.end <= own_frames) return {};
  return {last.frames.data() + own_frames, last.end - own_frames};
}

#if ACTORD_SEES_THROWS

namespace {

using Throw = void(void* exception, void* type, void (*destroy)(void*));

// The function of the C++ library; null: not looked up yet.
std::atomic<Throw*> next{nullptr};

[[gnu::noinline]] Throw* look_up_next() {
  auto* const found = reinterpret_cast<Throw*>(::dlsym(RTLD_NEXT, "__cxa_throw"));
  next.store(found, std::memory_order_relaxed);
  return found;
}

[[gnu::noinline]] void remember(const void* exception) noexcept {
  const int taken = ::backtrace(last.frames.data(), static_cast<int>(last.frames.size()));
  last.end = taken > 0 ? static_cast<std::size_t>(taken) : 0;
  last.exception = exception;
}

}  // namespace

#endif

}  // namespace actord::os

#if ACTORD_SEES_THROWS

// Under its real name the compiler would know that it does not return, and would not end it with a
// jump. As a call it would be one more frame, which each throw unwinds twice.
extern "C" [[gnu::visibility("default")]] void actord_throw(
    void* exception, void* type, void (*destroy)(void*)) __asm__("__cxa_throw");

extern "C" void actord_throw(void* exception, void* type, void (*destroy)(void*)) {
  using namespace actord::os;
  if (is_wanted(static_cast<const std::type_info*>(type))) [[unlikely]]
    remember(exception);
  else last.exception = nullptr;
  Throw* on = next.load(std::memory_order_relaxed);
  if (on == nullptr) [[unlikely]]
    on = look_up_next();
  return on(exception, type, destroy);
}

#endif
