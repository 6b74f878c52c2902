// SPDX-License-Identifier: Apache-2.0
#include "link/guest_topics.hpp"

#include "link/guest_call.hpp"

namespace actord::link::guest_topics {

namespace {

void put_topic(actord_context* c, Request request, Topic topic, actord_str name) {
  FrameWriter& frame = GuestCall::of(c).begin(request);
  frame.put(topic);
  frame.text(name);
  GuestCall::of(c).send();
}

}  // namespace

void subscribe(actord_context* c, actord_str type) {
  put_topic(c, Request::subscribe, Topic::type, type);
}
void unsubscribe(actord_context* c, actord_str type) {
  put_topic(c, Request::unsubscribe, Topic::type, type);
}
void subscribe_prefix(actord_context* c, actord_str prefix) {
  put_topic(c, Request::subscribe, Topic::prefix, prefix);
}
void unsubscribe_prefix(actord_context* c, actord_str prefix) {
  put_topic(c, Request::unsubscribe, Topic::prefix, prefix);
}
void subscribe_family(actord_context* c, actord_str family) {
  put_topic(c, Request::subscribe, Topic::family, family);
}
void unsubscribe_family(actord_context* c, actord_str family) {
  put_topic(c, Request::unsubscribe, Topic::family, family);
}

}  // namespace actord::link::guest_topics
