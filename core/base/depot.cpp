// SPDX-License-Identifier: Apache-2.0
#include "base/depot.hpp"

#include <algorithm>
#include <utility>

namespace actord::base {

namespace {

constexpr std::size_t slab_size = std::size_t{2} << 20;
// A trim() is worth its time if at least this many bytes have come back since the last one.
constexpr std::size_t trim_bytes_min = std::size_t{8} << 20;

std::size_t whole_magazines(std::size_t bytes, std::size_t block_size) {
  return bytes / block_size / magazine_size * magazine_size;
}

}  // namespace

Depot::Depot(std::size_t block_size, std::size_t reserve)
    : block_size_(block_size),
      first_slab_blocks_(whole_magazines(Arena::small_page_bytes, block_size)),
      slab_blocks_(whole_magazines(slab_size, block_size)),
      arena_(reserve) {
  ACTORD_ASSERT(block_size % 16 == 0 && first_slab_blocks_ != 0);
}

std::unique_ptr<Magazine> Depot::exchange_empty(std::unique_ptr<Magazine> empty) noexcept {
  std::lock_guard lock(mutex_);
  if (!full_.empty()) {
    auto magazine = std::move(full_.back());
    full_.pop_back();
    left_by_trim_ = std::min(left_by_trim_, full_.size());
    free_blocks_ -= magazine->count;
    update_in_use();
    store_empty(std::move(empty));
    return magazine;
  }
  carve(*empty);
  update_in_use();
  return empty;
}

// Keeps an empty magazine for take_empty(), or frees it if there is no memory for the list.
void Depot::store_empty(std::unique_ptr<Magazine> empty) noexcept try {
  empty_.push_back(std::move(empty));
} catch (const std::bad_alloc&) {}

// Fills a magazine with blocks from a slab that was given back, else from the top of the arena.
void Depot::carve(Magazine& magazine) {
  if (next_ == end_ && !decommitted_.empty()) {
    next_ = decommitted_.back();
    end_ = next_ + slab_blocks_;
    decommitted_.pop_back();
  }
  std::size_t& first = next_ != end_ ? next_ : top_;
  ACTORD_ASSERT((first + magazine_size) * block_size_ <= arena_.size());
  arena_.use((first + magazine_size) * block_size_);
  for (std::size_t i = 0; i < magazine_size; ++i) {  // taken from the end: in order of address
    magazine.blocks[magazine_size - 1 - i] = arena_.base() + (first + i) * block_size_;
  }
  magazine.count = magazine_size;
  first += magazine_size;
  carved_ += magazine_size;
}

// Updates `in_use_`. The depot does not know how many free blocks the pools hold, so it subtracts
// the most that they can hold.
void Depot::update_in_use() {
  const std::size_t out = carved_ - free_blocks_;
  const std::size_t held = pools_ * 2 * magazine_size;
  in_use_.store(out > held ? out - held : 0, relaxed);
}

void Depot::add_pool() {
  std::lock_guard lock(mutex_);
  ++pools_;
  update_in_use();
}

void Depot::remove_pool() {
  std::lock_guard lock(mutex_);
  --pools_;
  update_in_use();
}

std::size_t Depot::trim() {
  std::vector<std::unique_ptr<Magazine>> found;
  std::size_t slabs = 0;
  {
    std::lock_guard lock(mutex_);
    found.swap(full_);
    slabs = slab_of(top_);  // the slab of `top_` may not be carved to its end and stays
    empty_.clear();
    empty_.shrink_to_fit();
  }
  const auto slab_with = [this](const void* block) {
    const auto offset = static_cast<const std::byte*>(block) - arena_.base();
    return slab_of(static_cast<std::size_t>(offset) / block_size_);
  };
  std::vector<std::uint32_t> free_in_slab(slabs + 1);
  for (const auto& magazine : found) {
    for (std::size_t i = 0; i < magazine->count; ++i)
      ++free_in_slab[slab_with(magazine->blocks[i])];
  }
  const auto is_free = [&](std::size_t slab) {
    return slab != 0 && slab < slabs && free_in_slab[slab] == slab_blocks_;
  };
  // Packs the blocks of all other slabs into the first magazines.
  std::size_t to = 0;
  for (std::size_t from = 0, last = found.size(); from < last; ++from) {
    const std::size_t count = std::exchange(found[from]->count, 0);
    for (std::size_t i = 0; i < count; ++i) {
      void* const block = found[from]->blocks[i];
      if (is_free(slab_with(block))) continue;
      if (found[to]->count == magazine_size) ++to;
      found[to]->blocks[found[to]->count++] = block;
    }
  }
  std::erase_if(found, [](const auto& magazine) { return magazine->count == 0; });
  std::vector<std::size_t> decommitted;
  for (std::size_t slab = 1; slab < slabs; ++slab) {
    if (!is_free(slab)) continue;
    arena_.decommit(start_of(slab) * block_size_, slab_blocks_ * block_size_);
    decommitted.push_back(start_of(slab));
  }
  std::lock_guard lock(mutex_);
  carved_ -= decommitted.size() * slab_blocks_;
  free_blocks_ -= decommitted.size() * slab_blocks_;
  decommitted_.insert(decommitted_.end(), decommitted.begin(), decommitted.end());
  for (auto& magazine : found) full_.push_back(std::move(magazine));
  left_by_trim_ = full_.size();
  is_worth_trimming_.store(false, relaxed);
  return decommitted.size() * slab_blocks_ * block_size_;
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
  const std::size_t blocks = full->count;
  full_.push_back(std::move(full));
  free_blocks_ += blocks;
  update_in_use();
  if ((full_.size() - std::min(left_by_trim_, full_.size())) * magazine_size * block_size_ >=
      trim_bytes_min)
    is_worth_trimming_.store(true, relaxed);
}

void Depot::give_empty(std::unique_ptr<Magazine> empty) noexcept {
  std::lock_guard lock(mutex_);
  store_empty(std::move(empty));
}

std::size_t Depot::carved() const {
  std::lock_guard lock(mutex_);
  return carved_;
}

std::size_t Depot::free_blocks() const {
  std::lock_guard lock(mutex_);
  return free_blocks_;
}

// A magazine that is only partly full goes to the full ones: a pool can take from it as well.
Pool::~Pool() {
  for (auto* magazine : {&loaded_, &previous_}) {
    if ((*magazine)->count == 0) depot_.give_empty(std::move(*magazine));
    else depot_.give_full(std::move(*magazine));
  }
  depot_.remove_pool();
}

// Puts a magazine with blocks into `loaded_`. Allocates no memory: the depot fills the empty
// magazine or exchanges it.
void Pool::refill() noexcept {
  std::swap(loaded_, previous_);
  if (loaded_->count == 0) loaded_ = depot_.exchange_empty(std::move(loaded_));
}

// Puts a magazine with room into `loaded_`. If there is no memory for an empty magazine it throws,
// and the pool is as it was.
void Pool::unload() {
  std::swap(loaded_, previous_);
  if (loaded_->count != magazine_size) return;
  auto empty = depot_.take_empty();
  depot_.give_full(std::exchange(loaded_, std::move(empty)));
}

}  // namespace actord::base
