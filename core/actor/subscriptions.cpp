// SPDX-License-Identifier: Apache-2.0
#include "actor/subscriptions.hpp"

namespace actord::actor {

namespace {

void log_subscription(Turn& turn, std::string_view event, std::string_view what) {
  if (turn.environment().debug.event_stream.load(base::relaxed))
    turn.log().debug(event, what, turn.self);
}

}  // namespace

void subscribe(Turn& turn, message::TypeId type) {
  turn.cell().owner_flags |= Cell::subscribed;
  turn.environment().subscribe(turn.self, type);
  log_subscription(turn, "event-stream.subscribed", turn.environment().types.name(type));
}

void subscribe(Turn& turn, const TypeGroup& group) {
  turn.cell().owner_flags |= Cell::subscribed;
  turn.environment().subscribe(turn.self, group);
  log_subscription(turn, "event-stream.subscribed", group.text);
}

void unsubscribe(Turn& turn, message::TypeId type) {
  turn.environment().unsubscribe(turn.self, type);
  log_subscription(turn, "event-stream.unsubscribed", turn.environment().types.name(type));
}

void unsubscribe(Turn& turn, const TypeGroup& group) {
  turn.environment().unsubscribe(turn.self, group);
  log_subscription(turn, "event-stream.unsubscribed", group.text);
}

}  // namespace actord::actor
