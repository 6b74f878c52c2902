// SPDX-License-Identifier: Apache-2.0
#include "actor/cell_pool.hpp"

#include <new>

#include "base/base32.hpp"

namespace actord::actor {

CellPool::CellPool(Options options)
    : arena_(options.capacity * sizeof(Cell)),
      capacity_(std::min(arena_.size() / sizeof(Cell), std::size_t{max_cell_index} + 1)),
      quarantine_(options.quarantine),
      nameless_quarantine_(options.nameless_quarantine) {}

CellPool::~CellPool() {
  for (std::size_t i = 1; i < carved_; ++i) at(static_cast<std::uint32_t>(i)).name.destroy();
}

bool CellPool::is_living(Ref ref) const {
  std::lock_guard lock(mutex_);
  const std::uint32_t index = actor::index_of(ref);
  if (index == Cell::none || index >= carved_) return false;
  const Cell& cell = at(index);
  return cell.generation.load(base::relaxed) == generation_of(ref) && !cell.mailbox.is_closed();
}

std::vector<Ref> CellPool::with_mail() const {
  std::vector<Ref> refs;
  std::lock_guard lock(mutex_);
  for (std::uint32_t i = 1; i < carved_; ++i) {
    const Cell& cell = at(i);
    if (cell.mailbox.may_have_mail()) refs.push_back(ref_of(cell));
  }
  return refs;
}

std::string CellPool::path(Ref ref) const {
  if (ref == bubble_walker) return "/bubble-walker";
  if (is_answer_ref(ref)) return "/temp/$" + base::base32(ref & ~(std::uint64_t{3} << 62));
  std::lock_guard lock(mutex_);
  for (Ref at_ref = ref; at_ref != nobody;) {
    const std::uint32_t index = actor::index_of(at_ref);
    if (index == Cell::none || index >= carved_) return "/deadLetters";
    const Cell& cell = at(index);
    if (cell.generation.load(base::relaxed) != generation_of(at_ref)) return "/deadLetters";
    at_ref = cell.parent == Cell::none ? nobody : make_ref(cell.parent, cell.parent_generation);
  }
  if (ref == nobody) return "/deadLetters";
  return path_of(at(actor::index_of(ref)));
}

std::string CellPool::path_of(const Cell& cell) const {
  std::string path;
  write_path(cell, [&](std::size_t size) {
    path.resize(size);
    return path.data();
  });
  return path;
}

inline void CellPool::recycle(Cell& cell) {
  cell.name.destroy();
  cell.generation.store(cell.generation.load(base::relaxed) + 1, base::relaxed);
}

void CellPool::refill_from(sched::TaskRing& dead, std::size_t quarantine,
                           base::Magazine& magazine) {
  while (magazine.count < base::magazine_size && dead.size() > quarantine) {
    auto* const cell = static_cast<Cell*>(dead.pop_front());
    recycle(*cell);
    magazine.blocks[magazine.count++] = cell;
  }
}

bool CellPool::refill(base::Magazine& magazine) {
  std::lock_guard lock(mutex_);
  refill_from(nameless_dead_, nameless_quarantine_, magazine);
  refill_from(dead_, quarantine_, magazine);
  if (magazine.count != 0) return true;
  const std::size_t n = std::min(base::magazine_size, capacity_ - carved_);
  arena_.use((carved_ + n) * sizeof(Cell));
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
    if (cell->generation.load(base::relaxed) == ~0u) continue;  // no generation left: never reused
    (cell->name.is_generated() ? nameless_dead_ : dead_).push_back(cell);
  }
}

}  // namespace actord::actor
