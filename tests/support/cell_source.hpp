// SPDX-License-Identifier: Apache-2.0
//
// Cells without a system.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>

#include "actor/cell_pool.hpp"

namespace actord::support {

/// A pool with a worker's magazine, and with the naming that a spawn does.
struct CellSource {
  explicit CellSource(actor::CellPool::Options options) : pool(options) {}

  actor::Cell* take() {
    if (fresh.count == 0 && !pool.refill(fresh)) return nullptr;
    return static_cast<actor::Cell*>(fresh.blocks[--fresh.count]);
  }
  actor::Cell& make(const char* name, const actor::Cell* parent = nullptr) {
    actor::Cell* const cell = take();
    REQUIRE(cell != nullptr);
    if (name != nullptr) cell->name = actor::CellName::given(name);
    cell->parent = parent != nullptr ? pool.index_of(*parent) : actor::Cell::none;
    cell->parent_generation = parent != nullptr ? actor::generation_of(pool.ref_of(*parent)) : 0;
    return *cell;
  }
  actor::Cell& make_numbered(std::uint64_t number, const actor::Cell& parent) {
    actor::Cell& cell = make(nullptr, &parent);
    cell.name = actor::CellName::generated(number);
    return cell;
  }
  void retire(actor::Cell& cell) {
    base::Magazine dead;
    dead.blocks[dead.count++] = &cell;
    pool.retire(dead);
    CHECK(dead.count == 0);
  }

  actor::CellPool pool;
  base::Magazine fresh;
};

}  // namespace actord::support
