// SPDX-License-Identifier: Apache-2.0
//
// The part of guest_table() that is about subscriptions to published messages.
#pragma once

#include <actord/plugin.h>

namespace actord::link::guest_topics {

void subscribe(actord_context*, actord_str type);
void unsubscribe(actord_context*, actord_str type);
void subscribe_prefix(actord_context*, actord_str prefix);
void unsubscribe_prefix(actord_context*, actord_str prefix);
void subscribe_family(actord_context*, actord_str family);
void unsubscribe_family(actord_context*, actord_str family);

}  // namespace actord::link::guest_topics
