// SPDX-License-Identifier: Apache-2.0
#include "actor/cell_pool.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "actor/path.hpp"

namespace actord::actor {

CellPool::CellPool(Options options)
    : capacity_(options.capacity),
      quarantine_(options.quarantine),
      arena_(options.capacity * sizeof(Cell)) {}

CellPool::~CellPool() {
  for (std::size_t i = 1; i < carved_; ++i) {
    Cell& cell = at(static_cast<std::uint32_t>(i));
    if ((cell.name & 1) == 0) std::free(reinterpret_cast<void*>(cell.name));
  }
}

std::string name_of(const Cell& cell) {
  if (cell.name == 0) return {};
  if ((cell.name & 1) != 0) return numbered_name(cell.name >> 1);
  return reinterpret_cast<const char*>(cell.name);
}

std::string CellPool::path(Ref ref) const {
  if (ref == bubble_walker) return "/bubble-walker";
  std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (Ref at_ref = ref; at_ref != nobody;) {
    const std::uint32_t index = actor::index_of(at_ref);
    if (index == Cell::none || index >= carved_) return "/deadLetters";
    const Cell& cell = at(index);
    if (cell.generation.load(base::relaxed) != generation_of(at_ref)) return "/deadLetters";
    names.push_back(name_of(cell));
    at_ref = cell.parent == Cell::none ? nobody : make_ref(cell.parent, cell.parent_generation);
  }
  if (names.size() <= 1) return names.empty() ? "/deadLetters" : "/";
  std::string path;
  for (auto name = names.rbegin() + 1; name != names.rend(); ++name) path.append("/").append(*name);
  return path;
}

bool CellPool::refill(base::Magazine& magazine) {
  std::lock_guard lock(mutex_);
  while (magazine.count < base::magazine_size && dead_.size() > quarantine_) {
    recycle(*dead_.front());
    magazine.blocks[magazine.count++] = dead_.front();
    dead_.pop_front();
  }
  if (magazine.count != 0) return true;
  const std::size_t n = std::min(base::magazine_size, capacity_ - carved_);
  for (std::size_t i = n; i-- > 0;) {
    Cell* const cell = ::new (&at(static_cast<std::uint32_t>(carved_ + i))) Cell;
    cell->generation.store(1, base::relaxed);
    magazine.blocks[magazine.count++] = cell;
  }
  carved_ += n;
  return n != 0;
}

void CellPool::retire(base::Magazine& magazine) {
  std::lock_guard lock(mutex_);
  for (; magazine.count != 0; --magazine.count) {
    Cell* const cell = static_cast<Cell*>(magazine.blocks[magazine.count - 1]);
    if (cell->generation.load(base::relaxed) != ~0u)
      dead_.push_back(cell);  // else it has had its day
  }
}

void CellPool::recycle(Cell& cell) {
  if ((cell.name & 1) == 0) std::free(reinterpret_cast<void*>(cell.name));
  cell.name = 0;
  cell.generation.store(cell.generation.load(base::relaxed) + 1, base::relaxed);
}

}  // namespace actord::actor
