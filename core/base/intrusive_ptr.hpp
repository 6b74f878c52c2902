// SPDX-License-Identifier: Apache-2.0
//
// Shared ownership with the count inside the object. The pointer is one word, so it fits an
// envelope, and release() and adopt() hand it over as a raw pointer.
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>

#include "base/sync.hpp"

namespace actord::base {

template <class T>
class IntrusivePtr;

template <class T>
class RefCounted {
 public:
  void retain() const noexcept { count_.fetch_add(1, relaxed); }
  void drop() const noexcept {
    // Only its owner can copy the last pointer. So a count of 1 cannot grow meanwhile, which spares
    // most objects a read-modify-write. In both cases the acquire pairs with the release of every
    // other drop(), so that the writes through the other pointers are visible before the delete.
    if (count_.load(acquire) == 1 || count_.fetch_sub(1, acq_rel) == 1)
      delete static_cast<const T*>(this);
  }

 protected:
  ~RefCounted() = default;

 private:
  template <class Object, class... Args>
  friend IntrusivePtr<Object> make_counted(Args&&... args);

  mutable Atomic<std::uint32_t> count_{0};
};

template <class T>
class IntrusivePtr {
 public:
  IntrusivePtr() = default;
  IntrusivePtr(T* object) noexcept : object_(object) {  // NOLINT: implicit, as from new
    if (object_ != nullptr) object_->retain();
  }
  IntrusivePtr(const IntrusivePtr& other) noexcept : IntrusivePtr(other.object_) {}
  IntrusivePtr(IntrusivePtr&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class Derived>
    requires std::convertible_to<Derived*, T*>
  IntrusivePtr(IntrusivePtr<Derived> other) noexcept : object_(other.release()) {}
  IntrusivePtr& operator=(IntrusivePtr other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~IntrusivePtr() {
    if (object_ != nullptr) object_->drop();
  }

  /// Takes over a count that release() gave up.
  static IntrusivePtr adopt(T* object) noexcept {
    IntrusivePtr pointer;
    pointer.object_ = object;
    return pointer;
  }
  [[nodiscard]] T* release() noexcept { return std::exchange(object_, nullptr); }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

/// Creates an object and its first pointer, without a read-modify-write.
template <class T, class... Args>
IntrusivePtr<T> make_counted(Args&&... args) {
  T* const object = new T(std::forward<Args>(args)...);
  object->count_.store(1, relaxed);
  return IntrusivePtr<T>::adopt(object);
}

}  // namespace actord::base
