// SPDX-License-Identifier: Apache-2.0
//
// Whether what was stored still fits its type: a member that the type has no longer would be lost
// without a word (supervision.md 183u).
#pragma once

#include <string>

#include "message/message_type.hpp"

namespace actord::message {

/// The path of the first member of `stored` that the type has not, "card.number"; empty: it has
/// all. A member that the type lists as dropped is passed over, with all that is in it.
std::string unknown_member(const actord_message_type& type, actord_value stored);

/// `stored` as MessagePack without the members that the type lists as dropped, because a type whose
/// messages stay packed takes no members that it has not. Empty: the type lists none.
std::string without_dropped(const actord_message_type& type, actord_value stored);

/// Why what has that member is not read.
std::string why_not_read(const std::string& unknown_member);

}  // namespace actord::message
