// SPDX-License-Identifier: Apache-2.0
#include "base/depot.hpp"

namespace actord::base {

Depot::Depot(std::size_t block_size, std::size_t reserve)
    : block_size_(block_size), arena_(reserve) {
  ACTORD_ASSERT(block_size % 64 == 0);
}

std::unique_ptr<Magazine> Depot::take_full() {
  std::lock_guard lock(mutex_);
  if (!full_.empty()) {
    auto magazine = std::move(full_.back());
    full_.pop_back();
    return magazine;
  }
  ACTORD_ASSERT((carved_ + magazine_size) * block_size_ <= arena_.size());
  auto magazine = std::make_unique<Magazine>();
  if (!empty_.empty()) magazine = std::move(empty_.back()), empty_.pop_back();
  for (std::size_t i = 0; i < magazine_size; ++i) {  // handed out from the end: ascending addresses
    magazine->blocks[magazine_size - 1 - i] = arena_.base() + (carved_ + i) * block_size_;
  }
  magazine->count = magazine_size;
  carved_ += magazine_size;
  return magazine;
}

std::unique_ptr<Magazine> Depot::take_empty() {
  std::lock_guard lock(mutex_);
  if (empty_.empty()) return std::make_unique<Magazine>();
  auto magazine = std::move(empty_.back());
  empty_.pop_back();
  return magazine;
}

void Depot::give_full(std::unique_ptr<Magazine> full) {
  std::lock_guard lock(mutex_);
  full_.push_back(std::move(full));
}

void Depot::give_empty(std::unique_ptr<Magazine> empty) {
  std::lock_guard lock(mutex_);
  empty_.push_back(std::move(empty));
}

std::size_t Depot::carved() const {
  std::lock_guard lock(mutex_);
  return carved_;
}

std::size_t Depot::resting() const {
  std::lock_guard lock(mutex_);
  std::size_t blocks = 0;
  for (const auto& magazine : full_) blocks += magazine->count;
  return blocks;
}

// A magazine that is only partly full goes back as a full one: taking from it works all the same.
Pool::~Pool() {
  for (auto* magazine : {&near_, &far_}) {
    if ((*magazine)->count == 0) depot_.give_empty(std::move(*magazine));
    else depot_.give_full(std::move(*magazine));
  }
}

void Pool::refill() {
  std::swap(near_, far_);
  if (near_->count != 0) return;
  depot_.give_empty(std::move(near_));
  near_ = depot_.take_full();
}

void Pool::unload() {
  std::swap(near_, far_);
  if (near_->count != magazine_size) return;
  depot_.give_full(std::move(near_));
  near_ = depot_.take_empty();
}

}  // namespace actord::base
