// SPDX-License-Identifier: Apache-2.0
//
// Recursion without the native stack: coroutines that wait for each other to any depth.
//
// A function that returns Descent<T> is a coroutine that starts when it is awaited. The awaiting
// coroutine hands the new one to the loop of the Descents and returns into that loop, so that a
// chain of a million costs heap only. The compiler's symmetric transfer would do the same in
// optimised builds, but not in debug and sanitizer builds.
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstring>
#include <exception>
#include <memory_resource>
#include <utility>

namespace actord::hocon {

/// The loop that resumes the coroutines one after the other, and their memory. One thread.
class Descents {
 public:
  explicit Descents(std::pmr::memory_resource* memory) noexcept : memory_(memory) {}

  std::pmr::memory_resource& memory() const noexcept { return *memory_; }
  void resume_next(std::coroutine_handle<> handle) noexcept { next_ = handle; }

  /// Runs `first`, and all coroutines it waits for, to the end.
  void run(std::coroutine_handle<> first) {
    next_ = first;
    while (next_) std::exchange(next_, nullptr).resume();
  }

 private:
  std::pmr::memory_resource* memory_;
  std::coroutine_handle<> next_;
};

/// The future result of a member function of a class that has `Descents& descents()`.
template <class T>
class [[nodiscard]] Descent {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct promise_type {
    template <class Owner, class... Arguments>
    explicit promise_type(Owner& owner, Arguments&&...) : descents(owner.descents()) {}

    // A frame lies in the memory of its Descents; the address of that memory stands behind the
    // frame.
    template <class Owner, class... Arguments>
    static void* operator new(std::size_t bytes, Owner& owner, Arguments&&...) {
      std::pmr::memory_resource* memory = &owner.descents().memory();
      void* frame = memory->allocate(bytes + sizeof memory, alignof(std::max_align_t));
      std::memcpy(static_cast<std::byte*>(frame) + bytes, &memory, sizeof memory);
      return frame;
    }
    static void operator delete(void* frame, std::size_t bytes) {
      std::pmr::memory_resource* memory = nullptr;
      std::memcpy(&memory, static_cast<std::byte*>(frame) + bytes, sizeof memory);
      memory->deallocate(frame, bytes + sizeof memory, alignof(std::max_align_t));
    }

    // The last suspension: the waiting coroutine is resumed next.
    struct ResumeWaiting {
      bool await_ready() const noexcept { return false; }
      void await_suspend(Handle done) const noexcept {
        done.promise().descents.resume_next(done.promise().waiting);
      }
      void await_resume() const noexcept {}
    };

    Descent get_return_object() { return Descent(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    ResumeWaiting final_suspend() const noexcept { return {}; }
    void return_value(T value) { result = std::move(value); }
    [[noreturn]] void unhandled_exception() const noexcept {
      std::terminate();
    }  // only a lack of memory can throw here

    Descents& descents;
    std::coroutine_handle<> waiting;
    T result{};
  };

  Descent(Descent&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Descent& operator=(Descent&&) = delete;
  ~Descent() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiting) noexcept {
    handle_.promise().waiting = waiting;
    handle_.promise().descents.resume_next(handle_);
  }
  T await_resume() { return std::move(handle_.promise().result); }

  /// Runs the coroutine to its end. Call it from outside any coroutine.
  T get() {
    handle_.promise().descents.run(handle_);
    return std::move(handle_.promise().result);
  }

 private:
  explicit Descent(Handle handle) noexcept : handle_(handle) {}

  Handle handle_;
};

}  // namespace actord::hocon
