// SPDX-License-Identifier: Apache-2.0
//
// An object that copies share, for errors. <memory>, with std::shared_ptr, would be a tenth of the
// time that <actord/actord.hpp> takes to compile.
#pragma once

#include <utility>

namespace actord::detail {

/// Destroys its object with the last copy. Any thread.
class SharedObject {
 public:
  SharedObject() = default;
  template <class T>
  explicit SharedObject(T object) : block_(new BlockOf<T>{std::move(object)}) {}
  SharedObject(const SharedObject& other) noexcept : block_(other.block_) {
    if (block_ != nullptr) __atomic_add_fetch(&block_->n_owners, 1, __ATOMIC_RELAXED);
  }
  SharedObject(SharedObject&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  SharedObject& operator=(SharedObject other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~SharedObject() {
    // The release of each owner pairs with the acquire of the last one, which destroys.
    if (block_ != nullptr && __atomic_sub_fetch(&block_->n_owners, 1, __ATOMIC_ACQ_REL) == 0)
      delete block_;
  }

  /// Null: there is none.
  void* get() const noexcept { return block_ == nullptr ? nullptr : block_->object; }

 private:
  struct Block {
    virtual ~Block() = default;
    long n_owners = 1;
    void* object = nullptr;
  };
  template <class T>
  struct BlockOf : Block {
    explicit BlockOf(T of) : kept(std::move(of)) { this->object = &kept; }
    T kept;
  };

  Block* block_ = nullptr;
};

}  // namespace actord::detail
