// SPDX-License-Identifier: Apache-2.0
#include "actor/routing.hpp"

#include <algorithm>

#include "actor/child_list.hpp"
#include "actor/selection.hpp"
#include "message/message_pack.hpp"
#include "message/packed_message.hpp"
#include "message/report.hpp"

namespace actord::actor {

base::Result<void> route(Turn& turn, std::int32_t logic) {
  if (logic < 0 || logic > static_cast<std::int32_t>(RouteLogic::by_router))
    return base::Error{"there is no route logic " + std::to_string(logic)};
  Routes& routes = turn.environment().routes;
  Cell& cell = turn.cell();
  constexpr unsigned limited = Cell::bounded | Cell::backing_off;
  if ((cell.sender_flags.load(base::relaxed) & limited) != 0)
    return base::Error{turn.path() +
                       " has a bounded mailbox, which a router cannot have: bound "
                       "those of its routees"};
  try {
    routes.begin(cell, static_cast<RouteLogic>(logic));
    for (Cell& child : children_of(turn)) {
      if (!child.has(Cell::routee) || child.has(Cell::dying)) continue;
      routes.reserve(cell);
      routes.add(cell, turn.environment().cells.ref_of(child));
    }
  } catch (const std::bad_alloc&) {
    return base::Error{"there is no memory for routees"};
  }
  return {};
}

namespace {

// Whether what is sent to `from` may come to `to`. Routers in each other are not deep.
bool leads_to(const Routes& routes, Ref from, Ref to, int depth = 0) {
  constexpr int depth_max = 8;
  if (from == to) return true;
  if (depth == depth_max) return false;
  return std::ranges::any_of(routes.read(from), [&](const Routes::Load& each) {
    return leads_to(routes, each.routee, to, depth + 1);
  });
}

}  // namespace

base::Result<void> add_routee(Turn& turn, Ref routee) {
  Cell& cell = turn.cell();
  if ((cell.sender_flags.load(base::relaxed) & Cell::routing) == 0)
    return base::Error{turn.path() + " is no router"};
  if (!turn.environment().cells.is_living(routee))
    return base::Error{"an actor that is not there cannot be a routee"};
  Routes& routes = turn.environment().routes;
  if (leads_to(routes, routee, turn.self))
    return base::Error{turn.thread().path(routee) +
                       " cannot be a routee, because what is sent to it comes back"};
  try {
    routes.reserve(cell);
  } catch (const std::bad_alloc&) {
    return base::Error{"there is no memory for routees"};
  }
  routes.add(cell, routee);
  return {};
}

std::size_t tell_routees(Turn& turn, Ref router, message::TypeId type, void* message) {
  Selected to;
  for (const Routes::Load& each : turn.environment().routes.read(router))
    to.actors.push_back(each.routee);
  if (to.actors.empty()) to.actors.push_back(router);
  tell_all(turn, to, type, message, turn.self);
  return to.actors.size();
}

namespace {

// The node of a child, or of a configured routee, and the snapshot that has it.
std::pair<const NodeSpec*, ConfigSnapshotPtr> node_of(const Turn& turn, Ref child) {
  if (child != nobody) {
    const Cell* const like = find_child(turn, child);
    if (like == nullptr) return {};
    return {like->props->node, like->props->snapshot};
  }
  const Props& own = *turn.cell().props;
  if (own.node == nullptr) return {};
  const auto routee = std::ranges::find_if(
      own.node->children, [](const NodeSpec& each) { return (each.flags & ACTORD_ROUTEE) != 0; });
  if (routee == own.node->children.end()) return {};
  return {&*routee, own.snapshot};
}

}  // namespace

base::Result<Ref, SpawnError> spawn_like(Turn& turn, Ref child, std::string_view name) {
  const auto [node, snapshot] = node_of(turn, child);
  if (node == nullptr)
    return SpawnError{{"an actor that is no configured child has nothing to spawn another from"}};
  PropsPtr props(new Props(*node->behaviour));
  props->snapshot = snapshot;
  props->build_from(*node);
  auto spawned = spawn(turn, name, std::move(props));
  // No node has its name, so that a reload leaves it alone.
  if (spawned)
    find_child(turn, *spawned)->child_flags &= static_cast<std::uint8_t>(~Cell::from_node);
  return spawned;
}

namespace {

// FNV-1a, and then all bits mixed (the finalizer of MurmurHash3).
std::uint64_t hash_of(std::string_view bytes) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdu;
  hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53u;
  return hash ^ (hash >> 33);
}

}  // namespace

std::optional<std::uint64_t> hash_of_field(Turn& turn, std::string_view field) {
  if (turn.message == nullptr || turn.message_type == 0) return std::nullopt;
  const actord_message_type& table = *turn.environment().types.at(turn.message_type).table;
  if (table.write == nullptr) return std::nullopt;
  message::PackWriter whole;
  if (table.write(turn.message, &whole, &message::ignored_errors()) != ACTORD_OK ||
      !whole.fault().empty())
    return std::nullopt;
  const message::PackReader reader(whole.bytes());
  const actord_value value = reader.member(reader.root(), message::to_c(field));
  if (value.node == nullptr) return std::nullopt;
  message::PackWriter one;
  message::copy_value(value, one);
  return hash_of(one.bytes());
}

void refuse(Turn& turn) {
  if (turn.current() == nullptr || turn.message_type == 0) return;
  Envelope* const copy = turn.copy_of(*turn.current());
  if (copy == nullptr) return;
  ++turn.thread().counters.sent;
  turn.thread().send_to_dead_letters(turn.self, copy, Undelivered::no_routee);
}

}  // namespace actord::actor
