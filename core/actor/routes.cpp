// SPDX-License-Identifier: Apache-2.0
#include "actor/routes.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace actord::actor {

std::string_view name_of(RouteLogic logic) noexcept {
  switch (logic) {
    case RouteLogic::round_robin: return "round-robin";
    case RouteLogic::random: return "random";
    case RouteLogic::smallest_mailbox: return "smallest-mailbox";
    case RouteLogic::by_router: break;
  }
  return "by the router";
}

namespace {

constexpr std::size_t least_capacity = 8;
constexpr int choices_max = 16;

}  // namespace

Routes::Routes(const CellPool& cells) noexcept : cells_(cells) {}
Routes::~Routes() = default;

// ---- any thread ---------------------------------------------------------------------------------

// Null if no actor has been a router yet, or if the cell is beyond the table, which is shorter than
// the pool under limits of addresses.
Routes::Entry* Routes::entry_of(std::uint32_t index) const noexcept {
  Entry* const entries = entries_.load(base::acquire);
  const bool has_entry =
      entries != nullptr && (std::size_t{index} + 1) * sizeof(Entry) <= arena_->size();
  return has_entry ? entries + index : nullptr;
}

Routes::List* Routes::list_of(Ref router) const noexcept {
  const Entry* const entry = entry_of(index_of(router));
  // acquire: pairs with the release in begin() and reserve(), which have made the list
  List* const list = entry != nullptr ? entry->load(base::acquire) : nullptr;
  return list != nullptr && list->owner.load(base::acquire) == router ? list : nullptr;
}

namespace {

struct Burden {
  std::int64_t waiting = -1;
  bool is_idle = false;
};

Burden burden_of(const CellPool& cells, Ref routee, std::int32_t capacity) noexcept {
  const Cell& cell = cells.at(index_of(routee));
  Burden burden;
  burden.is_idle = !cell.mailbox.may_have_mail();
  if (capacity >= 0)
    burden.waiting =
        std::max<std::int64_t>(std::int64_t{capacity} - cell.capacity_left.load(base::relaxed), 0);
  return burden;
}

}  // namespace

Ref Routes::choose(Ref router, base::Random& random) const noexcept {
  for (int i = 0; i < choices_max; ++i) {
    List* const list = list_of(router);
    if (list == nullptr) return router;
    const RouteLogic logic = list->logic.load(base::relaxed);
    const std::uint32_t n = list->count.load(base::acquire);
    if (n == 0 || logic == RouteLogic::by_router) return router;
    Ref chosen = nobody;
    if (logic == RouteLogic::round_robin) {
      chosen = list->routees[list->next.fetch_add(1, base::relaxed) % n].ref.load(base::acquire);
    } else if (logic == RouteLogic::random) {
      chosen = list->routees[random.below(n)].ref.load(base::acquire);
    } else {
      // The search begins with another one each time, so that equals take turns.
      const std::uint32_t first = list->next.fetch_add(1, base::relaxed);
      std::int64_t least = INT64_MAX;
      for (std::uint32_t k = 0; k < n && least > 0; ++k) {
        const List::Routee& each = list->routees[(first + k) % n];
        const Ref ref = each.ref.load(base::acquire);
        if (ref == nobody) continue;
        const Burden burden = burden_of(cells_, ref, each.capacity.load(base::relaxed));
        const std::int64_t weight =
            burden.is_idle ? 0 : 1 + std::max<std::int64_t>(burden.waiting, 0);
        if (weight >= least) continue;
        least = weight;
        chosen = ref;
      }
    }
    if (chosen != nobody && list->owner.load(base::acquire) == router) return chosen;
  }
  return router;
}

std::vector<Routes::Load> Routes::read(Ref router) const {
  std::vector<Load> loads;
  for (int i = 0; i < choices_max; ++i) {
    const List* const list = list_of(router);
    if (list == nullptr) return {};
    loads.clear();
    const std::uint32_t n = list->count.load(base::acquire);
    for (std::uint32_t k = 0; k < n; ++k) {
      const List::Routee& each = list->routees[k];
      const Ref ref = each.ref.load(base::acquire);
      if (ref == nobody) continue;
      const Burden burden = burden_of(cells_, ref, each.capacity.load(base::relaxed));
      loads.push_back({ref, burden.waiting, burden.is_idle, each.unhandled.load(base::relaxed)});
    }
    if (list->owner.load(base::acquire) == router) return loads;
  }
  return {};
}

bool Routes::begin(Turns& turns, Ref router) const noexcept {
  give_back(turns);
  List* const list = list_of(router);
  if (list == nullptr || list->logic.load(base::relaxed) != RouteLogic::round_robin) return false;
  const std::uint32_t n = list->count.load(base::acquire);
  if (n == 0) return false;
  turns.end_ = list->next.fetch_add(Turns::at_once, base::relaxed) + Turns::at_once;
  turns.first_ = &list->routees[0];
  turns.past_ = turns.first_ + n;
  turns.left_ = Turns::at_once;
  turns.begin_round(turns.first_ + (turns.end_ - Turns::at_once) % n);
  turns.list_ = list;
  turns.router_ = router;
  return true;
}

void Routes::give_back(Turns& turns) noexcept {
  // Turns that others have come after are lost, and their routees are left out once.
  const auto left = turns.left_ + static_cast<std::uint32_t>(turns.stop_ - turns.next_);
  if (left != 0 && turns.list_->owner.load(base::acquire) == turns.router_) {
    std::uint32_t expected = turns.end_;
    turns.list_->next.compare_exchange_strong(expected, turns.end_ - left, base::relaxed);
  }
  turns = {};
}

std::optional<RouteLogic> Routes::logic_of(Ref router) const noexcept {
  const List* const list = list_of(router);
  if (list == nullptr) return std::nullopt;
  return list->logic.load(base::relaxed);
}

// ---- the turns of the router --------------------------------------------------------------------

void Routes::begin(Cell& router, RouteLogic logic) {
  const Ref self = cells_.ref_of(router);
  if (List* const list = list_of(self)) return list->logic.store(logic, base::relaxed);
  {
    const std::lock_guard lock(mutex_);
    if (arena_ == nullptr) {
      arena_ =
          std::make_unique<base::Arena>((std::size_t{cells_.last_index()} + 1) * sizeof(Entry));
      // release: pairs with the acquire in entry_of(), which then sees the table's size
      entries_.store(reinterpret_cast<Entry*>(arena_->base()), base::release);
    }
  }
  Entry* const entry = entry_of(cells_.index_of(router));
  if (entry == nullptr) throw std::bad_alloc();
  List& list = take(least_capacity);
  list.logic.store(logic, base::relaxed);
  list.owner.store(self, base::release);
  entry->store(&list, base::release);
  // release: pairs with the acquire of senders, which then find the list
  router.sender_flags.store(
      static_cast<std::uint8_t>(router.sender_flags.load(base::relaxed) | Cell::routing),
      base::release);
}

void Routes::reserve(Cell& router) {
  const Ref self = cells_.ref_of(router);
  List* const list = list_of(self);
  if (list == nullptr) return;
  const std::uint32_t n = list->count.load(base::relaxed);
  if (n < list->capacity) return;
  List& larger = take(std::size_t{n} * 2);
  larger.logic.store(list->logic.load(base::relaxed), base::relaxed);
  larger.next.store(list->next.load(base::relaxed), base::relaxed);
  larger.owner.store(self, base::release);
  for (std::uint32_t i = 0; i < n; ++i) larger.routees[i].copy(list->routees[i]);
  larger.count.store(n, base::release);
  entry_of(cells_.index_of(router))->store(&larger, base::release);
  give(*list);
}

void Routes::add(Cell& router, Ref routee) noexcept {
  List* const list = list_of(cells_.ref_of(router));
  if (list == nullptr) return;
  const std::uint32_t n = list->count.load(base::relaxed);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (list->routees[i].ref.load(base::relaxed) == routee) return;
  }
  ACTORD_ASSERT(n < list->capacity);
  const Cell& cell = cells_.at(index_of(routee));
  const bool is_counted = (cell.sender_flags.load(base::relaxed) & Cell::bounded) != 0;
  list->routees[n].capacity.store(is_counted ? cell.capacity_left.load(base::relaxed) : -1,
                                  base::relaxed);
  list->routees[n].unhandled.store(0, base::relaxed);
  list->routees[n].ref.store(routee, base::release);
  list->count.store(n + 1, base::release);
}

bool Routes::remove(const Cell& router, Ref routee) noexcept {
  List* const list = list_of(cells_.ref_of(router));
  if (list == nullptr) return false;
  const std::uint32_t n = list->count.load(base::relaxed);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (list->routees[i].ref.load(base::relaxed) != routee) continue;
    // The order of the others stays, so that each still gets its turn.
    for (; i + 1 < n; ++i) list->routees[i].copy(list->routees[i + 1]);
    list->count.store(n - 1, base::release);
    list->routees[n - 1].ref.store(nobody, base::release);
    return true;
  }
  return false;
}

bool Routes::change_unhandled(const Cell& router, Ref routee, std::int32_t change) noexcept {
  List* const list = list_of(cells_.ref_of(router));
  if (list == nullptr) return false;
  for (std::uint32_t i = list->count.load(base::relaxed); i-- > 0;) {
    List::Routee& each = list->routees[i];
    if (each.ref.load(base::relaxed) != routee) continue;
    // One that has left and joined again has messages from before.
    const std::int64_t now = std::int64_t{each.unhandled.load(base::relaxed)} + change;
    each.unhandled.store(static_cast<std::uint32_t>(std::max<std::int64_t>(now, 0)), base::relaxed);
    return true;
  }
  return false;
}

void Routes::end(Cell& router) noexcept {
  List* const list = list_of(cells_.ref_of(router));
  if (list == nullptr) return;
  router.sender_flags.store(
      static_cast<std::uint8_t>(router.sender_flags.load(base::relaxed) & ~Cell::routing),
      base::relaxed);
  entry_of(cells_.index_of(router))->store(nullptr, base::release);
  give(*list);
}

Routes::List& Routes::take(std::size_t capacity) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(free_, capacity, &List::capacity);
  if (found != free_.end()) {
    List& list = **found;
    *found = free_.back();
    free_.pop_back();
    return list;
  }
  lists_.push_back(std::make_unique<List>(capacity));
  free_.reserve(lists_.size());  // so that give() needs no memory
  return *lists_.back();
}

void Routes::give(List& list) noexcept {
  list.clear();
  const std::lock_guard lock(mutex_);
  free_.push_back(&list);
}

}  // namespace actord::actor
